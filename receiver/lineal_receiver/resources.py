"""Where the data files that travel with the package are: inside it when installed, else at the checkout's top."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
PLACES = {"shop": ("examples/shop",)}


def find_data(name: str) -> Path:
    """The folder of data called `name`; FileNotFoundError names both places that were looked at."""
    installed = _PACKAGE / "_data" / name
    checkout = [_PACKAGE.parents[1] / place for place in PLACES.get(name, (name,))]
    for candidate in (installed, *checkout):
        if candidate.is_dir():
            return candidate
    places = " or ".join(str(path) for path in (installed, *checkout))
    raise FileNotFoundError(f"{name}: not at {places}; reinstall lineal")
