"""Who may include whom, how long a file may be, and whether every file is built.

layers.py ROOT: reads the tree, prints each breach as "file:line: what", exits 1 when there is one.
layers.py --self-test: plants breaches in a tree of its own and fails unless each is found.
"""
import pathlib
import re
import sys
import tempfile

MAX_LINES = 300
RESTRAINED = ("src", "sim", "props", "cli")  # the rooms whose files stay short

# What an include line names, by the pattern that its text matches; anything else in angle brackets without a slash or
# a suffix is the standard library.
FOREIGN = {
    "cuda": r"(cuda|cupti|cub/|thrust/|cooperative_groups|nv/|nvtx|device_launch_parameters)",
    "rapidcheck": r"rapidcheck",
    "gtest": r"(gtest|gmock)/",
    "benchmark": r"benchmark/",
    "fmt": r"fmt/",
    "json": r"nlohmann/",
    "cli11": r"CLI/",
    "pugixml": r"pugixml",
    "toml": r"toml\+\+/",
    "clock": r"(chrono|ctime|time\.h|sys/time\.h)$",
    "chance": r"random$",
    "api": r"pagestorm/",
    "sim": r"sim/",
    "props": r"props/",
    "cli": r"cli/",
    "core": r"(src/)?core/",
    "fault": r"(src/)?fault/",
    "host": r"(src/)?host/",
    "outside": r"(src/)?outside/",
    "stub": r"(src/)?stub/",
    "exported": r"(src/)?exported/",
    "judge": r"(src/)?judge/",
    "mutant": r"(src/)?(mutant|mutated)/",
    "tests": r"tests/",
}

# Folder: what its files may include besides the standard library and their own folder. The longest folder decides.
MAY = {
    "src/api": "api",
    "src/core": "api",
    "src/fault": "api core",
    "src/host": "api core fault clock chance",
    "src/outside": "api fmt toml clock",
    "src/exported": "api core host",
    "src/judge": "api cuda",
    "src/mutant": "api host mutant",
    "src/cuda": "api core fault judge cuda clock chance",
    "src/stub": "api",
    "src": "api",
    "sim": "api fmt",
    "sim/trace": "api fmt json",
    "props": "api sim fmt clock",
    "props/gen": "api sim props fmt clock rapidcheck",
    "cli": "api sim props fmt json cli11 pugixml clock chance",
    "bench": "api sim props fmt benchmark clock",
    "tests": "api core fault host outside judge sim props cli fmt json pugixml gtest rapidcheck clock",
}

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^">]+)')
SOURCES = {".hpp", ".cpp", ".cu", ".cuh"}


