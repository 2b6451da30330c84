"""`carom.batch.resolve` against the library's own slices, turn by turn in one run: python crates/carom-py/benches/batch.py

The slices hold one quantity each, as `carom::law::batch` wants them; the batch gets NumPy's arrays of whole impacts.
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
    print(f"{IMPACTS} impacts of one contact in space, ns per impact, best of {ROUNDS} rounds")
    for law in ["chatterjee-ruina", "routh-stronge"]:
        best = [float("inf")] * 3
        for _ in range(ROUNDS):
            rust = _carom._batch_slices_seconds(slices, law)
            times = [rust]
            for threads in [1, 2]:
                begin = time.perf_counter()
                carom.batch.resolve(arrays, law, threads=threads)
                times.append(time.perf_counter() - begin)
            best = [min(a, b) for a, b in zip(best, times)]
        slice_time, one, two = (1e9 * t / IMPACTS for t in best)
        print(
            f"{law:18} slices {slice_time:7.1f}  batch {one:7.1f} ({slice_time / one:.2f} of the slices' rate)"
            f"  2 threads {two:7.1f} ({one / two:.2f} x)"
        )


if __name__ == "__main__":
    main()
