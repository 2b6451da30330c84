"""What one call from Python costs over the same call in Rust: a free body with four contacts.

Both are timed in this process, in turns, and the quickest turn of each counts: `python` is `carom.resolve` with NumPy
arrays, `rust` builds the system from copied arrays, asks the law and goes back to velocities. An outcome judges itself
when its certificate is asked for: `certificate` is what that adds, in Rust.
"""

from __future__ import annotations

import sys
import time

import carom
import numpy as np
from carom._carom import _rust_seconds

ALLOWED = 10e-6  # seconds over the Rust call
# Short turns: the quickest of many is the one that nobody disturbed.
CALLS, TURNS = 5, 1000
MU, E = 0.4, 0.3


def main() -> int:
    mass = np.diag([2.0, 2.0, 2.0, 0.2, 0.2, 0.3])
    corners = [np.array([x, y, -0.1]) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]
    rows = [np.concatenate([n, np.cross(c, n)]) for c in corners for n in np.eye(3)[[2, 0, 1]]]
    jacobian, velocity = np.array(rows), np.array([0.5, 0.1, -1.0, 0.3, -0.2, 0.1])
    print(f"{'law':<16} {'python':>11} {'rust':>11} {'over rust':>11} {'certificate':>11}   [µs]")
    worst = 0.0
    for law in ("plus", "newton", "poisson-coulomb"):
        python = rust = certified = float("inf")
        flat = (mass.ravel().tolist(), jacobian.ravel().tolist(), velocity.tolist())
        for _ in range(TURNS):
            begin = time.perf_counter()
            for _ in range(CALLS):
                carom.resolve(mass, jacobian, velocity, mu=MU, e=E, rows=3, law=law)
            python = min(python, (time.perf_counter() - begin) / CALLS)
            alone, judged = _rust_seconds(*flat, MU, E, law, CALLS)
            rust, certified = min(rust, alone), min(certified, judged)
        worst = max(worst, python - rust)
        numbers = (python, rust, python - rust, certified - rust)
        print(f"{law:<16} " + " ".join(f"{1e6 * x:11.2f}" for x in numbers))
    print(f"over the Rust call: {1e6 * worst:.2f} µs, allowed {1e6 * ALLOWED:.0f} µs")
    return int(worst > ALLOWED)


if __name__ == "__main__":
    sys.exit(main())
