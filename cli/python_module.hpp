#pragma once
// Where builders that are written in Python find the module that speaks for them.

#include <string>

namespace pagestorm::cli {

/// The folder of pagestorm.py that belongs to a program: share/pagestorm/python where it is installed, or python/ beside its
/// build folder. Empty when there is neither.
std::string python_folder_of(const std::string& program);

/// Puts the folder of this program in front of PYTHONPATH, for all processes that it starts. Does nothing without one.
void offer_python_module();

}  // namespace pagestorm::cli
