"""Run a command and turn whatever goes wrong into one sentence and an exit code.

Exit codes: 0 fine, 1 a finding (something was rejected, late, failed) or nothing found, 2 usage or configuration,
3 PostgreSQL or the receiver can't be reached, 130 interrupted.
"""

import argparse
import sys
import tempfile
import traceback
from collections.abc import Sequence

from lineal_receiver.cli.completion import complete
from lineal_receiver.cli.parser import build_parser
from lineal_receiver.errors import ExtraMissing, LinealError
from lineal_receiver.stopping import interrupting

RECEIVER_PACKAGES = frozenset(
    {
        "argcomplete",
        "asyncpg",
        "fastapi",
        "httptools",
        "jsonschema",
        "jsonschema_rs",
        "starlette",
        "structlog",
        "uvicorn",
        "uvloop",
    }
)
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `lineal` with `arguments` (the process's, if None); the exit code."""
    parser = build_parser()
    complete(parser)
    options = parser.parse_args(arguments)
    try:
        with interrupting():
            return _run(options)
    except LinealError as error:
        return _report(error, options.debug)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in RECEIVER_PACKAGES:
            return _report_unknown(error, options.debug)
        return _report(ExtraMissing(module=package), options.debug)
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        sys.stdout = None  # nothing more may be written at exit
        return 0
    except Exception as error:
        return _report_unknown(error, options.debug)


def _run(options: argparse.Namespace) -> int:
    code = int(options.run(options))
    sys.stdout.flush()  # here, so that a reader who has gone is noticed
    return code


def _report(error: LinealError, debug: bool) -> int:
    _say(str(error))
    if debug:
        traceback.print_exception(error)
    return error.exit_code


def _report_unknown(error: Exception, debug: bool) -> int:
    if debug:
        traceback.print_exception(error)
        return LinealError.exit_code
    with tempfile.NamedTemporaryFile("w", prefix="lineal-error-", suffix=".txt", delete=False) as file:
        traceback.print_exception(error, file=file)
    _say(f"this is a fault of Lineal ({type(error).__name__}); please report it with {file.name}")
    return LinealError.exit_code


def _say(sentence: str) -> None:
    print(f"lineal: {sentence}", file=sys.stderr)
