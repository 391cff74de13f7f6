"""Pagestorm's laws as tests of pytest, one a law:

    import pagestorm_pytest, mine

    test_law = pagestorm_pytest.laws(mine.apply)             # all that judge a builder
    def test_one():
        pagestorm_pytest.check("python3 mine.py", law="paths_agree", cases=10_000, options=["--page-size", "16"])

A builder is given as `pagestorm check --builder` takes it, or as a function: then its file is run, which must end in
`if __name__ == "__main__": pagestorm.serve()`. A law that is broken fails its test with the smallest scenario and the
command that replays it. The program is $PAGESTORM_PROGRAM, or pagestorm on the PATH.
"""
import inspect
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

import pytest

# Laws that judge a builder; the others judge Pagestorm's own engine, or operations that outside builders do not have.
LAWS = ("writes_only_live_cells", "agrees_with_reference", "swa_slots_are_valid", "reads_only_live_cells",
        "lane_order_is_irrelevant", "replay_equals_fresh", "padding_is_inert", "paths_agree",
        "status_is_ored_in", "metadata_needs_no_host_sync", "attention_reads_what_was_written")


def laws(builder, names=LAWS, **arguments):
    """A test function that pytest runs once for each law, by check() with these arguments."""
    @pytest.mark.parametrize("law", names)
    def test_law(law):
        check(builder, law, **arguments)
    return test_law


def check(builder, law=None, cases=2000, seed=1, out="failures", options=()):
    """Plays scenarios against a builder; fails the test that calls it when a law is broken, all laws if none is named.
    What nobody could judge, such as a law that the builder is excused from, is skipped and says so. Failures are saved
    in the folder `out`; `options` are further ones of `pagestorm check`."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        ran = subprocess.run(
            [program(), "check", "--builder", spec(builder), "--cases", str(cases), "--seed", str(seed), "--out",
             str(out), "--json", str(report), *(["--law", law] if law else []), *options],
            capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": python_path()})
        found = json.loads(report.read_text())["failures"] if report.exists() else []
    if found:
        pytest.fail("\n\n".join(map(told, found)), pytrace=False)
    if ran.returncode == 4:
        pytest.skip(f"{law or 'all laws'}: " + ran.stdout.strip().split("\n")[-1])
    if ran.returncode != 0:
        pytest.fail(f"{shlex.join(ran.args)}\nexit code {ran.returncode}\n{ran.stdout}{ran.stderr}", pytrace=False)


def told(failure):
    """A failure of the report as `pagestorm check` prints it."""
    lines = [f"{failure['law']} is VIOLATED by {failure['builder']}", "", failure["explanation"].rstrip("\n")]
    if failure["flaky"]:
        lines.append("  flaky     the same scenario, played again, holds")
    lines.append(f"  saved     {failure['file']}" if failure["file"] else f"  not saved {failure['save_error']}")
    lines.append(f"  replay    {failure['replay']}")
    return "\n".join(lines)


def spec(builder):
    """What --builder takes for a function, or for what is a name or a command already."""
    return builder if isinstance(builder, str) else shlex.join([sys.executable, inspect.getsourcefile(builder)])


def program():
    """The path of the program."""
    path = os.environ.get("PAGESTORM_PROGRAM") or shutil.which("pagestorm")
    if path is None:
        pytest.fail("pagestorm is not on the PATH; install it, or set PAGESTORM_PROGRAM", pytrace=False)
    return path


def python_path():
    """PYTHONPATH with the folder of this file, in which the builder's process finds pagestorm.py."""
    here = str(pathlib.Path(__file__).resolve().parent)
    return os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")]))
