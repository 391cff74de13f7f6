"""The example under all laws, and broken, by the program itself: `pagestorm check --builder 'python3 ...'`."""
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

import wire

EXAMPLE = wire.ROOT / "examples/python/numpy_builder.py"


def spec(file):
    return shlex.join([sys.executable, str(file)])


def pagestorm(folder, *arguments):
    return subprocess.run([os.environ["PAGESTORM_PROGRAM"], *arguments], capture_output=True, text=True, check=False,
                          cwd=folder)


class Check(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def broken(self, right, wrong):
        source = EXAMPLE.read_text()
        self.assertEqual(source.count(right), 1)
        (self.folder / "broken.py").write_text(source.replace(right, wrong))
        return self.folder / "broken.py"

    def test_holds_the_example(self):
        ran = pagestorm(self.folder, "check", "--builder", spec(EXAMPLE), "--cases", "150", "--seed", "1")
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertIn("held: 0 violations in 150 cases", ran.stdout)

    def test_finds_what_is_broken_and_replays_it(self):
        file = self.broken("min(pages, width)", "min(pages, width + 1)")
        ran = pagestorm(self.folder, "check", "--builder", spec(file), "--cases", "150", "--seed", "1")
        self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
        saved = list((self.folder / "failures").iterdir())
        self.assertEqual(len(saved), 1, ran.stdout)
        self.assertIn(str(saved[0].name), ran.stdout)
        self.assertEqual(pagestorm(self.folder, "replay", str(saved[0]), "--builder", spec(file)).returncode, 1)
        self.assertEqual(pagestorm(self.folder, "replay", str(saved[0]), "--builder", spec(EXAMPLE)).returncode, 0)

    def test_shows_an_exception_as_a_call_that_was_refused(self):
        file = self.broken("    keys, guarded = keys_of(batch, added)\n",
                           "    keys, guarded = keys_of(batch, added)\n    assert batch.rows < 2, 'one row only'\n")
        ran = pagestorm(self.folder, "check", "--builder", spec(file), "--cases", "150", "--seed", "1",
                        "--page-size", "1", "--seq-len", "0..4", "--rows", "2")
        self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
        self.assertIn("takes_what_it_promised is VIOLATED by numpy", ran.stdout)
        self.assertIn("AssertionError: one row only; broken.py:", ran.stdout)


def complaint():
    """Why nothing can be tested here; empty when it can."""
    try:
        import numpy  # noqa: F401  pylint: disable=unused-import
    except ImportError:
        return "numpy is not installed"
    tried = pagestorm(None, "check", "--builder", "python3 absent.py", "--cases", "1")
    return "this program knows no outside builders" if "there is no builder 'python3" in tried.stderr else ""


if __name__ == "__main__":
    if why := complaint():
        print(f"{why}: nothing was tested")
        sys.exit(77)  # Meson counts it as skipped
    unittest.main()
