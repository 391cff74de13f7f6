"""Arguments why a mutant does what the original does.

    file function
      the mutated line
      another one
      : why no result can differ, for all lines since the last argument

A mutant is named by its line, so that an argument stays when lines move, and falls when what it speaks of changes.
"""


def read(path):
    """(file, function, mutated line) to argument."""
    known, open_keys, place = {}, [], None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith("  "):
            place = line.split()
            if len(place) != 2 or open_keys:
                raise SystemExit(f"{path}:{number}: expected 'file function', after an argument")
        elif line.strip().startswith(": "):
            if not open_keys:
                raise SystemExit(f"{path}:{number}: an argument for no mutant")
            known |= {key: line.strip()[2:] for key in open_keys}
            open_keys = []
        else:
            open_keys.append((*place, line.strip()))
    if open_keys:
        raise SystemExit(f"{path}: the last mutants have no argument")
    return known
