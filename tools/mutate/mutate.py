"""Copies headers with every mutant of their expressions in them, one of which a number at run time switches on.

mutate.py OUT ARGUMENTS HEADER...: writes OUT/HEADER and the table OUT/table.inc. The copies live in namespace
pagestorm::mutated. ARGUMENTS says which mutants cannot be told from the original, and why (see arguments.py).
"""
import collections
import json
import pathlib
import sys
from dataclasses import dataclass

import arguments
from sites import CALLS, sites_of
from tokens import mark_angles, mark_fixed, partners, tokenize


@dataclass
class Mutant:
    file: str
    line: int
    function: str
    original: str  # the line of the source
    mutated: str


class Header:
    """One header: its tokens, its sites, and what is written in their place."""

    def __init__(self, path, first):
        self.path = path
        self.lines = path.read_text().splitlines()
        self.tokens, self.tail = tokenize(path.read_text())
        mark_angles(self.tokens)
        self.pairs = partners(self.tokens)
        mark_fixed(self.tokens, self.pairs)
        self.sites = sites_of(self.tokens, self.pairs)
        self.functions = functions_of(self.tokens, self.pairs)
        self.mutants = []
        for site in self.sites:
            site.number = first + len(self.mutants)
            self.mutants += [self.mutant(site, text) for text in site.into]

    def mutant(self, site, text):
        first = site.token - 1 if site.kind == "constant" and self.tokens[site.token - 1].text == "-" else site.token
        token = self.tokens[site.token]
        begin = self.column(first if self.tokens[first].text == "-" and not self.tokens[first].spaced else site.token)
        end = self.column(site.token) + len(token.text)
        line = self.lines[token.line - 1]
        return Mutant(self.path.name, token.line, self.functions[site.token], line.strip(),
                      (line[:begin] + text + line[end:]).strip())

    def column(self, index):
        """Where a token begins in its line."""
        line, column = self.tokens[index].line, 0
        while index > 0 and "\n" not in self.tokens[index].before:
            column += len(self.tokens[index].before) + len(self.tokens[index - 1].text)
            index -= 1
        assert self.tokens[index].line == line
        return column + len(self.tokens[index].before.rpartition("\n")[2])

    def text(self):
        shown = self.render(0, len(self.tokens) - 1, 0)[0] + self.tail
        return shown.replace("#pragma once", '#pragma once\n#include "mutant/switch.hpp"', 1).replace(
            "namespace pagestorm::core {", "namespace pagestorm::mutated {", 1)

    def render(self, first, last, site):
        """Tokens first to last, their sites from number `site` on replaced; also the number of the next site."""
        out, i = "", first
        while i <= last:
            if site < len(self.sites) and self.sites[site].first == i and self.sites[site].last <= last:
                here = self.sites[site]
                shown, site = self.replaced(here, site + 1)
                out += self.tokens[i].before + shown
                i = here.last + 1
            else:
                out += self.tokens[i].before + self.tokens[i].text
                i += 1
        return out, site

    def replaced(self, here, inner):
        """What stands for a site. Sites within it come next in order."""
        part = lambda first, last, inner: self.render(first, last, inner)
        name = f"mutant::{CALLS.get(self.tokens[here.token].text, '')}"
        if here.kind in ("binary", "lazy", "assign"):
            left, inner = part(here.first, here.token - 1, inner)
            right, inner = part(here.token + 1, here.last, inner)
            right = f"[&] {{ return static_cast<bool>({right.strip()}); }}" if here.kind == "lazy" else right.strip()
            return f"{name}({here.number}, {left.strip()}, {right})", inner
        if here.kind in ("step", "not"):
            operand, inner = part(here.token + 1, here.last, inner)
            return f"{name if here.kind == 'step' else 'mutant::negation'}({here.number}, {operand.strip()})", inner
        if here.kind == "bound":
            call, inner = part(self.pairs[here.last] + 1, here.last, inner)  # without what names the type
            given = self.tokens[here.token + 1: self.pairs[here.last]]
            kind = "".join(t.before + t.text for t in given)[1:-1]
            smaller = "true" if self.tokens[here.token].text == "min" else "false"
            return f"mutant::bound<{smaller}{', ' if kind else ''}{kind}>({here.number}, {call}", inner
        constant = "".join(t.before + t.text for t in self.tokens[here.first:here.last + 1]).strip()
        shifts = "".join(f", {shift}" for shift in here.shifts)
        return (f"mutant::constant({here.number}, {constant}{shifts})" if here.shifts
                else f"mutant::flag({here.number}, {constant})"), inner


def functions_of(tokens, pairs):
    """For each token the function around it, or the struct."""
    names, spans = ["" for _ in tokens], []
    for i, token in enumerate(tokens):
        spans = [(end, name, inner) for end, name, inner in spans if i <= end]
        names[i] = spans[-1][1] if spans else ""
        if token.text != "{" or is_default(tokens, i) or any(inner for _, _, inner in spans):
            continue
        start = i
        while start > 0 and not ends_head(tokens, pairs, start - 1):
            start = pairs[start - 1] if tokens[start - 1].angle else start - 1
        head = tokens[start:i]
        call = next((k for k, t in enumerate(head) if t.text == "(" and head[k - 1].kind == "name"), None)
        scope = next((head[k + 1].text for k, t in enumerate(head) if t.text in ("struct", "enum", "namespace")), None)
        if any(t.text == "operator" for t in head):
            spans.append((pairs[i], "operator", True))
        elif scope is not None:
            spans.append((pairs[i], scope, False))
        elif call is not None:
            spans.append((pairs[i], head[call - 1].text, True))
    return names


def is_default(tokens, bracket):
    """Whether a bracket begins what a parameter is when it is left out."""
    return tokens[bracket].text == "{" and tokens[bracket - 1].text == "="


def ends_head(tokens, pairs, i):
    """Whether what stands before the head of a function, or of a struct, ends here."""
    if tokens[i].text == "{":
        return not is_default(tokens, i)
    if tokens[i].text == "}":
        return not is_default(tokens, pairs[i])
    return tokens[i].text == ";" or tokens[i].kind == "directive"


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def main():
    out, argued, *headers = sys.argv[1:]
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    mutants = []
    for name in headers:
        header = Header(pathlib.Path(name), len(mutants) + 1)
        mutants += header.mutants
        (out / header.path.name).write_text(header.text())
    known = arguments.read(pathlib.Path(argued))
    used, seen, rows = set(), collections.Counter(), []
    for mutant in mutants:
        key = (mutant.file, mutant.function, mutant.mutated)
        seen[key] += 1
        if seen[key] > 1:  # the same line again in the same function
            mutant.mutated += f" (#{seen[key]})"
            key = (mutant.file, mutant.function, mutant.mutated)
        used |= {key} & known.keys()
        rows.append(f"    {{{quoted(mutant.file)}, {mutant.line}, {quoted(mutant.function)}, {quoted(mutant.original)}, "
                    f"{quoted(mutant.mutated)}, {quoted(known.get(key, ''))}}},\n")
    stray = [f"    {quoted(f'{file} {function}: {text}')},\n" for file, function, text in known if (file, function, text) not in used]
    (out / "table.inc").write_text("// Written by tools/mutate.\n"
                                   f"constexpr std::array<Mutant, {len(rows)}> table = {{{{\n{''.join(rows)}}}}};\n"
                                   f"constexpr std::array<std::string_view, {len(stray)}> stray = {{\n{''.join(stray)}}};\n")


if __name__ == "__main__":
    main()
