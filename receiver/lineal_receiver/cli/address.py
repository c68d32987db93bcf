"""The address of a running receiver, as it is said on the command line."""

from urllib.parse import SplitResult, urlsplit

from lineal_receiver.errors import SettingInvalid


def split_url(url: str) -> SplitResult:
    """The parts of a receiver's address; SettingInvalid if it can't be one."""
    expected = "the address of a receiver, such as http://127.0.0.1:5000"
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError as error:
        raise SettingInvalid(name="--url", value=url, expected=expected) from error
    if not usable:
        raise SettingInvalid(name="--url", value=url, expected=expected)
    return parts
