"""The build hook: the receiver's page goes into wheel and sdist, built by Node where it isn't built yet.

$LINEAL_PAGE: `required` fails a build without the page, `skip` builds none; else a page that could not be built is
a warning, for the producer and the API need none.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Node's wheel, where a page is to be built and the system has no Node that does."""
        page = _read_builder(self.root)
        if os.environ.get("LINEAL_PAGE") == "skip" or page.is_current() or page.find_node() is not None:
            return []
        return [page.NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        if os.environ.get("LINEAL_PAGE") == "skip":
            return
        page = _read_builder(self.root)
        try:
            page.build()
        except page.PageError as error:
            if os.environ.get("LINEAL_PAGE") == "required":
                raise
            self.app.display_warning(f"Lineal is built without its page: {error}")


def _read_builder(root: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_page", Path(root) / "tools" / "build_page.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError("tools/build_page.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up there
    spec.loader.exec_module(module)
    return module
