"""Tokens of C++ as clang-format lays it out, and what brackets, angles and constant expressions span."""
import re
from dataclasses import dataclass

PATTERN = re.compile(r"""
    (?P<space>(?:\s+|//[^\n]*|/\*.*?\*/)+)
  | (?P<directive>\#[^\n]*)
  | (?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<number>\.?\d(?:[\w.']|(?<=[eE])[+-])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<mark><<=|<=>|\.\.\.|::|->|\+\+|--|<<|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^!~<>=?:;,.(){}\[\]])
""", re.X | re.S)

OPEN, CLOSE = "([{", ")]}"


@dataclass
class Token:
    kind: str
    text: str
    before: str  # white space and comments that stand before it
    line: int
    fixed: bool = False  # part of what a compiler must know
    angle: bool = False  # a bracket of template arguments
    spaced: bool = False  # white space on both sides


def tokenize(text):
    tokens, at, before, line = [], 0, "", 1
    while at < len(text):
        found = PATTERN.match(text, at)
        if not found:
            raise ValueError(f"line {line}: what is {text[at:at + 20]!r}?")
        piece = found[0]
        if found.lastgroup == "space":
            before += piece
        else:
            tokens.append(Token(found.lastgroup, piece, before, line))
            before = ""
        line += piece.count("\n")
        at = found.end()
    tokens = join_shifts(tokens)
    for this, after in zip(tokens, tokens[1:]):
        this.spaced = bool(this.before) and bool(after.before)
    return tokens, before


def join_shifts(tokens):
    """`>` `>` is a shift where it stands by itself, and the end of two argument lists elsewhere."""
    joined = []
    for token in tokens:
        last = joined[-1] if joined else None
        if last and token.text == ">" and last.text == ">" and last.before and not token.before:
            last.text = ">>"
        else:
            joined.append(token)
    return joined


def mark_angles(tokens):
    """`<` opens template arguments where no space stands before it, or after the word template."""
    for i, token in enumerate(tokens):
        if token.text != "<" or token.angle or i == 0:
            continue
        if tokens[i - 1].text == "template" or (not token.before and tokens[i - 1].kind == "name"):
            end = matching_angle(tokens, i)
            token.angle = tokens[end].angle = True


def matching_angle(tokens, start):
    depth, brackets = 0, 0
    for i in range(start, len(tokens)):
        text = tokens[i].text
        brackets += (text in OPEN) - (text in CLOSE)
        if brackets == 0 and text == "<":
            depth += 1
        if brackets == 0 and text == ">":
            depth -= 1
            if depth == 0:
                return i
    raise ValueError(f"line {tokens[start].line}: a '<' without its '>'")


def opens(token):
    return token.text in OPEN or (token.angle and token.text == "<")


def closes(token):
    return token.text in CLOSE or (token.angle and token.text == ">")


def partners(tokens):
    """For each bracket, the index of the other one."""
    stack, pairs = [], {}
    for i, token in enumerate(tokens):
        if opens(token):
            stack.append(i)
        elif closes(token):
            pairs[i] = stack.pop()
            pairs[pairs[i]] = i
    return pairs


def end_of_statement(tokens, pairs, start):
    """The `;` that ends a declaration, or the `}` that ends the body of a function."""
    i = start
    while tokens[i].text != ";":
        if tokens[i].text == "{" and tokens[i - 1].text in (")", "const"):
            return pairs[i]
        i = pairs[i] + 1 if opens(tokens[i]) else i + 1
    return i


def mark_fixed(tokens, pairs):
    """Constant expressions, template arguments, bounds of arrays, labels and names of operators stay as they are."""
    def fix(first, last):
        for token in tokens[first:last + 1]:
            token.fixed = True

    for i, token in enumerate(tokens):
        text = token.text
        if token.kind == "directive":
            fix(i, i)
        elif text == "constexpr" and tokens[i - 1].text == "if":
            fix(i, pairs[i + 1])
        elif text in ("constexpr", "static_assert", "using"):
            fix(i, end_of_statement(tokens, pairs, i))
        elif text in ("enum", "alignas", "sizeof"):
            first = next(j for j in range(i, len(tokens)) if tokens[j].text in ("(", "{"))
            fix(i, pairs[first])
        elif text == "case":
            fix(i, next(j for j in range(i, len(tokens)) if tokens[j].text == ":"))
        elif text == "operator":
            fix(i, next(j for j in range(i, len(tokens)) if tokens[j].text == "("))
        elif token.angle and text == "<":
            fix(i, pairs[i])
        elif text == "[" and declares(tokens, i):
            fix(i, pairs[i])


def declares(tokens, bracket):
    """Whether `name[` stands behind a type."""
    name, before = tokens[bracket - 1], tokens[bracket - 2]
    return name.kind == "name" and before.text != "return" and (before.kind == "name" or before.angle)
