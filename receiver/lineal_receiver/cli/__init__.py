"""The `lineal` command."""

from lineal_receiver.cli.main import main

__all__ = ["main"]
