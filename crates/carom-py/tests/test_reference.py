"""Every line of golden/*.ndjson through `Problem.resolve`, judged as golden/README.md says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import carom
import numpy as np
import pytest

GOLDEN = Path(__file__).parents[3] / "golden"
Line = dict[str, Any]

# How many lines each file has, so that none is lost.
LINES = {
    "coulomb": 25,
    "multi": 419,
    "plus": 28,
    "sequences": 21,
    "single": 1189,
    "single_multisolution": 27,
    "stiff": 25,
}
# Files of other tests: states at rest, motions, accelerations of mechanisms.
OTHERS = ("resting", "motions", "accelerations")
# Interval counts of two implementations may differ by rounding where slip turns by exactly the largest angle.
INTERVALS = 2
# Where several velocities fulfil a law, an answer is one of them if its equations hold to this part of the speed.
NATURAL_MAP = 1e-9


def lines(name: str) -> list[Line]:
    with open(GOLDEN / f"{name}.ndjson", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def norm(x: Any) -> float:
    return float(np.linalg.norm(np.asarray(x, dtype=float)))


def far(name: str, got: Any, wanted: Any, scale: float, tolerance: float) -> Iterator[str]:
    """Says so if two lists differ by more than `tolerance` of their size, or of `scale` if that is larger."""
    got, wanted = np.atleast_1d(got), np.atleast_1d(wanted)
    # Not `>`: a NaN must not pass.
    fits = got.shape == wanted.shape and norm(got - wanted) <= tolerance * max(norm(wanted), scale)
    if not fits:
        yield f"{name} {got}, expected {wanted}"


def natural_map(problem: carom.Problem, impulse: Any) -> float:
    """The largest |p − Π_K(p − ρ (ξ + μ|ξ_t| n))|/ρ with ρ = 1/W_nn, relative to the largest |u⁻|."""
    w, before = problem.delassus, problem.contact_velocity
    after = before + w @ impulse
    worst, first = 0.0, 0
    for rows, mu, e, e_t in zip(problem.rows, problem.mu, problem.e, problem.e_t, strict=True):
        own = slice(first, first + rows)
        xi = after[own] + before[own] * np.array([e] + [e_t] * (rows - 1))
        p = w[first, first] * impulse[own]
        x = p - xi
        x[0] -= mu * norm(xi[1:])
        reach = norm(x[1:])
        if reach > mu * x[0]:
            normal = max((x[0] + mu * reach) / (1.0 + mu * mu), 0.0)
            x[1:] *= mu * normal / reach if reach > 0.0 else 0.0
            x[0] = normal
        worst = max(worst, norm(p - x))
        first += rows
    return worst / float(np.abs(before).max())


def velocities(line: Line, problem: carom.Problem, out: carom.Outcome) -> Iterator[str]:
    """Velocities of contacts, coordinates and bodies against those expected."""
    expect, tolerance = line["expect"], line["tolerance"]["relative"]
    start = norm(problem.contact_velocity)
    if "contact_velocity" in expect:
        yield from far("contact_velocity", out.contact_velocity, expect["contact_velocity"], start, tolerance)
    if "velocity" in expect:
        before = norm(line["problem"]["velocity"])
        yield from far("velocity", out.velocity, expect["velocity"], before, tolerance)
    posed = {body["name"]: body for body in line["problem"].get("bodies", [])}
    for name, body in expect.get("bodies", {}).items():
        for part in ("velocity", "angular_velocity"):
            scale = max(norm(posed[name].get(part, 0.0)), start)
            yield from far(f"{part} of {name}", out.bodies[name][part], body[part], scale, tolerance)


def energy(line: Line, out: carom.Outcome) -> Iterator[str]:
    """The change of energy, to a part of what there was to lose."""
    wanted = line["expect"].get("energy_change")
    available = out.certificate.energy_available
    if wanted is not None and available is not None:
        allowed = line["tolerance"]["relative"] * max(available, abs(wanted))
        if not abs(out.energy_change - wanted) <= allowed:
            yield f"energy change {out.energy_change}, expected {wanted}"


def impulses(line: Line, out: carom.Outcome) -> Iterator[str]:
    """All impulses, or normal ones where only these are determined."""
    expect, tolerance = line["expect"], line["tolerance"]["relative"]
    if line.get("check_impulse", True):
        yield from far("impulse", out.impulse, expect["impulse"], 0.0, tolerance)
    elif line["id"].startswith("stiff"):
        share = len(out.impulse) // len(line["problem"]["contacts"])
        wanted = expect["impulse"][::share]
        yield from far("normal impulse", out.impulse[::share], wanted, 0.0, tolerance)


def effort(line: Line, out: carom.Outcome) -> Iterator[str]:
    """Counts and branches, where the line tells them."""
    expect, got = line["expect"], out.effort
    for key in ("compressions", "final_mode", "rounds"):
        if key in expect and key in got and got[key] != expect[key]:
            yield f"{key} {got[key]}, expected {expect[key]}"
    if "all_impulses" in expect and got["solutions"] != len(expect["all_impulses"]):
        yield f"{got['solutions']} solutions, expected {len(expect['all_impulses'])}"
    if "intervals" in got and abs(got["intervals"] - expect["intervals"]) > INTERVALS:
        yield f"{got['intervals']} intervals, expected {expect['intervals']}"
    if expect.get("kind") == "infinite" and got["ending"] not in ("projected", "tolerance"):
        yield f"ending {got['ending']}"
    if expect.get("kind") == "finite":
        wanted = (expect.get("n", expect.get("collisions")), expect["ties"], "finite")
        found = (got["collisions"], got["ties"], got["ending"])
        if found != wanted:
            yield f"collisions, ties, ending {found}, expected {wanted}"


def verdict(line: Line, out: carom.Outcome) -> Iterator[str]:
    """What the certificate must say of this law on this line."""
    expect, certificate = line["expect"], out.certificate
    law = next(law for law in carom.laws() if law.id == out.law["id"])
    if "permissible" in expect:
        fine = certificate.permissible == expect["permissible"]
    elif law.id in ("newton-coulomb", "poisson-coulomb"):
        # They may gain energy, and the certificate shows it.
        fine = ("energy" in certificate.violations) == expect.get("energy_gain", False)
    else:
        fine = certificate.permissible or not law.claims["energy"]
    if not fine:
        yield f"verdict {certificate}"


def faults(line: Line) -> Iterator[str]:
    """What is wrong with carom's answer to a line."""
    problem = carom.Problem(line["problem"])
    check = line.get("check", "value")
    try:
        out = problem.resolve(line["law"])
    except carom.CaromError as error:
        if check == "error":
            if error.kind != "no_solution" or "self-stress" not in str(error):
                yield f"{error.kind}: {error}"
        elif check != "documented_failure" or error.kind not in ("no_solution", "limit", "not_converged"):
            yield f"{error.kind}: {error}"
        return
    if check == "error":
        yield f"answered {out}"
    elif check == "documented_failure":
        if "energy" not in out.certificate.violations:
            yield f"answered {out}"
    elif check == "certificate":
        off = natural_map(problem, out.impulse)
        if not off <= NATURAL_MAP:
            yield f"natural map {off:e}"
        # In a continuum the answer is the limit as well; only where solutions stand apart is it open which is found.
        if not isinstance(line["expect"].get("modes"), list):
            yield from velocities(line, problem, out)
            yield from energy(line, out)
            yield from verdict(line, out)
    elif check == "invariants_only":
        yield from verdict(line, out)
        if not out.certificate.momentum_residual <= 64 * np.finfo(float).eps:
            yield f"momentum residual {out.certificate.momentum_residual}"
    else:
        assert check == "value", check
        for rule in (impulses, energy, effort, verdict):
            yield from rule(line, out)
        yield from velocities(line, problem, out)


@pytest.mark.parametrize("name", LINES)
def test_reference(name: str) -> None:
    asked = lines(name)
    assert len(asked) == LINES[name]
    found = [f"{line['id']}: {fault}" for line in asked for fault in faults(line)]
    assert not found, "\n".join(found)


def test_no_file_is_forgotten() -> None:
    assert {path.stem for path in GOLDEN.glob("*.ndjson")} == {*LINES, *OTHERS}


def test_states_of_running_simulations() -> None:
    asked = lines("resting")
    assert len(asked) == 175
    for line in asked:
        out = carom.Problem(line["problem"]).resolve("sequential")
        assert out.certificate.permissible, line["id"]


def test_a_wrong_number_is_found() -> None:
    line = lines("single")[0]
    line["expect"]["impulse"][0] *= 1.0 + 2.0 * line["tolerance"]["relative"]
    assert any("impulse" in fault for fault in faults(line))
