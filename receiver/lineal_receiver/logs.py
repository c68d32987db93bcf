"""How the receiver logs: structured events to stderr, one a line."""

import logging
import sys

import structlog

from lineal_receiver.settings import Settings


def set_up_logging(settings: Settings, *, quiet: bool = False) -> None:
    """Send our events, and what libraries log by the standard way, to stderr in one form.

    The form is text for a terminal and JSON for everything else, unless the settings say which. `quiet` is for commands
    that print what they do: only warnings, unless debugging was asked for.
    """
    level = getattr(logging, settings.log_level.upper())
    if quiet and level > logging.DEBUG:
        level = logging.WARNING
    text = settings.log_format == "text" or (settings.log_format == "auto" and sys.stderr.isatty())
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    render: list[structlog.typing.Processor] = (
        [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
        if text
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.getLogger("uvicorn.error").setLevel(max(level, logging.WARNING))  # its life-cycle lines say what ours say
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
