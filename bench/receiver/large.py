"""A very large event: the peak of memory of server and PostgreSQL, as multiples of its body."""

import asyncio
import time

import httpx
from bodies import build_large
from machine import serve


async def run(size: int, at_once: int) -> None:
    """Send such events at once, and say what they took."""
    with serve() as machine:
        bodies = [build_large(size, number) for number in range(at_once)]
        megabytes = len(bodies[0]) / 2**20
        async with httpx.AsyncClient(base_url=machine.url, timeout=600) as client:
            await client.post("/api/v1/lineage", content=build_large(100_000, 99))
            before = machine.peak_mb()
            machine.forget_peak()
            began, spent = time.perf_counter(), machine.cpu()
            answers = await asyncio.gather(*(client.post("/api/v1/lineage", content=body) for body in bodies))
            took, spent = time.perf_counter() - began, machine.cpu() - spent
        peak = machine.peak_mb()
        print(f"{at_once} x {megabytes:.1f} MB: {[a.status_code for a in answers]} in {took:.1f} s, CPU {spent:.1f} s")
        print("| process | MB before | MB at most | added, x the body |\n|---|---|---|---|")
        for name, most in peak.items():
            print(f"| {name} | {before[name]:.0f} | {most:.0f} | {(most - before[name]) / megabytes:.1f} |")


def main(size: int, at_once: int) -> None:
    """Measure one event, and several at once."""
    asyncio.run(run(size, 1))
    if at_once > 1:
        asyncio.run(run(size, at_once))
