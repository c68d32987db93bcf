"""What no route takes: answered as Marquez does under v1, as RFC 9457 says elsewhere."""

from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.refusals import problem, refused


async def answer_unmatched(request: Request, error: Exception) -> Response:
    """The body for a 404 or 405 of the router's own."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = (error.headers if isinstance(error, HTTPException) else None) or {}
    phrase = HTTPStatus(status).phrase
    if request.url.path.startswith("/api/v1/"):
        refusal = refused(status, f"HTTP {status} {phrase}")
    else:
        refusal = problem(status, phrase.lower().replace(" ", "-"), f"{request.method} {request.url.path}: {phrase}.")
    response = answer(refusal.body, status=status, media_type=refusal.media_type)
    response.headers.update(headers)
    return response
