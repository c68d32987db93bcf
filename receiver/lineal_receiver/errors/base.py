"""The roots of the tree: what every error is, and how `lineal` exits for it."""

from typing import ClassVar


class LinealError(Exception):
    """Lineal could not do this."""

    exit_code: ClassVar[int] = 1

    def __str__(self) -> str:
        template = " ".join((type(self).__doc__ or type(self).__name__).split())
        return template.format(self=self, **vars(self))


class UsageError(LinealError):
    """This can't be done as it was asked."""

    exit_code = 2


class StoreError(LinealError):
    """PostgreSQL can't be used."""

    exit_code = 3


class MigrationError(LinealError):
    """The database's schema can't be brought up to date."""

    exit_code = 3
