"""Prints "N passed, N failed" for a Meson test log; exits 1 when a test failed or none ran."""
import collections
import json
import pathlib
import sys

log = pathlib.Path(sys.argv[1])
results = collections.Counter(json.loads(line)["result"] for line in log.read_text().splitlines()) if log.exists() else {}
passed = results.get("OK", 0) + results.get("EXPECTEDFAIL", 0)
skipped = results.get("SKIP", 0)
failed = sum(results.values()) - passed - skipped
print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(1 if failed or not passed else 0)
