"""Rows as aligned columns for people, and as CSV for programs."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from lineal_receiver.cli.asking.paper import Paper, clean

GAP = "  "
LEAST_CELL = 10


def align(heads: Sequence[str], rows: Iterable[Sequence[object]], paper: Paper) -> Iterator[str]:
    """The rows below their heads. On a terminal too narrow for them the widest cells lose their beginnings."""
    cells = [["" if cell is None else clean(" ".join(str(cell).split())) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    if paper.width is not None:
        while sum(widths) + len(GAP) * (len(widths) - 1) > paper.width and max(widths) > LEAST_CELL:
            widths[widths.index(max(widths))] -= 1
    yield paper.paint(GAP.join(head.ljust(width) for head, width in zip(heads, widths, strict=True)).rstrip(), "dim")
    for row in cells:
        cut = [_cut(cell, width, paper.signs.cut) for cell, width in zip(row, widths, strict=True)]
        yield GAP.join(cell.ljust(width) for cell, width in zip(cut, widths, strict=True)).rstrip()


def write_csv(heads: Sequence[str], rows: Iterable[Sequence[object]], out: TextIO) -> None:
    """The rows as CSV with a line of heads."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(rows)


def _cut(cell: str, width: int, sign: str) -> str:
    return cell if len(cell) <= width else sign + cell[len(cell) - width + len(sign) :]
