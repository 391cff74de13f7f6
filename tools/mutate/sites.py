"""Where an expression can be mutated, and into what."""
from dataclasses import dataclass, field

from tokens import closes, opens

PRECEDENCE = {text: level for level, row in enumerate(
    ["* / %", "+ -", "<< >>", "<=>", "< <= > >=", "== !=", "&", "^", "|", "&&", "||"]) for text in row.split()}
ASSIGNED = 99  # looser than any operator
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<="}
SWAPS = {
    "+": ["-"], "-": ["+"], "*": ["/", "+"], "/": ["*"], "%": ["/", "*"], "<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"],
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
    "&&": ["||"], "||": ["&&"],
    "+=": ["-="], "-=": ["+="], "|=": ["&="], "&=": ["|="], "++": ["--"], "--": ["++"],
}
CALLS = {
    "+": "plus", "-": "minus", "*": "times", "/": "over", "%": "modulo", "<<": "left", ">>": "right", "&": "bit_and",
    "|": "bit_or", "<": "less", "<=": "at_most", ">": "greater", ">=": "at_least", "==": "equal", "!=": "differs",
    "&&": "both", "||": "either", "+=": "add_to", "-=": "take_from", "|=": "or_into", "&=": "and_into", "++": "increment",
    "--": "decrement",
}
# Steps away from a constant that is no literal; the largest int has no upper neighbour of its type.
NAMED = {"INT32_MAX": [-1], "absent_page": [1], "absent_slot": [1], "page_size_max": [1, -1]}
WORDS = {"return", "else", "case", "template", "const", "auto", "if", "for", "while"}


@dataclass
class Site:
    first: int  # tokens first to last are replaced
    last: int
    kind: str  # binary, lazy, assign, step, not, bound, constant, flag
    token: int  # what the report shows as replaced
    into: list  # texts, one a mutant
    shifts: list = field(default_factory=list)  # of a constant
    number: int = 0  # of the first of its mutants


def is_operand_end(token):
    return token.kind in ("name", "number", "string") and token.text not in WORDS or closes(token)


def reach_left(tokens, pairs, operator, level):
    """The first token of the operand that ends before `operator`; operators that bind no looser belong to it."""
    i = operator
    while i > 0:
        here, before = tokens[i], tokens[i - 1]
        if i < operator and is_operand_end(before) and starts_anew(here, before):
            break
        if closes(before):
            i = pairs[i - 1]
        elif before.text == "template" and tokens[i - 2].text == ".":
            i -= 2
        elif opens(before) or before.text in (";", ",", "?", ":") or before.text in ASSIGNMENTS or before.text in WORDS:
            break
        elif before.spaced and PRECEDENCE.get(before.text, -1) > level:
            break
        else:
            i -= 1
    return i


def starts_anew(here, before):
    """Whether `here` cannot go on with the operand that ends in `before`: a condition in brackets, or a block, ended."""
    if here.spaced and here.text in PRECEDENCE or here.text in (".", "->", "::", "["):
        return False
    if here.text in ("(", "{") or here.angle:
        return not (before.kind == "name" or before.angle or before.text == "]")
    return not (here.kind == "directive" or before.text == "template")


def reach_right(tokens, pairs, start, level):
    """The last token of the operand that begins at `start`; operators that bind tighter than `level` belong to it."""
    ends = {";", ","} | ASSIGNMENTS | ({"?", ":"} if level < ASSIGNED else set())
    i = start
    while True:
        token = tokens[i]
        if closes(token) or token.text in ends:
            return i - 1
        if i > start and token.spaced and token.text in PRECEDENCE and PRECEDENCE[token.text] >= level:
            return i - 1
        if token.text == "{" and not (tokens[i - 1].kind == "name"):
            return i - 1
        i = pairs[i] + 1 if opens(token) else i + 1


def literal(text):
    """Value and suffix of an integer literal; None for anything else."""
    digits = text.rstrip("uUlL")
    try:
        return int(digits.replace("'", ""), 0), text[len(digits):]
    except ValueError:
        return None


def constant_site(tokens, i):
    token = tokens[i]
    if token.text in ("true", "false"):
        return Site(i, i, "flag", i, ["false" if token.text == "true" else "true"])
    if token.kind == "number" and literal(token.text):
        value, suffix = literal(token.text)
        negative = tokens[i - 1].text == "-" and not tokens[i - 1].spaced
        first = i - 1 if negative else i
        into = [f"{value - 1}{suffix}", f"{value + 1}{suffix}"] if not negative else [str(1 - value), str(-value - 1)]
        site = Site(first, i, "constant", i, into, [-1, 1] if not negative else [1, -1])
    elif token.text in NAMED and tokens[i - 1].text != "::":
        shifts = NAMED[token.text]
        site = Site(i, i, "constant", i, [f"({token.text} {'+' if s > 0 else '-'} 1)" for s in shifts], list(shifts))
    else:
        return None
    # `std::uint32_t{1}` is one constant: what is in its braces may not be a run-time int.
    if tokens[site.first - 1].text == "{" and tokens[i + 1].text == "}" and tokens[site.first - 2].kind == "name" \
            and not tokens[site.first - 1].before:
        site.first, site.last = site.first - 2, i + 1
        while tokens[site.first - 1].text == "::":
            site.first -= 2
    return site


def site_at(tokens, pairs, i):
    """What can be mutated at a token."""
    token = tokens[i]
    text = token.text
    if text in PRECEDENCE and text in SWAPS and token.spaced and not token.angle:
        level = PRECEDENCE[text]
        kind = "lazy" if text in ("&&", "||") else "binary"
        return Site(reach_left(tokens, pairs, i, level), reach_right(tokens, pairs, i + 1, level), kind, i, SWAPS[text])
    if text in ("+=", "-=", "|=", "&="):
        return Site(reach_left(tokens, pairs, i, -1), reach_right(tokens, pairs, i + 1, ASSIGNED), "assign", i, SWAPS[text])
    if text in ("++", "--") and not is_operand_end(tokens[i - 1]) or text in ("++", "--") and tokens[i - 1].text == ")":
        return Site(i, reach_right(tokens, pairs, i + 1, -1), "step", i, SWAPS[text])
    if text == "!":
        return Site(i, reach_right(tokens, pairs, i + 1, -1), "not", i, [""])
    if text in ("min", "max") and [t.text for t in tokens[i - 2:i]] == ["std", "::"]:
        call = pairs[i + 1] + 1 if tokens[i + 1].angle else i + 1
        return Site(i - 2, pairs[call], "bound", i, ["max" if text == "min" else "min"])
    return constant_site(tokens, i)


def sites_of(tokens, pairs):
    """All sites, an outer one before those in it, numbered from 1 by their mutants."""
    sites = [site for i, token in enumerate(tokens) if not token.fixed and (site := site_at(tokens, pairs, i))]
    return sorted(sites, key=lambda site: (site.first, -site.last, site.token))
