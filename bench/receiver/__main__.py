"""Measure the receiver, each figure beside its ceiling: `python bench/receiver [ingest|edges|jobs|odd|shop|large] …`.

ingest: events a second over HTTP beside single-row inserts of the same body; CPU of server and PostgreSQL together.
edges: walks from 10^4 to 10^6 column edges (`--sizes 10000 10000000` for more). jobs: lists to 10^5 jobs, 10^6 runs.
odd: 2,000 models in 10 layers, diamonds, a hub. shop: reads of lineage after a real `dbt build`.
large: memory for events of 20 MB. Without a name: all of it.
"""

import argparse

import ingest
import large
import reads
import shop

EDGES, JOBS = [10_000, 100_000, 1_000_000], [1_000, 100_000]


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(
        prog="bench/receiver", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="?", choices=["ingest", "edges", "jobs", "odd", "shop", "large", "reads"])
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement of ingest")
    parser.add_argument("--clients", type=int, nargs="+", default=[32])
    parser.add_argument("--only", default="", help="kinds of traffic whose name holds this")
    parser.add_argument("--sizes", type=int, nargs="+", help="edges or jobs")
    parser.add_argument("--requests", type=int, default=100, help="of each read")
    parser.add_argument("--bytes", type=int, default=20_000_000, help="of a large event")
    parser.add_argument("--at-once", type=int, default=2, help="large events at once")
    given = parser.parse_args()
    if given.what in (None, "ingest"):
        ingest.main(given.clients, given.seconds, given.only)
    if given.what in (None, "reads", "edges"):
        reads.main("edges", given.sizes or EDGES, given.requests)
    if given.what in (None, "reads", "jobs"):
        reads.main("jobs", given.sizes or JOBS, given.requests)
    if given.what in (None, "reads", "odd"):
        reads.main("odd", [], given.requests)
    if given.what in (None, "reads", "shop"):
        shop.main(given.requests)
    if given.what in (None, "large"):
        large.main(given.bytes, given.at_once)


if __name__ == "__main__":
    main()
