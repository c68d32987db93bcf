"""Regular expressions over names in linear time: a pattern of someone else's SQL must not hang the process.

Python's own matcher tries again from every choice; this one never visits a place of the pattern at a place of the name
twice. What it can't read (look-around, back references, named classes) is no pattern at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

# Steps that a pattern may come to, with its counted repeats written out.
MAX_STEPS = 800
MAX_TEXT = 1_000
QUANTIFIER = re.compile(r"([*+?]|\{(\d{1,4})(,(\d{0,4}))?\})(\?)?")
GROUP = re.compile(r"\((\?:|\?P?<[A-Za-z_]\w*>|(?!\?))")
CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\[])*\]", re.DOTALL)
MANY = re.compile("%+")
FLAGS = re.compile(r"\(\?([is]+)\)")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a pattern: a character to take, a condition on the place, a place to remember, or a choice."""

    takes: Callable[[str], bool] | None = None
    holds: Callable[[str, int], bool] | None = None
    saves: int | None = None
    # How far to go on from here, the preferred way first.
    ways: tuple[int, ...] = ()


Steps = list[Step]
PLACES: dict[str, Callable[[str, int], bool]] = {
    "^": lambda _name, at: at == 0,
    "$": lambda name, at: at == len(name),
    "A": lambda _name, at: at == 0,
    "z": lambda name, at: at == len(name),
    "Z": lambda name, at: at == len(name),
    "b": lambda name, at: is_edge(name, at),
    "B": lambda name, at: not is_edge(name, at),
}


def is_edge(name: str, at: int) -> bool:
    """Whether a word begins or ends at a place."""
    before, after = name[max(at - 1, 0) : at], name[at : at + 1]
    return (before.isalnum() or before == "_") != (after.isalnum() or after == "_")


@dataclass(slots=True)
class Pattern:
    """A compiled pattern."""

    steps: Steps

    def search(self, name: str) -> dict[int, int] | None:
        """The places of the first match's groups (2n where group n begins, 2n + 1 where it ends), None without one."""
        seen: set[tuple[int, int]] = set()
        found = (self.match(name, start, seen) for start in range(len(name) + 1))
        return next((groups for groups in found if groups is not None), None)

    def match(self, name: str, start: int, seen: set[tuple[int, int]]) -> dict[int, int] | None:
        """The match that begins at a place, tried in the order in which the pattern prefers."""
        stack: list[tuple[int, int, dict[int, int]]] = [(0, start, {0: start})]
        while stack:
            number, at, groups = stack.pop()
            if number == len(self.steps):
                return {**groups, 1: at}
            if (number, at) in seen:
                continue
            seen.add((number, at))
            step = self.steps[number]
            if step.ways:
                stack += [(number + way, at, groups) for way in reversed(step.ways)]
            elif step.takes is not None:
                if at < len(name) and step.takes(name[at]):
                    stack.append((number + 1, at + 1, groups))
            elif step.holds is None or step.holds(name, at):
                saved = groups if step.saves is None else {**groups, step.saves: at}
                stack.append((number + 1, at, saved))
        return None

    def groups(self, name: str) -> list[str] | None:
        """What the whole first match and each of its groups took, None without a match."""
        found = self.search(name)
        if found is None:
            return None
        count = max((step.saves or 1 for step in self.steps), default=1) // 2 + 1
        return [name[found.get(2 * n, 0) : found.get(2 * n + 1, 0)] for n in range(count)]


def compile_regex(text: str) -> Pattern | None:
    """A pattern ready to search with, None for one that can't be read or is too long."""
    try:
        return Pattern(Reader(text).read()) if len(text) <= MAX_TEXT else None
    except (ValueError, re.error):
        return None


def compile_like(text: str, ignore_case: bool, escape: str = "") -> Pattern:
    """LIKE's pattern for a whole name; one that only a name of some hundred characters could match, matches none."""
    steps = [Step(holds=PLACES["^"])]
    escaped = False
    for char in text if escape else MANY.sub("%", text):
        if char == escape and not escaped:
            escaped = True
            continue
        wild = char in "%_" and not escaped
        escaped = False
        one = [Step(takes=lambda _: True)] if wild else [literal(char, ignore_case)]
        steps += repeated(one, 0, None, lazy=False) if wild and char == "%" else one
    steps.append(Step(holds=PLACES["$"]))
    return Pattern(steps if len(steps) <= MAX_STEPS else [Step(holds=lambda _name, _at: False)])


