#include <fmt/format.h>

#include <algorithm>

#include "text.hpp"
#include "text_fields.hpp"

namespace pagestorm::sim {

namespace text_form {

std::string out_of_range(std::string_view value, const Domain& domain) {
  return fmt::format("{} is not {}; use {} to {}", value, domain.noun, domain.low, domain.high);
}

std::string not_ascending(std::int64_t before, std::int64_t bucket) {
  return fmt::format("{} after {} is not ascending; list each batch size once, the smallest first", bucket, before);
}

}  // namespace text_form

using namespace text_form;

namespace {

// Problems come with their field, so these take its name.
template <class T>
std::string problem(std::string_view, const Domain&, const T&) {
  return {};
}

std::string problem(std::string_view name, const Domain& domain, const std::int64_t& value) {
  if (value >= domain.low && value <= domain.high) return {};
  return fmt::format("{}: {}", name, out_of_range(std::to_string(value), domain));
}

std::string problem(std::string_view name, const Domain& domain, const std::vector<std::int64_t>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::string found = problem(name, domain, values[i]); !found.empty()) return found;
    if (i > 0 && values[i] <= values[i - 1]) {
      return fmt::format("{}: {}", name, not_ascending(values[i - 1], values[i]));
    }
  }
  return {};
}

template <class T, class Fields>
std::string problem_among(const T& owner, const Fields& fields) {
  for (const auto& field : fields) {
    const auto judge = [&](auto member) { return problem(field.name, field.domain, value_of(owner, member)); };
    if (std::string found = std::visit(judge, field.member); !found.empty()) return found;
  }
  return {};
}

std::string problem(std::string_view, const Domain&, const Timing& timing) {
  return problem_among(timing, timing_fields);
}

std::string problem(std::string_view, const Domain&, const Layout& layout) {
  return problem_among(layout, layout_fields);
}

struct Judge {
  const HeaderField& field;
  const Config& config;

  template <class T>
  std::string operator()(T Config::*member) const {
    return problem(field.name, field.domain, config.*member);
  }
  std::string operator()(std::string Finding::*) const { return {}; }
};

std::string far_problem(const Config& config) {
  const std::int64_t batch = config.buckets.empty() ? 0 : config.buckets.back();
  if (config.layout.far == Far::none || (config.request_rows() <= far_rows && batch <= far_rows)) return {};
  return fmt::format("far: rows that far apart leave room for {} of them; use at most {} requests and buckets of {}",
                     far_rows, far_rows - 1, far_rows);
}

std::string pool_problem(std::string_view name, std::int64_t pages, std::int64_t page_size) {
  const std::int64_t most = max_elements / page_size;
  if (pages <= most) return {};
  return fmt::format("{}: {} pages of {} tokens are more than {} tokens; use at most {} pages of this size", name,
                     pages, page_size, max_elements, most);
}

std::string timing_problem(const Timing& timing) {
  if (timing.tables != Tables::in_graph || timing.read_end != ReadEnd::pre_replay) return {};
  return "timing: a graph that builds its tables reads when it is replayed; use read_end=in-replay or a later point";
}

std::string family_problem(const Config& config) {
  if (config.flash && config.timing.overlap)
    return "timing: overlap is not modelled for the family flash; leave it out, or use the family paged";
  if (!config.flash && config.top_k > 1) return "top_k: only drafts of the family flash have branches; use 1";
  const std::int64_t rows = std::max(config.requests, config.buckets.empty() ? 0 : config.buckets.back());
  const std::int64_t columns = config.whole_mask ? config.columns() + config.draft_tokens : config.draft_tokens;
  if (!config.flash || rows * config.draft_tokens * columns <= max_elements) return {};
  return fmt::format("mask: {} rows make a tree mask of more than {} elements; use fewer, or drafts", rows,
                     max_elements);
}

std::string slots_problem(const Config& config) {
  const std::int64_t row = config.columns() * config.layout.slots_stride;
  if (config.request_rows() * row <= max_elements) return {};
  return fmt::format(
      "requests: {} rows of {} elements make req_to_token larger than {} elements; use at most {} requests, or a "
      "smaller context or slots_stride",
      config.request_rows(), row, max_elements, (max_elements / row - 1) / (config.block_window > 0 ? 2 : 1));
}

}  // namespace

std::string complaint(const Config& config) {
  for (const HeaderField& field : header_fields) {
    if (std::string found = std::visit(Judge{field, config}, field.member); !found.empty()) return found;
  }
  if (std::string found = pool_problem("pages", config.pages, config.page_size); !found.empty()) return found;
  if (std::string found = pool_problem("swa_pages", config.swa_pages, config.page_size); !found.empty()) return found;
  if (std::string found = far_problem(config); !found.empty()) return found;
  if (std::string found = timing_problem(config.timing); !found.empty()) return found;
  if (std::string found = family_problem(config); !found.empty()) return found;
  return slots_problem(config);
}

}  // namespace pagestorm::sim
