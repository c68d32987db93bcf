"""The application: the intake route, the reads, and what they share while the server runs."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from lineal_receiver.api import health, metrics, page, reference, router
from lineal_receiver.api.description import install_description
from lineal_receiver.api.errors import install_handlers
from lineal_receiver.api.heads import answer_head
from lineal_receiver.api.kept import KeptAnswers
from lineal_receiver.api.lineage import BATCH, ONE, LineageGate
from lineal_receiver.api.v1.writes.keeping import Clock
from lineal_receiver.ingest.intake import Intake
from lineal_receiver.ingest.persist import Vault
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.validate import Judge
from lineal_receiver.postgres.pool import Pool, open_pool
from lineal_receiver.settings import Settings


def create_app(settings: Settings, pool: Pool | None = None) -> ASGIApp:
    """The receiver as an ASGI application; without `pool` it opens its own to `settings.database_url`."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            opened = pool
            if opened is None:
                if settings.database_url is None:
                    raise ValueError("create_app needs a pool or a database_url")
                opened = await stack.enter_async_context(
                    open_pool(
                        settings.database_url, size=settings.pool_size, statement_seconds=settings.statement_seconds
                    )
                )
            vault = await stack.enter_async_context(Vault(opened, rejected_bytes=settings.rejected_bytes))
            app.state.pool = opened
            app.state.vault = vault
            app.state.clock = Clock()
            app.state.settings = settings
            app.state.kept = KeptAnswers(settings.answer_bytes)
            app.state.intake = Intake(Judge(read_bundle()), vault, strict=settings.strict)
            app.state.gate = LineageGate(app.state.intake, settings.max_body_bytes, settings.body_seconds)
            yield

    reads: Any = FastAPI(title="Lineal", lifespan=lifespan, docs_url=None, redoc_url=None)
    install_handlers(reads)
    reads.include_router(health.router)
    reads.include_router(metrics.router)
    reads.include_router(reference.router)
    reads.include_router(page.build_router(page.read_page()))
    reads.routes.extend(router().routes)
    install_description(reads)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST" and scope["path"].rstrip("/") in (ONE, BATCH):
            await reads.state.gate(scope, receive, send)
        elif scope["type"] == "http" and scope["method"] == "HEAD":
            await answer_head(reads, scope, receive, send)
        else:
            await reads(scope, receive, send)

    return app
