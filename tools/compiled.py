"""Passes on those files of standard input that a compilation database knows."""
import json
import pathlib
import sys

database = json.loads(pathlib.Path(sys.argv[1]).read_text())
known = {(pathlib.Path(entry["directory"]) / entry["file"]).resolve() for entry in database}
for line in sys.stdin.read().split():
    if pathlib.Path(line).resolve() in known:
        print(line)
