"""A process that runs an embedded server in the directory it is given until its standard input ends."""

import json
import os
import sys
from pathlib import Path

from lineal_receiver.errors import LinealError
from lineal_receiver.logs import set_up_logging
from lineal_receiver.postgres.embedded import start_embedded
from lineal_receiver.settings import read_settings


def say(**facts: object) -> None:
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


set_up_logging(read_settings({}))
try:
    server = start_embedded(Path(sys.argv[1]))
except LinealError as error:
    say(error=type(error).__name__, message=str(error))
    sys.exit(error.exit_code)
say(pid=os.getpid(), postmaster=server.pid, dsn=server.connection.dsn)
sys.stdin.read()
server.stop()
