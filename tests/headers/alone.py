"""alone.py FOLDER HEADER=FILE...: writes source files that include one header each, twice and nothing else."""
import pathlib
import sys

for pair in sys.argv[2:]:
    header, file = pair.split("=")
    (pathlib.Path(sys.argv[1]) / file).write_text(f'#include "{header}"\n#include "{header}"\n')
