"""Marquez's routes that write: each makes a command record and answers with what there is afterwards."""

from fastapi import APIRouter

from lineal_receiver.api.v1.writes import datasets, jobs, namespaces, runs, sources, tags

NOUNS = (namespaces, sources, datasets, jobs, runs, tags)


def router() -> APIRouter:
    """All of them."""
    writes = APIRouter()
    for noun in NOUNS:
        writes.routes += noun.router.routes
    return writes
