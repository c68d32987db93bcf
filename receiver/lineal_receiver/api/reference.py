"""GET /docs: the API's description as a plain page that needs no network and no script."""

import json
from collections.abc import Iterator
from html import escape
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse

router = APIRouter()

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
code, pre { font-family: ui-monospace, monospace; font-size: 13px }
pre { overflow-x: auto; padding: .6rem; background: #8881 }
details { border-top: 1px solid #8886; padding: .3rem 0 }
summary { cursor: pointer }
summary b { display: inline-block; min-width: 4.5rem }
summary span { opacity: .75 }
td { vertical-align: top; padding: 0 1rem .2rem 0 }
"""


@router.get("/docs", include_in_schema=False)
async def show(request: Request) -> HTMLResponse:
    """Every route with its parameters, body and answers."""
    page = "".join(_write_page(request.app.openapi()))
    return HTMLResponse(page, headers={"Content-Security-Policy": POLICY})


def _write_page(described: dict[str, Any]) -> Iterator[str]:
    title = escape(described["info"]["title"])
    yield f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}: API</title>'
    yield f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body><h1>{title}</h1>'
    for paragraph in described["info"].get("description", "").split("\n\n"):
        yield f"<p>{_write_text(paragraph)}</p>"
    yield '<p>For programs: <a href="/openapi.json">/openapi.json</a>.</p>'
    for path, operations in sorted(described["paths"].items()):
        for method, operation in operations.items():
            yield from _write_operation(path, method, operation)
    yield "</body></html>"


def _write_operation(path: str, method: str, operation: dict[str, Any]) -> Iterator[str]:
    text = operation.get("description") or operation.get("summary", "")
    yield f"<details><summary><b>{escape(method.upper())}</b> <code>{escape(path)}</code> "
    yield f"<span>{_write_text(text)}</span></summary><table>"
    for parameter in operation.get("parameters", []):
        need = ", required" if parameter.get("required") else ""
        yield f"<tr><td><code>{escape(parameter['name'])}</code></td><td>{escape(parameter['in'])}{need}</td>"
        yield f"<td>{_write_text(parameter.get('description', ''))}</td></tr>"
    for status, answer in operation.get("responses", {}).items():
        yield f"<tr><td>{escape(status)}</td><td>answer</td><td>{_write_text(answer.get('description', ''))}</td></tr>"
    yield "</table>"
    for media, content in operation.get("responses", {}).get("200", {}).get("content", {}).items():
        if "example" in content:
            yield f"<p>Answer, {escape(media)}:</p><pre>{escape(_write_example(content['example']))}</pre>"
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        if "example" in content:
            yield f"<p>Body, {escape(media)}:</p><pre>{escape(json.dumps(content['example'], indent=2))}</pre>"
    yield "</details>"


def _write_example(example: Any) -> str:
    return example if isinstance(example, str) else json.dumps(example, indent=2, ensure_ascii=False)


def _write_text(text: str) -> str:
    """Text with its `code` marked."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if at % 2 else part for at, part in enumerate(parts))
