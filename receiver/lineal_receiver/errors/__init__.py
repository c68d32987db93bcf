"""What can go wrong in the receiver, as data; a class's docstring is the sentence that a user reads.

LinealError                      exit code 1
├── UsageError                   exit code 2: what was asked for can't be done as it was asked
│   ├── SettingInvalid           a flag or variable has a value that can't be used
│   ├── ExtraMissing             the packages of the receiver aren't installed
│   ├── PortTaken                the port to listen on is in use
│   ├── ListenerRefused          the address to listen on can't be used
│   ├── AliasRefused             an alias that can't be put or removed
│   ├── CommandRefused           a horizon or redaction that can't be as it was asked for
│   ├── QuestionRefused          a question that can't be answered as it was asked
│   ├── StoreMissing             a question to a place where there is no store
│   ├── StoreOutdated            a question to a store that lacks migrations
│   ├── NameAmbiguous            a short name that several things have
│   ├── OpenListener             another address than loopback, without tokens, without the flag that allows it
│   └── DirectoryError           the data directory
│       ├── DirectoryNotOurs     not empty, and not made by us
│       ├── DirectoryDamaged     ours, but its marker can't be read or its cluster is missing
│       ├── DirectoryTooNew      written by a newer Lineal
│       ├── DirectoryInUse       a live process holds it
│       ├── DirectoryReadOnly    can't be written
│       ├── DirectoryUnreachable root's PostgreSQL account can't get there
│       ├── OtherMajor           holds a cluster of another PostgreSQL major
│       ├── UpgradeUnfinished    `lineal upgrade` was stopped while it swapped the clusters
│       └── NothingToUpgrade     `lineal upgrade` on a directory that is up to date
├── StoreError                   exit code 3: PostgreSQL can't be reached, or not used as it is
│   ├── StoreUnreachable         no connection
│   ├── StoreUnsafe              a server that may lose what it acknowledged
│   ├── StoreReadOnly            a server that takes no writes
│   ├── StoreForbidden           our user may not make tables there
│   ├── StoreTooOld              a server older than what we support
│   ├── StoreNotReady            the process that holds the directory doesn't answer
│   ├── BinariesMissing          no PostgreSQL binaries to run
│   ├── AccountMissing           root, and no unprivileged account to run PostgreSQL as
│   ├── AccountRefused           root, but not allowed to run programs as another account
│   ├── AccountUnlisted          a uid without an entry in the system's list of users
│   └── PostgresFailed           a PostgreSQL program that we ran failed
├── ReceiverUnreachable          exit code 3: a running receiver doesn't take what it is sent
├── ReceiverAway                 exit code 3: a running receiver doesn't answer what it is asked
├── NotAnswered                  a running receiver refuses what it is asked
├── NameUnknown                  a name that nothing has
└── MigrationError               exit code 3: the schema can't be brought up to date
    ├── MigrationMisnamed        a file that isn't NNNN_verb_noun.sql, or a number used twice or left out
    ├── MigrationEdited          a file that was applied has changed since
    ├── MigrationFailed          a statement failed
    ├── MigrationBlocked         another session held a lock for too long
    └── DatabaseNewer            the database knows migrations that this Lineal doesn't
"""

from lineal_receiver.errors.base import (
    LinealError,
    MigrationError,
    StoreError,
    UsageError,
)
from lineal_receiver.errors.directory import (
    DirectoryDamaged,
    DirectoryError,
    DirectoryInUse,
    DirectoryNotOurs,
    DirectoryReadOnly,
    DirectoryTooNew,
    DirectoryUnreachable,
    NothingToUpgrade,
    OtherMajor,
    UpgradeUnfinished,
)
from lineal_receiver.errors.migration import (
    DatabaseNewer,
    MigrationBlocked,
    MigrationEdited,
    MigrationFailed,
    MigrationMisnamed,
)
from lineal_receiver.errors.store import (
    AccountMissing,
    AccountRefused,
    AccountUnlisted,
    BinariesMissing,
    NotAnswered,
    PostgresFailed,
    ReceiverAway,
    ReceiverUnreachable,
    StoreForbidden,
    StoreNotReady,
    StoreReadOnly,
    StoreTooOld,
    StoreUnreachable,
    StoreUnsafe,
)
from lineal_receiver.errors.usage import (
    AliasRefused,
    CommandRefused,
    ExtraMissing,
    ListenerRefused,
    NameAmbiguous,
    NameUnknown,
    OpenListener,
    PortTaken,
    QuestionRefused,
    SettingInvalid,
    StoreMissing,
    StoreOutdated,
)

__all__ = [
    "AccountMissing",
    "AccountRefused",
    "AccountUnlisted",
    "AliasRefused",
    "BinariesMissing",
    "CommandRefused",
    "DatabaseNewer",
    "DirectoryDamaged",
    "DirectoryError",
    "DirectoryInUse",
    "DirectoryNotOurs",
    "DirectoryReadOnly",
    "DirectoryTooNew",
    "DirectoryUnreachable",
    "ExtraMissing",
    "LinealError",
    "ListenerRefused",
    "MigrationBlocked",
    "MigrationEdited",
    "MigrationError",
    "MigrationFailed",
    "MigrationMisnamed",
    "NameAmbiguous",
    "NameUnknown",
    "NotAnswered",
    "NothingToUpgrade",
    "OpenListener",
    "OtherMajor",
    "PortTaken",
    "PostgresFailed",
    "QuestionRefused",
    "ReceiverAway",
    "ReceiverUnreachable",
    "SettingInvalid",
    "StoreError",
    "StoreForbidden",
    "StoreMissing",
    "StoreNotReady",
    "StoreOutdated",
    "StoreReadOnly",
    "StoreTooOld",
    "StoreUnreachable",
    "StoreUnsafe",
    "UpgradeUnfinished",
    "UsageError",
]
