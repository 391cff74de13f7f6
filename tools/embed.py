#!/usr/bin/env python3
"""Writes a C++ source with the text of files in it: embed.py OUT NAME... FILE..., as many of both."""

import pathlib
import sys


def literal(text: str) -> str:
    """Lines as string literals; compilers limit the length of one, not of those that stand side by side."""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in text.splitlines())
    return "\n".join(f'     "{line}\\n"' for line in escaped)


def main(out: str, *named: str) -> None:
    entries = []
    half = len(named) // 2
    for name, path in zip(named[:half], named[half:]):
        entries.append(f'    {{"{name}",\n{literal(pathlib.Path(path).read_text())}}},')
    pathlib.Path(out).write_text(
        '#include "cli/skeleton.hpp"\n\nnamespace pagestorm::cli {\n\n'
        "std::span<const SkeletonFile> skeleton_files() {\n"
        "  static constexpr SkeletonFile files[] = {\n" + "\n".join(entries) + "\n  };\n  return files;\n}\n\n"
        "}  // namespace pagestorm::cli\n"
    )


main(*sys.argv[1:])
