"""What was asked for can't be done as it was asked."""

from dataclasses import dataclass

from lineal_receiver.errors.base import LinealError, UsageError


@dataclass(eq=False)
class SettingInvalid(UsageError):
    """{name} is {value!r}, but it must be {expected}."""

    name: str
    value: str
    expected: str


@dataclass(eq=False)
class ExtraMissing(UsageError):
    """The receiver needs packages that aren't installed ({module}): run pip install 'lineal[receiver]'."""

    module: str


@dataclass(eq=False)
class PortTaken(UsageError):
    """Port {port} on {host} is taken by another process: choose another with --port (0 takes a free one), or stop that
    process."""

    host: str
    port: int


@dataclass(eq=False)
class ListenerRefused(UsageError):
    """Can't listen on {host}, port {port}: {reason}. Choose another address with --host and --port."""

    host: str
    port: int
    reason: str


@dataclass(eq=False)
class OpenListener(UsageError):
    """{host} can be reached from other machines, and the server has no tokens: anyone there could read and write.
    Listen on 127.0.0.1, or say --insecure-listen if something else (a firewall, a container's own network) keeps
    strangers out."""

    host: str


@dataclass(eq=False)
class AliasRefused(UsageError):
    """{reason}"""

    reason: str


@dataclass(eq=False)
class CommandRefused(UsageError):
    """{reason}"""

    reason: str


@dataclass(eq=False)
class QuestionRefused(UsageError):
    """{reason}"""

    reason: str


@dataclass(eq=False)
class StoreMissing(UsageError):
    """There is no store of Lineal's at {where}: `lineal serve` makes one. A receiver that runs elsewhere is asked with
    --url, a PostgreSQL of yours with --database-url."""

    where: str


@dataclass(eq=False)
class StoreOutdated(UsageError):
    """The store at {where} is older than this command, and lacks {missing}: `lineal migrate` brings it up to date; the
    receiver that runs on it answers with --url."""

    where: str
    missing: str


@dataclass(eq=False)
class NameAmbiguous(UsageError):
    """{name!r} may be any of these; write one of them instead:{listed}"""

    name: str
    listed: str


@dataclass(eq=False)
class NameUnknown(LinealError):
    """{name!r} is nothing that is known here.{hint}"""

    name: str
    hint: str
