"""How often Python looks for objects that only refer to each other."""

import gc

THRESHOLDS = (20_000, 20, 50)


def collect_less_often() -> None:
    """Look for cycles after 20,000 new objects rather than 700, and rarely among old ones.

    One answer or batch makes tens of thousands of objects that go with it; looking through them cost up to half of the
    time of a large graph.
    """
    gc.set_threshold(*THRESHOLDS)
