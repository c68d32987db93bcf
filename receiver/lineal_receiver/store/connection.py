"""The type of a connection, for those who pass one on without knowing the driver."""

from typing import TypeAlias

import asyncpg

Connection: TypeAlias = asyncpg.Connection
