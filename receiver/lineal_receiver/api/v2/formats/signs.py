"""Signs that neither XML nor a picture can hold."""

import re

_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def spell_signs(text: str) -> str:
    """The text with what XML can't hold written as Python writes it, like `\\u0001`."""
    return _UNWRITABLE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
