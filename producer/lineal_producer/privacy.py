"""What LINEAL_SQL lets out of texts that can hold personal data: SQL, expressions, messages."""

import hashlib


def hidden(text: str | None, mode: str) -> str | None:
    """The text itself (`full`), its sha256 (`hash`) or nothing (`none`)."""
    if text is None or mode == "full":
        return text
    if mode == "hash":
        return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return None
