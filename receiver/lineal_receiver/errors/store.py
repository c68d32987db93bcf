"""PostgreSQL or a receiver can't be reached, or not used as it is."""

from dataclasses import dataclass
from pathlib import Path

from lineal_receiver.errors.base import LinealError, StoreError


@dataclass(eq=False)
class StoreUnreachable(StoreError):
    """Can't connect to PostgreSQL at {where}: {reason}. {remedy}"""

    where: str
    reason: str
    remedy: str
    passing: bool = False  # whether it may well be over soon


@dataclass(eq=False)
class StoreUnsafe(StoreError):
    """The PostgreSQL at {where} has {setting} = {value}, so it could lose events that were acknowledged: set {setting}
    = on there, Lineal doesn't run without it."""

    where: str
    setting: str
    value: str


@dataclass(eq=False)
class StoreReadOnly(StoreError):
    """The PostgreSQL at {where} takes no writes (it is a standby, or default_transaction_read_only is on there): give
    the address of its primary."""

    where: str


@dataclass(eq=False)
class StoreForbidden(StoreError):
    """The user of the database at {where} may not make tables there ({reason}): grant it create on the schema, or make
    it the owner of the database."""

    where: str
    reason: str


@dataclass(eq=False)
class StoreTooOld(StoreError):
    """The PostgreSQL at {where} is version {found}; Lineal needs {needed} or newer."""

    where: str
    found: str
    needed: int


@dataclass(eq=False)
class StoreNotReady(StoreError):
    """{path} is held by {holder}, but its PostgreSQL doesn't answer within {seconds:g} s: wait until it has started,
    or look at {path}/postgres.log."""

    path: Path
    holder: str
    seconds: float


@dataclass(eq=False)
class BinariesMissing(StoreError):
    """No PostgreSQL to run: {reason}. {remedy}"""

    reason: str
    remedy: str


@dataclass(eq=False)
class AccountMissing(StoreError):
    """PostgreSQL refuses to run as root, and none of the accounts {tried} exists here: run lineal as an ordinary user,
    or give it a server with --database-url."""

    tried: str


@dataclass(eq=False)
class AccountRefused(StoreError):
    """PostgreSQL refuses to run as root, and root may not run it as {account} here ({reason}), as in a container that
    drops capabilities: run lineal as an ordinary user, or give it a server with --database-url."""

    account: str
    reason: str


@dataclass(eq=False)
class AccountUnlisted(StoreError):
    """The user id {uid} has no account on this machine, and PostgreSQL's initdb needs one: run lineal as a user that is
    in /etc/passwd, or give it a server with --database-url."""

    uid: int


@dataclass(eq=False)
class PostgresFailed(StoreError):
    """{program} failed: {reason}"""

    program: str
    reason: str


@dataclass(eq=False)
class ReceiverUnreachable(LinealError):
    """The receiver at {url} doesn't take events: {reason}. Check the address, and that it runs; what it took already is
    kept, and sending it again does no harm."""

    exit_code = 3
    url: str
    reason: str


@dataclass(eq=False)
class ReceiverAway(LinealError):
    """The receiver at {url} doesn't answer: {reason}. Check the address, and that it runs."""

    exit_code = 3
    url: str
    reason: str


@dataclass(eq=False)
class NotAnswered(LinealError):
    """The receiver at {url} answers {status}: {reason}"""

    url: str
    status: int
    reason: str
