#pragma once
// Errors that end a command with a message of one line.

#include <stdexcept>
#include <string>

namespace pagestorm::cli {

/// The command line asks for something that does not exist or cannot be. Exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The system, a device or a file refuses. Exit code 3.
class EnvironmentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace pagestorm::cli
