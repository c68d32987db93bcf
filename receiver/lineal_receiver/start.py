"""The console script `lineal`."""

import sys


def start() -> int:
    """Run `lineal`; Ctrl-C ends it in a word, while what it needs is still being loaded, too."""
    try:
        from lineal_receiver.cli import main
    except KeyboardInterrupt:
        sys.stderr.write("lineal: interrupted\n")
        return 130
    return main()
