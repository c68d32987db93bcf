"""What may leave of texts that can hold personal data or secrets: SQL, expressions, messages."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from typing import Final

from lineal_producer.settings import secrets_of_dbt

MASK: Final = "***"
_SHORTEST: Final = 4  # characters: what is shorter stands in every text and is no secret
_HINTS: Final = (
    *("passw", "passphrase", "pwd", "secret", "token", "sig", "accesskey", "access_key", "apikey", "api_key"),
    *("account_key", "accountkey", "private", "shared", "://", "identified", "akia", "asia"),
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "dapi"),
)
_WORDS: Final = (
    r"(?:pass(?:word|wd|phrase)?|pwd|secret|token|signature|sig|(?:api|access|account|private|secret|shared)_?key)"
)
_TEXT: Final = r"(?P<quote>['\"])(?P<secret>(?:(?!(?P=quote)).)+)(?=(?P=quote))"
# No rule looks at the same characters again and again: of a text of a megabyte each takes a part of a second.
_RULES: Final = (
    # The password of a URL.
    r"://[^\s/:@'\"]*:(?P<secret>[^\s/@'\"]+)(?=@)",
    # A setting of a connection: with others beside it, or in a URL's query. `where password = x` is none.
    rf"[?&;]\s*(?:\w+_)?{_WORDS}=(?P<secret>[^\s&;'\"]+)",
    rf"\b\w{{1,64}}=[^\s;'\"]{{0,128}}\s{{1,16}}(?:\w{{1,64}}_)?{_WORDS}=(?P<secret>[^\s;'\"=]+)(?!\.)",
    rf"(?<=['\"])(?:\w+_)?{_WORDS}=(?P<secret>[^\s;'\"=]+)(?=[\s;]\w+=)",
    # CREATE SECRET (..., SECRET '...'), PASSWORD '...', secret => '...', AWS_SECRET_KEY='...', IDENTIFIED BY '...'.
    rf"(?<![\w'\"`])(?:\w+_)?{_WORDS}\s*(?:=>\s*)?{_TEXT}",
    rf"(?<![\w'\"`.])(?:\w+_)?(?:password|passwd|pwd|sas_token|(?:api|access|private|secret)_?key)\s*=\s*{_TEXT}",
    rf"\bidentified\s+by\s+{_TEXT}",
    # Tokens that are known by their looks.
    r"\b(?P<secret>(?:AKIA|ASIA)[0-9A-Z]{16}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|dapi[0-9a-f]{32})\b",
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?P<secret>.+?)(?=-----END|\Z)",
)


@cache
def _rules() -> tuple[re.Pattern[str], ...]:
    """Compiled where they are needed: in dbt's process they seldom are."""
    return tuple(re.compile(rule, re.IGNORECASE | re.DOTALL) for rule in _RULES)


def hidden(text: str | None, mode: str) -> str | None:
    """The text without secrets (`full`), its sha256 (`hash`) or nothing (`none`)."""
    if text is None:
        return None
    if mode == "full":
        return without_secrets(text)
    if mode == "hash":
        return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return None


def without_secrets(text: str) -> str:
    """The text without the values of dbt's secret variables, and without what looks like a password or a key.

    >>> without_secrets("Unable to connect to postgres://ana:s3cr3t@db:5432/shop")
    'Unable to connect to postgres://ana:***@db:5432/shop'
    """
    for secret in secrets_of_dbt():
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, MASK)
    small = text.lower()
    if not any(hint in small for hint in _HINTS):
        return text
    spans = sorted({found.span("secret") for rule in _rules() for found in rule.finditer(text)})
    parts: list[str] = []
    at = 0
    for start, end in spans:
        if start >= at:
            parts += (text[at:start], MASK)
            at = end
    return "".join((*parts, text[at:]))
