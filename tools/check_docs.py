"""Reads names of Markdown files from standard input. Every relative link must lead somewhere, and every command that is
shown must exist: subcommands of build/pagestorm and of ./dev."""
import pathlib
import re
import subprocess
import sys

LINK = re.compile(r"\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)")
PROGRAM = re.compile(r"\bbuild/pagestorm[ \t]+([a-z][a-z-]*)")
DEV = re.compile(r"\./dev[ \t]+([a-z][a-z-]*)")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$", re.M)
FENCE = re.compile(r"^(```|~~~).*?^\1", re.M | re.S)


def offered(*command):
    """Words that start an indented line of a help text, or of a plain one: the subcommands."""
    text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return set(re.findall(r"^\s*(?:\./dev )?([a-z][a-z-]*)\b", text, re.M))


def anchors(path):
    """Headings as GitHub names them in links."""
    text = FENCE.sub("", path.read_text())
    names = (re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text))
    return set(names)


def link_breaches(path, text):
    prose = FENCE.sub(lambda block: "\n" * block[0].count("\n"), text)
    for match in LINK.finditer(prose):
        target = match[1]
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        line = prose.count("\n", 0, match.start()) + 1
        file, _, anchor = target.partition("#")
        there = path.parent / file if file else path
        if not there.exists():
            yield f"{path}:{line}: {target} leads nowhere"
        elif anchor and there.suffix == ".md" and anchor not in anchors(there):
            yield f"{path}:{line}: {target}: no such heading"


def command_breaches(path, text, pattern, what, known):
    for match in pattern.finditer(text):
        if match[1] not in known:
            yield f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {what} has no command {match[1]}"


def main():
    program, dev = offered("build/pagestorm", "--help"), offered("./dev", "help")
    files = [pathlib.Path(name) for name in sys.stdin.read().split()]
    found = []
    for path in files:
        text = path.read_text()
        found += link_breaches(path, text)
        found += command_breaches(path, text, PROGRAM, "build/pagestorm", program)
        found += command_breaches(path, text, DEV, "./dev", dev)
    print("\n".join(found) or f"docs: {len(files)} files in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
