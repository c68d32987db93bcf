"""The window: HTTP in, JSON out."""

from fastapi import APIRouter

from lineal_receiver.api.v1 import datasets, job_versions, jobs, namespaces, runs


def router() -> APIRouter:
    """All reads."""
    reads = APIRouter()
    for noun in (namespaces, runs, jobs, job_versions, datasets):
        reads.include_router(noun.router)
    return reads
