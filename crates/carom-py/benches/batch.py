"""`carom.batch` against the library's own batches, turn by turn in one run.

`slices` is `carom::law::batch::resolve`, one quantity per slice; `rows` is `resolve_rows` on the memory that Python gives.
Both answer impulses, velocities and energies, as `carom.batch.resolve` does; `slices, impulses` answers impulses alone, as
`carom.batch.impulses` does. Python gives arrays in C order; `components` says that they are in F order. All write to memory
that was touched before, Python by `out`; `fresh` asks for new memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import numpy as np

import carom.batch
from carom import _carom

IMPACTS = 1_000_000
# The fastest of so many rounds counts.
ROUNDS: dict[carom.LawId, int] = {"chatterjee-ruina": 15, "routh-stronge": 3}


def impacts(count: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    a = rng.normal(size=(count, 3, 4))
    velocity = rng.normal(size=(count, 3))
    velocity[:, 0] = -np.abs(velocity[:, 0])
    return {
        "delassus": np.ascontiguousarray(a @ a.transpose(0, 2, 1)),
        "contact_velocity": velocity,
        "mu": rng.uniform(0.1, 1, count),
        "e": rng.uniform(0, 1, count),
        "e_t": np.zeros(count),
    }


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def main() -> None:
    arrays = impacts(IMPACTS)
    arrays["delassus"] = 0.5 * (arrays["delassus"] + arrays["delassus"].transpose(0, 2, 1))
    w, u = arrays["delassus"], arrays["contact_velocity"]
    upper = [w[:, i, j].copy() for i, j in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]]
    slices = [*upper, *(u[:, i].copy() for i in range(3)), arrays["mu"], arrays["e"], arrays["e_t"]]
    material = [arrays[name] for name in ("mu", "e", "e_t")]
    print(f"{IMPACTS} impacts of one contact in space, ns per impact, fastest round")
    orders = {"": arrays, ", components": {name: np.asfortranarray(x) for name, x in arrays.items()}}
    for law, rounds in ROUNDS.items():
        outs = {order: carom.batch.resolve(ordered, law) for order, ordered in orders.items()}
        ways: dict[str, Callable[[], float]] = {
            "slices": partial(_carom._batch_slices_seconds, slices, law, False),
            "slices, impulses": partial(_carom._batch_slices_seconds, slices, law, True),
            "rows": partial(_carom._batch_rows_seconds, w, u, material, law),
        }
        for (order, ordered), threads in product(orders.items(), [1, 2]):
            end = order if threads == 1 else f"{order}, {threads} threads"
            given: dict[str, Any] = {"arrays": ordered, "law": law, "threads": threads}
            out = outs[order]
            ways |= {
                f"impulses{end}": partial(seconds, partial(carom.batch.impulses, **given, out=out.impulse)),
                f"resolve{end}": partial(seconds, partial(carom.batch.resolve, **given, out=out)),
                f"resolve, fresh{end}": partial(seconds, partial(carom.batch.resolve, **given)),
            }
        best = dict.fromkeys(ways, float("inf"))
        for _ in range(rounds):
            for name, way in ways.items():
                best[name] = min(best[name], 1e9 * way() / IMPACTS)
        print(law)
        for name, time_taken in best.items():
            alone = name.removesuffix(", 2 threads")
            same = "slices, impulses" if "impulses" in name else "slices"
            print(f"  {name:38} {time_taken:7.1f}   {best[same] / time_taken:.2f} of the rate of {same}", end="")
            print("" if name == alone else f", {best[alone] / time_taken:.2f} x that of one thread")


if __name__ == "__main__":
    main()
