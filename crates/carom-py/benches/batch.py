"""`carom.batch.resolve` against the library's own batches, turn by turn in one run.

`rows` is `carom::law::batch::resolve_rows` on the same memory with the same answers: impulses, velocities, energies.
`slices` is `carom::law::batch::resolve`, which holds one quantity per slice and answers impulses alone: half the memory.
"""

from __future__ import annotations

import time

import numpy as np

import carom.batch
from carom import _carom

IMPACTS = 1_000_000
ROUNDS = 7


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


def main() -> None:
    arrays = impacts(IMPACTS)
    arrays["delassus"] = 0.5 * (arrays["delassus"] + arrays["delassus"].transpose(0, 2, 1))
    w, u = arrays["delassus"], arrays["contact_velocity"]
    upper = [w[:, i, j].copy() for i, j in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]]
    slices = [*upper, *(u[:, i].copy() for i in range(3)), arrays["mu"], arrays["e"], arrays["e_t"]]
    material = [arrays[name] for name in ("mu", "e", "e_t")]
    print(f"{IMPACTS} impacts of one contact in space, ns per impact, best of {ROUNDS} rounds")
    for law in ["chatterjee-ruina", "routh-stronge"]:
        best = [float("inf")] * 4
        for _ in range(ROUNDS):
            times = [_carom._batch_slices_seconds(slices, law), _carom._batch_rows_seconds(w, u, material, law)]
            for threads in [1, 2]:
                begin = time.perf_counter()
                carom.batch.resolve(arrays, law, threads=threads)
                times.append(time.perf_counter() - begin)
            best = [min(a, b) for a, b in zip(best, times)]
        alone, rows, one, two = (1e9 * t / IMPACTS for t in best)
        print(
            f"{law:18} slices {alone:7.1f}  rows {rows:7.1f}  batch {one:7.1f} ({rows / one:.2f} of the rate of rows,"
            f" {alone / one:.2f} of slices)  2 threads {two:7.1f} ({one / two:.2f} x)"
        )


if __name__ == "__main__":
    main()
