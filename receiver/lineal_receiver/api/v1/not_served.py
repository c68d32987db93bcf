"""What Marquez serves and Lineal doesn't: said in words, for a 404 looks like a wrong address."""

from starlette.responses import Response

from lineal_receiver.api.refusals import refused
from lineal_receiver.api.routing import read_router

router = read_router()


@router.get("/graphql-playground/{rest:path}", include_in_schema=False)
@router.get("/api/v1/schema.json", include_in_schema=False)
@router.api_route("/api/v1-beta/graphql", methods=["GET", "POST"], include_in_schema=False)
async def refuse_graphql(rest: str = "") -> Response:  # noqa: ARG001 - any page of the playground
    """501: there is no GraphQL."""
    raise refused(501, "Lineal doesn't serve Marquez's GraphQL; ask /api/v1, which /docs describes")


@router.get("/api/v2beta/search/{noun:segment}", include_in_schema=False)
async def refuse_search(noun: str) -> Response:  # noqa: ARG001 - jobs or datasets
    """501: there is no search in facets."""
    raise refused(501, "Lineal doesn't serve Marquez's v2beta search; ask /api/v1/search?q=")
