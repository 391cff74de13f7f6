#pragma once
// --reruns: how many of the laws that run a builder again judge a pass.

#include <string_view>

#include "options.hpp"

namespace CLI {
class App;
}

namespace pagestorm::cli {

void add_reruns_option(CLI::App& command, CampaignText& text);

/// What was typed, which is one of the names.
Reruns reruns_of(std::string_view text);

/// Whether one of those laws is drawn for each pass of the builder that `spec` names.
bool draws_reruns(Reruns reruns, std::string_view spec);

}  // namespace pagestorm::cli
