"""A graph as a tree of lines: what was opened above isn't opened again, so it ends however knotted the graph is."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from lineal_receiver.cli.asking.paper import Paper, clean

K = TypeVar("K", bound=Hashable)
SEE_ABOVE = "see above"


@dataclass(frozen=True, slots=True)
class Node:
    """One thing of a tree: what it is called, words behind that, and below it SQL that may be folded, or a fault."""

    name: str
    words: str = ""
    text: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Below(Generic[K]):
    """What hangs on a node, and by which kind of tie."""

    key: K
    tie: str = ""


def draw(root: K, look: Callable[[K], Node], below: Callable[[K], Sequence[Below[K]]], paper: Paper) -> Iterator[str]:
    """The tree's lines. Each node is opened once; where it comes again, `see above` stands behind it."""
    opened: set[K] = set()
    left: list[tuple[Below[K], str, str]] = [(Below(root), "", "")]
    while left:
        at, lead, indent = left.pop()
        node = look(at.key)
        under = [] if at.key in opened else list(below(at.key))
        again = at.key in opened and bool(below(at.key))
        words = [at.tie and paper.paint(at.tie, "cyan"), node.words and paper.paint(clean(node.words), "yellow")]
        words.append(paper.paint(SEE_ABOVE, "dim") if again else "")
        yield "  ".join([lead + paper.paint(clean(node.name), "bold"), *filter(None, words)])
        if at.key in opened:
            continue
        opened.add(at.key)
        edge = indent + (paper.signs.trunk if under else "   ")
        for line in say_fault(node.fault, paper, len(edge)):
            yield edge + line
        if node.text:
            for number, line in enumerate(paper.fold(node.text, len(edge) + 2)):
                yield edge + paper.paint(f"{' ' if number else '='} {line}", "dim")
        for number, child in reversed(list(enumerate(under))):
            last = number == len(under) - 1
            sign = paper.signs.last if last else paper.signs.branch
            left.append((child, indent + sign, indent + ("   " if last else paper.signs.trunk)))


def say_fault(message: str, paper: Paper, used: int) -> Iterator[str]:
    """What went wrong, in its own lines, for one may point into another; those that are too long are folded."""
    lines: list[str] = []
    for line in filter(str.strip, message.splitlines()):
        told = clean(line.expandtabs().rstrip())
        fits = paper.width is None or used + 2 + len(told) <= paper.width
        lines += [told] if fits else paper.fold(told, used + 2)
    for number, line in enumerate(lines):
        yield paper.paint(f"{' ' if number else '!'} {line}", "red")