def literal(char: str, ignore_case: bool) -> Step:
    """A step that takes one character."""
    low = char.lower()
    return Step(takes=lambda other: other == char or (ignore_case and other.lower() == low))


def repeated(one: Steps, least: int, most: int | None, lazy: bool) -> Steps:
    """Some steps as often as a quantifier says."""
    if len(one) * max(least, most or 0, 1) > MAX_STEPS:
        raise ValueError("too many repeats")
    on, past = 1, len(one) + (2 if most is None else 1)
    choice = Step(ways=(past, on) if lazy else (on, past))
    if most is None:
        return one * least + [choice, *one, Step(ways=(-len(one) - 1,))]
    return one * least + [choice, *one] * (most - least)


class Reader:
    """Reads a pattern from left to right."""

    def __init__(self, text: str) -> None:
        flags = FLAGS.match(text)
        self.text = text[flags.end() :] if flags else text
        self.ignore_case = flags is not None and "i" in flags[1]
        self.newlines = flags is not None and "s" in flags[1]
        self.at = 0
        self.captured = 0

    def read(self) -> Steps:
        """The steps of the whole pattern."""
        steps = self.choice()
        if self.at < len(self.text) or len(steps) > MAX_STEPS:
            raise ValueError("not a pattern")
        return steps

    def choice(self) -> Steps:
        """What is between `|`s."""
        first = self.sequence()
        if not self.takes("|"):
            return first
        rest = self.choice()
        return [Step(ways=(1, len(first) + 2)), *first, Step(ways=(len(rest) + 1,)), *rest]

    def sequence(self) -> Steps:
        """Pieces one after another, each with its quantifier."""
        steps: Steps = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            one = self.piece()
            found = QUANTIFIER.match(self.text, self.at)
            if found is not None:
                self.at = found.end()
                one = repeated(one, *bounds(found), lazy=bool(found[5]))
            steps += one
            if len(steps) > MAX_STEPS:
                raise ValueError("too long")
        return steps

    def takes(self, char: str) -> bool:
        """Whether a character comes next, which is then read."""
        here = self.text.startswith(char, self.at)
        self.at += here
        return here

    def piece(self) -> Steps:
        """A group, a class, an escape or a character."""
        char = self.text[self.at]
        if char == "(":
            return self.group()
        if char == "[":
            found = CLASS.match(self.text, self.at)
            if found is None:
                raise ValueError("a class that is not read")
            self.at = found.end()
            return [self.one_of(found[0])]
        if char in "*+?":
            raise ValueError("nothing to repeat")
        self.at += 1
        if char == "\\":
            return [self.escape()]
        if char in "^$":
            return [Step(holds=PLACES[char])]
        if char == ".":
            return [Step(takes=lambda other: self.newlines or other != "\n")]
        return [literal(char, self.ignore_case)]

    def escape(self) -> Step:
        """What is behind a backslash."""
        char = self.text[self.at : self.at + 1]
        self.at += 1
        if char in PLACES:
            return Step(holds=PLACES[char]) if char.isalpha() else literal(char, False)
        if char and char in "dDsSwWtnr":
            return self.one_of("\\" + char)
        if not char or char.isalnum():
            raise ValueError("an escape that is not read")
        return literal(char, False)

    def one_of(self, text: str) -> Step:
        """A class of characters, which Python reads as it is."""
        compiled = re.compile(text, re.IGNORECASE if self.ignore_case else 0)
        return Step(takes=lambda other: compiled.match(other) is not None)

    def group(self) -> Steps:
        """What is in parentheses."""
        found = GROUP.match(self.text, self.at)
        if found is None:
            raise ValueError("a group that is not read")
        self.at = found.end()
        number = 0
        if found[1] != "?:":
            self.captured += 1
            number = self.captured
        steps = self.choice()
        if not self.takes(")"):
            raise ValueError("a group without end")
        return [Step(saves=2 * number), *steps, Step(saves=2 * number + 1)] if number else steps


def bounds(found: re.Match[str]) -> tuple[int, int | None]:
    """How often a quantifier lets its piece come."""
    if found[1][0] != "{":
        return (1 if found[1] == "+" else 0), (1 if found[1] == "?" else None)
    least = int(found[2])
    if not found[3]:
        return least, least
    most = int(found[4]) if found[4] else None
    if most is not None and most < least:
        raise ValueError("a repeat that ends before it begins")
    return least, most
