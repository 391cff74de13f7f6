#include "reruns.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "pagestorm/outside_builder.hpp"

namespace pagestorm::cli {
namespace {

constexpr Reruns all_kinds[] = {Reruns::by_cost, Reruns::all, Reruns::one};

}  // namespace

std::string_view name_of(Reruns reruns) {
  switch (reruns) {
    case Reruns::by_cost: return "by-cost";
    case Reruns::all: return "all";
    case Reruns::one: return "one";
  }
  return "";
}

void add_reruns_option(CLI::App& command, CampaignText& text) {
  std::vector<std::string> names;
  for (const Reruns kind : all_kinds) names.emplace_back(name_of(kind));
  command
      .add_option("--reruns", text.reruns,
                  "laws that run the builder again: all of them in each pass, one that is drawn, or by cost: one on "
                  "outside builders")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
}

Reruns reruns_of(std::string_view text) {
  for (const Reruns kind : all_kinds)
    if (name_of(kind) == text) return kind;
  return Reruns::by_cost;
}

bool draws_reruns(Reruns reruns, std::string_view spec) {
  return reruns == Reruns::one || (reruns == Reruns::by_cost && is_outside(spec));
}

}  // namespace pagestorm::cli
