"""install_test.py BUILD MESON: what `meson install` leaves is enough for the example, by pkg-config and g++ alone.

The command is the one that examples/gtest/meson.build shows. Nothing of the source or build folder is seen by it.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD, MESON = map(pathlib.Path, sys.argv[1:3])


def run(command, **arguments):
    return subprocess.run(command, capture_output=True, text=True, check=False, **arguments)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls._folder.cleanup)
        top = pathlib.Path(cls._folder.name)
        done = run([MESON, "install", "-C", BUILD, "--no-rebuild", "--destdir", top / "root"])
        assert done.returncode == 0, done.stdout + done.stderr
        packages = next((top / "root").rglob("pagestorm.pc"))
        cls.prefix = cls.move(packages, top / "root")
        cls.example = top / "example"
        shutil.copytree(ROOT / "examples/gtest", cls.example)
        cls.environment = {**os.environ, "PKG_CONFIG_PATH": str(packages.parent),
                           "LD_LIBRARY_PATH": str(packages.parent.parent)}

    @staticmethod
    def move(packages, root):
        """A package that is installed aside says so: all else in it is relative to its prefix."""
        text = packages.read_text()
        prefix = re.match("prefix=(.*)\n", text)[1]
        moved = root / prefix.lstrip("/")
        packages.write_text(text.replace(f"prefix={prefix}\n", f"prefix={moved}\n", 1))
        return moved

    def shell(self, command):
        done = run(["sh", "-c", command], cwd=self.example, env=self.environment)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}{done.stderr}")
        return done.stdout

    def test_is_enough_for_the_example_project(self):
        command = re.search(r"^# +(g\+\+ .*)$", (self.example / "meson.build").read_text(), re.M)[1]
        said = self.shell(command)
        self.assertIn("writes_only_live_cells is VIOLATED by simple", said)
        self.assertIn("pagestorm scenario 1", said)
        ran = int(re.search(r"^\[=+\] (\d+) tests from 2 test suites ran", said, re.M)[1])
        self.assertIn(f"[  PASSED  ] {ran - 1} tests", said)
        self.assertGreater(ran, 10)  # a law each, and a broken builder
        self.assertRegex(said, r"\[  SKIPPED \] 1 test")  # the order of lanes: it has none

    def test_is_enough_for_plain_c_without_a_shared_library(self):
        shutil.copy(ROOT / "tests/exported/calls.c", self.example)
        self.shell("cc -std=c99 -Wall -Wextra -Werror calls.c -o calls -Wl,-Bstatic"
                   " $(pkg-config --cflags --libs pagestorm) -Wl,-Bdynamic"
                   " $(pkg-config --static --libs-only-l --libs-only-other pagestorm | sed s/-lpagestorm//)"
                   " -lstdc++ -lm && ./calls")
        self.assertNotIn("libpagestorm", self.shell("ldd calls"))

    def test_says_where_the_python_module_is(self):
        folder = pathlib.Path(self.shell("pkg-config --variable=pythondir pagestorm").strip())
        self.assertEqual(sorted(path.name for path in folder.iterdir()),
                         ["pagestorm.py", "pagestorm_cuda.py", "pagestorm_pytest.py"])

    def test_has_headers_that_need_no_other_room(self):
        for header in sorted((self.prefix / "include/pagestorm").iterdir()):
            for name in re.findall(r'#include "(.*)"', header.read_text()):
                self.assertTrue((self.prefix / "include" / name).is_file(), f"{header.name} includes {name}")

    def test_shows_what_headers_declare_and_nothing_of_what_is_inside(self):
        library = next(self.prefix.rglob("libpagestorm.so"))
        shown = run(["nm", "-DC", "--defined-only", library]).stdout
        for name in ("pagestorm::check(", "pagestorm::replay(", "pagestorm_apply", "pagestorm_build",
                     "pagestorm_describe", "pagestorm_abi_version", "pagestorm_last_error"):
            self.assertIn(f" T {name}", shown)
        self.assertEqual([line for line in shown.split("\n") if re.search(r"::(sim|props|core|host|cuda)::", line)], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
