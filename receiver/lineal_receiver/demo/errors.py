"""What can stop the demo.

UsageError
└── DemoRefused    the folder can't be used, or something isn't installed: exit code 2
LinealError
└── DemoFailed     a step of the demo failed: exit code 1
"""

from dataclasses import dataclass

from lineal_receiver.errors import LinealError, UsageError


@dataclass(eq=False)
class DemoRefused(UsageError):
    """demo: {reason}"""

    reason: str


@dataclass(eq=False)
class DemoFailed(LinealError):
    """demo: {step} failed: {reason}"""

    step: str
    reason: str
