"""HEAD answers like GET, without the body."""

from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send


async def answer_head(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Have `app` answer as if it were asked by GET, and send its status and headers alone."""
    ended = False

    async def send_head(message: Message) -> None:
        nonlocal ended
        if message["type"] == "http.response.start":
            await send(message)
        elif not ended:
            ended = True
            await send({"type": "http.response.body", "body": b""})

    asked: dict[str, Any] = {**scope, "method": "GET"}
    await app(asked, receive, send_head)