def sources(root):
    for top in ("src", "sim", "props", "cli", "bench", "tests"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SOURCES and path.is_file():
                yield path


def rights(name):
    """The longest entry of MAY that a file's name starts with; "sim/trace" speaks of sim/trace_read.cpp too."""
    return max((folder for folder in MAY if name.startswith(folder)), key=len)


def meaning(root, path, mark, text):
    """What an include line names: a room, a library, "std", "own", or "unknown"."""
    if mark == '"' and (path.parent / text).is_file():
        target = (path.parent / text).resolve().relative_to(root).as_posix()
        for room in ("src/api", "src/core", "src/fault", "src/host", "src/outside", "src/judge", "src/mutant", "src/cuda", "src/stub", "src/exported", "sim", "props", "cli", "tests"):
            if target.startswith(room + "/"):
                here = path.relative_to(root).as_posix()
                return "own" if here.startswith(room + "/") else room.removeprefix("src/")
    for name, pattern in FOREIGN.items():
        if re.match(pattern, text):
            return name
    plain = mark == "<" and re.fullmatch(r"[a-z_0-9]+|(sys|arpa|netinet)/\w+\.h|\w+\.h", text)
    return "std" if plain else "unknown"


def include_breaches(root, path):
    name = path.relative_to(root).as_posix()
    folder = rights(name)
    may = set(MAY[folder].split()) | {"std", "own", folder.split("/")[0 if not folder.startswith("src/") else 1]}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        what = meaning(root, path, *found.groups())
        if what not in may:
            yield f"{name}:{number}: {folder} may not include {found[2]} ({what})"


def size_breaches(root, path):
    name = path.relative_to(root).as_posix()
    lines = len(path.read_text().splitlines())
    if name.split("/")[0] in RESTRAINED and lines > MAX_LINES:
        yield f"{name}:{MAX_LINES}: {lines} lines; more than {MAX_LINES} are two ideas"


def list_breaches(root, path):
    """A file that no meson.build names is never built, and its tests are never missed."""
    name = path.relative_to(root).as_posix()
    if path.suffix == ".cuh" or path.suffix == ".hpp" and name.startswith(("src/cuda/", "tests/", "bench/")):
        return  # headers that tests/headers does not compile: nvcc's, and those of tests
    folder = path.parent
    while folder != root.parent:
        build = folder / "meson.build"
        if build.is_file() and re.search(rf"['/]{re.escape(path.name)}'", build.read_text()):
            return
        folder = folder.parent
    yield f"{name}:1: no meson.build lists this file"


def breaches(root):
    count = 0
    for path in sources(root):
        count += 1
        for check in (include_breaches, size_breaches, list_breaches):
            yield from check(root, path)
    if count == 0:
        yield f"{root}: no source file found"


def self_test():
    planted = {
        "src/api/pagestorm/a.hpp": ("#include <cuda_runtime.h>", "src/api may not include cuda_runtime.h"),
        "src/api/pagestorm/b.hpp": ('#include "core/hd.hpp"', "src/api may not include core/hd.hpp"),
        "src/core/hd.hpp": ("# include <thrust/copy.h>", "src/core may not include thrust/copy.h"),
        "src/host/a.cpp": ("#include <cub/cub.cuh>", "src/host may not include cub/cub.cuh"),
        "src/stub/a.cpp": ('#include "core/hd.hpp"', "src/stub may not include core/hd.hpp"),
        "src/judge/a.hpp": ('#include "core/hd.hpp"', "src/judge may not include core/hd.hpp"),
        "src/judge/b.hpp": ('#include "fault/bent.hpp"', "src/judge may not include fault/bent.hpp"),
        "src/outside/a.cpp": ('#include "sim/player.hpp"', "src/outside may not include sim/player.hpp"),
        "src/host/b.cpp": ('#include "outside/share.hpp"', "src/host may not include outside/share.hpp"),
        "src/core/m.hpp": ('#include "mutant/switch.hpp"', "src/core may not include mutant/switch.hpp"),
        "src/mutant/a.cpp": ('#include "core/body.hpp"', "src/mutant may not include core/body.hpp"),
        "src/core/e.hpp": ('#include "exported/views.hpp"', "src/core may not include exported/views.hpp"),
        "src/exported/a.cpp": ('#include "fault/bent.hpp"', "src/exported may not include fault/bent.hpp"),
        "src/core/j.hpp": ('#include "judge/zone.hpp"', "src/core may not include judge/zone.hpp"),
        "sim/j.cpp": ('#include "judge/zone.hpp"', "sim may not include judge/zone.hpp"),
        "sim/a.cpp": ("#include <random>", "sim may not include random"),
        "sim/b.cpp": ("#include <chrono>", "sim may not include chrono"),
        "sim/c.cpp": ('#include "src/core/hd.hpp"', "sim may not include src/core/hd.hpp"),
        "sim/d.cpp": ('#include "../src/core/hd.hpp"', "sim may not include ../src/core/hd.hpp"),
        "sim/e.cpp": ("#include <gtest/gtest.h>", "sim may not include gtest/gtest.h"),
        "sim/f.cpp": ("#include <nlohmann/json.hpp>", "sim may not include nlohmann/json.hpp"),
        "props/a.cpp": ("#include <rapidcheck.h>", "props may not include rapidcheck.h"),
        "cli/a.cpp": ("#include <rapidcheck/state.h>", "cli may not include rapidcheck/state.h"),
        "cli/b.cpp": ("#include <boost/any.hpp>", "cli may not include boost/any.hpp (unknown)"),
        "cli/d.cpp": ('#include "tests/source_root.hpp"', "cli may not include tests/source_root.hpp"),
        "tests/sim/a.cpp": ("#include <cuda_runtime.h>", "tests may not include cuda_runtime.h"),
        "sim/long.cpp": ("\n" * MAX_LINES + "int x;", "301 lines"),
        "sim/forgotten.cpp": ("", "no meson.build lists this file"),
    }
    allowed = {
        "src/core/body.hpp": '#include <cstdint>\n#include "hd.hpp"\n#include "pagestorm/mode.hpp"',
        "src/fault/bent.hpp": '#include "core/hd.hpp"',
        "src/cuda/a.cu": "#include <cub/cub.cuh>\n#include <cuda_runtime.h>\n#include \"judge/zone.hpp\"",
        "src/judge/a.cu": '#include <cub/cub.cuh>\n#include "pagestorm/batch.hpp"',
        "sim/trace_read.cpp": "#include <nlohmann/json.hpp>\n#include <fmt/format.h>",
        "props/gen/a.cpp": '#include <rapidcheck.h>\n#include "props/a.hpp"\n#include "sim/a.hpp"',
        "cli/c.cpp": '#include <chrono>\n#include <CLI/CLI.hpp>\n#include "props/a.hpp"',
        "tests/core/a.cpp": '#include <gtest/gtest.h>\n#include "core/hd.hpp"\n#include "tests/source_root.hpp"',
    }
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        for name, text in [(name, text) for name, (text, _) in planted.items()] + list(allowed.items()):
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n")
            if "forgotten" not in name:
                with (path.parent / "meson.build").open("a") as build:
                    build.write(f"'{path.name}'\n")
        found = list(breaches(root))
    wrong = [f"not found: {name}: {what}" for name, (_, what) in planted.items()
             if not any(line.startswith(name + ":") and what in line for line in found)]
    wrong += [f"found in vain: {line}" for line in found if line.split(":")[0] not in planted]
    if len(found) != len(planted):
        wrong.append(f"{len(found)} breaches found, {len(planted)} planted")
    print("\n".join(wrong) or f"layers self-test: {len(planted)} planted breaches found, {len(allowed)} right files passed")
    return 1 if wrong else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(sys.argv[1]).resolve()
    found = list(breaches(root))
    print("\n".join(found) or f"layers: {len(list(sources(root)))} files in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
