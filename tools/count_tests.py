"""Prints "N passed, N failed" for a Meson test log; exits 1 when a test failed or none ran.

Cases that GoogleTest skipped inside a test that passed are named before, with their reasons, and counted.
"""
import collections
import json
import pathlib
import re
import sys

log = pathlib.Path(sys.argv[1])
tests = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
results = collections.Counter(test["result"] for test in tests)
reasons = []
for test in tests:
    reasons += re.findall(r": Skipped\n(.+)\n", test.get("stdout", ""))
for reason in reasons:
    print(f"skipped: {reason}")
passed = results.get("OK", 0) + results.get("EXPECTEDFAIL", 0)
skipped = results.get("SKIP", 0) + len(reasons)
failed = sum(results.values()) - passed - results.get("SKIP", 0)
print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(1 if failed or not passed else 0)
