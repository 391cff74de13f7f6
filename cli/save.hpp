#pragma once
// Failures as files.

#include <string>
#include <vector>

#include "result.hpp"
#include "sim/scenario.hpp"

namespace pagestorm::cli {

/// Writes a finding to `<dir>/<law>-<hash of the text>.scenario`, creating the folder, and returns the path. The file is
/// whole or absent. Throws EnvironmentError.
std::string save_finding(const sim::Finding& finding, const std::string& dir);

/// Saves what a failure shrank to, and notes in the failure where, and how to replay it; or, when it cannot be saved,
/// why, with the whole text, so that nothing is lost. `limits` are those of outside builders (AskedLimits::typed).
void keep(Failure& failure, const sim::Finding& finding, const std::string& dir, const std::string& limits = {});

/// Saves scenarios that fail one after the other in one process, the saved failure's as the last, in a folder beside its file;
/// the failure's command replays them all. Where they cannot be saved, the failure says why, and keeps its own command.
void keep_run(Failure& failure, const sim::Finding& finding, const std::vector<sim::Scenario>& run,
              const std::string& limits);

/// Throws UsageError for a name that is no UTF-8, and EnvironmentError when findings could not be saved there, before a long run finds out. Creates the folder.
void require_writable(const std::string& dir);

/// A file's content. Throws EnvironmentError when it cannot be read, and says so when it is a folder.
std::string read_file(const std::string& path);

/// Writes a whole file. Throws EnvironmentError.
void write_file(const std::string& path, const std::string& text);

/// Throws EnvironmentError when a report could not be written there, before a long run finds out. What stands there is kept
/// until there is something to put in its place.
void require_writable_file(const std::string& path);

/// The command that replays a saved finding, with the limits of an outside builder.
std::string replay_command(const std::string& path, const sim::Finding& finding, const std::string& limits = {});

}  // namespace pagestorm::cli
