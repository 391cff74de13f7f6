"""pagestorm_pytest, by what pytest prints about builders of the program itself, with and without a fault."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import wire

SUITE = """
import pagestorm_pytest

test_sound = pagestorm_pytest.laws("host", ["padding_is_inert", "paths_agree"], cases=50)
test_broken = pagestorm_pytest.laws("host", ["writes_only_live_cells"], options=["--fault", "spills_past_width"])

def test_not_judged():
    pagestorm_pytest.check("host", "swa_slots_are_valid", cases=5, options=["--swa", "off"])

def test_mistyped():
    pagestorm_pytest.check("host", "padding_is_fun")

def test_function():
    assert pagestorm_pytest.spec(test_function).endswith(" " + __file__)
"""


class Helper(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "test_host.py").write_text(SUITE)
            ran = subprocess.run([sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"], cwd=folder,
                                 capture_output=True, text=True, check=False,
                                 env={**os.environ, "PYTHONPATH": str(wire.ROOT / "python")})
        cls.code, cls.said = ran.returncode, ran.stdout

    def test_makes_a_test_of_each_law(self):
        self.assertEqual(self.code, 1, self.said)
        self.assertIn("2 failed, 3 passed, 1 skipped", self.said)

    def test_shows_the_smallest_scenario_and_how_to_replay_it(self):
        for line in ("writes_only_live_cells is VIOLATED by host\n", "  page size 1 · context 1", "    1  admit ",
                     "  why       only the live prefix of a row is written\n",
                     "  replay    pagestorm replay failures/writes_only_live_cells-"):
            self.assertIn(line, self.said)

    def test_shows_no_traceback_of_its_own(self):
        self.assertNotIn("raceback", self.said)
        self.assertNotIn("def check", self.said)

    def test_says_why_a_law_is_skipped(self):
        self.assertRegex(self.said, "SKIPPED.*swa_slots_are_valid: undecided: nothing was judged in 5 cases")

    def test_hands_on_what_the_program_says_of_its_options(self):
        self.assertIn("exit code 2", self.said)
        self.assertIn("padding_is_fun", self.said)

    def test_names_laws_that_there_are(self):
        sys.path.insert(0, str(wire.ROOT / "python"))
        import pagestorm_pytest
        known = subprocess.run([pagestorm_pytest.program(), "info", "--laws"], capture_output=True, text=True,
                               check=True).stdout.split()
        self.assertEqual([law for law in known if law in pagestorm_pytest.LAWS], list(pagestorm_pytest.LAWS))


if __name__ == "__main__":
    try:
        import pytest  # noqa: F401  pylint: disable=unused-import
    except ImportError:
        print("pytest is not installed: nothing was tested")
        sys.exit(77)  # Meson counts it as skipped
    unittest.main()
