"""Take secrets out of a body before anything else is done with it: passwords in URLs and JDBC strings, tokens.

Always the same result for the same body, and none of a body that was scrubbed already: an event says the same whatever
its sender's password is this month. Names of users stay; what is taken out is written `***`.
"""

import re
from collections.abc import Iterator

SCRUBBED = 1 << 14
MASK = b"***"

# Patterns begin with plain text, which is searched for fast, and none looks at the same bytes over and over.
# Of a text in JSON: quotes, blanks, their escapes and slashes end a user and a password, ? and # as well.
_USER = rb"(?:[^\s\"'\\<>`/:@?#]|\\u[0-9a-fA-F]{4})*"
_SECRET = rb"(?:[^\s\"'\\<>`/?#]|\\u[0-9a-fA-F]{4})+"
_TOKEN = rb"(?:gh[pousr]_|github_pat_|glpat-|dapi|xox[abp]-)[\w-]+"
# user:password@ after the slashes of a URL, up to the last @ before the next slash; or a token in the place of a user.
_USERINFO = (
    (b"://", re.compile(rb"://(?:" + _USER + rb":(?P<a>" + _SECRET + rb")|(?P<b>" + _TOKEN + rb"))(?=@)")),
    (b":\\/\\/", re.compile(rb":\\/\\/(?:" + _USER + rb":(?P<a>" + _SECRET + rb")|(?P<b>" + _TOKEN + rb"))(?=@)")),
)
# user/password@ in Oracle's JDBC strings.
_ORACLE = re.compile(rb"jdbc:oracle:\w{1,20}:[^\s\"'\\/@]{1,200}\\?/(?P<a>[^\s\"'@]{1,200})(?=@)", re.IGNORECASE)
# ?token=… &password=… ;pwd=…: a parameter of a URL, or a property of a JDBC string.
_LAST_WORDS = (
    *(b"password=", b"passwd=", b"passphrase=", b"pwd=", b"secret=", b"token=", b"signature=", b"sig=", b"key="),
    *(b"credential=",),
)
_SEPARATORS = (b"?", b"&", b";", b"\\u0026", b"\\u003b", b"\\u003f")
_NAME = re.compile(
    rb"[\w.-]*(?:password|passwd|passphrase|pwd|secret|token|signature|credential)|sig"
    rb"|[\w.-]*(?:api|access|secret|account|private|shared)[\w.-]*key"
)
_VALUE = re.compile(rb"[^&;\s\"'\\,)}\]]+")
_LOOK_BACK = 60
_MEMBER_HINTS = (b"passw", b"secret", b"token")
# "password": "…", "spark.jdbc.password": "…": a member that is a text.
_KEYS = (b'password"', b'passwd"', b'client_secret"', b'access_token"', b'secret_access_key"', b'secretaccesskey"')
_TEXT = re.compile(rb"\s*:\s*\"((?:[^\"\\]|\\.)+)\"", re.DOTALL)


def scrub(body: bytes) -> bytes:
    """The body without the secrets that are known by their looks; the same object if there are none."""
    spans = sorted(_find_secrets(body))
    if not spans:
        return body
    parts: list[bytes] = []
    at = 0
    for start, end in spans:
        if start >= at:
            parts += (body[at:start], MASK)
        at = max(at, end)
    return b"".join((*parts, body[at:]))


def _find_secrets(body: bytes) -> Iterator[tuple[int, int]]:
    small = body.lower()
    if b"@" in body:
        for sign, pattern in _USERINFO:
            if sign in body:
                yield from (found.span("a" if found["b"] is None else "b") for found in pattern.finditer(body))
        if b"jdbc:oracle:" in small:
            yield from (found.span("a") for found in _ORACLE.finditer(body))
    if b"=" in body:
        for word in _LAST_WORDS:
            for end in _find_ends(small, word):
                value = _VALUE.match(body, end) if _is_parameter(small, end - 1) else None
                yield from (value.span(),) if value else ()
    for word in _KEYS if any(hint in small for hint in _MEMBER_HINTS) else ():
        for end in _find_ends(small, word):
            text = _TEXT.match(body, end)
            yield from (text.span(1),) if text else ()


def _is_parameter(small: bytes, end: int) -> bool:
    """Whether the name that ends here follows a ?, & or ; and is one that stands for a secret."""
    first = max(0, end - _LOOK_BACK)
    found = [(at, sign) for sign in _SEPARATORS if (at := small.rfind(sign, first, end)) >= 0]
    if not found:
        return False
    at, sign = max(found)
    return _NAME.fullmatch(small, at + len(sign), end) is not None


def _find_ends(text: bytes, word: bytes) -> Iterator[int]:
    """Where each occurrence of a word ends."""
    at = text.find(word)
    while at >= 0:
        yield at + len(word)
        at = text.find(word, at + len(word))
