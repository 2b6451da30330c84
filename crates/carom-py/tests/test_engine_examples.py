"""The examples with engines run, and what their texts claim is so."""

from __future__ import annotations

import functools
import importlib.util
import itertools
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
# What time steps leave between a simulated and an exact height, for the steps of the examples.
STEPS = 0.02
# Rounding that many impacts add up.
ROUNDING = 1e-9


# What an example computes; each call is made once, and serves its table and its claims.
COMPUTED = {"mujoco_box": "drop", "mujoco_cradle": "swing", "mujoco_humanoid": "fall", "pinocchio_arm": "strike"}


@functools.cache
def example(name: str) -> ModuleType:
    pytest.importorskip(name.split("_")[0])
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    setattr(module, COMPUTED[name], functools.cache(getattr(module, COMPUTED[name])))
    return module


@pytest.mark.parametrize("name", COMPUTED)
def test_each_prints_a_table(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    example(name).main()
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) >= 6 and all(len(line) < 120 for line in printed)


def test_the_box_stays_flat() -> None:
    box = example("mujoco_box")
    for law in ("plus", "stiff-limit"):
        flight = box.drop(law)
        assert flight.tilt < ROUNDING and flight.drift < ROUNDING
        assert flight.rise == pytest.approx(box.E**2 * box.DROP, rel=STEPS)
    assert box.drop("sequential").tilt > 1e-2


def test_as_many_balls_leave_as_have_struck() -> None:
    cradle = example("mujoco_cradle")
    for law, lifted in itertools.product(("plus", "sequential"), (1, 2)):
        angles = cradle.swing(law, lifted)
        assert angles[-lifted:] == pytest.approx(cradle.LIFT, rel=STEPS)
        assert (angles[:-lifted] < STEPS * cradle.LIFT).all()
    # Hertz contacts send 98.9 % of the speed through five balls; a simultaneous law sends every ball away.
    assert cradle.swing("lzb", 1)[-1] == pytest.approx(0.989 * cradle.LIFT, rel=STEPS)
    assert (cradle.swing("newton", 1)[1:] > 0.1).all()


def test_the_humanoid_loses_energy_at_every_impact() -> None:
    fall = example("mujoco_humanoid").fall()
    assert len(fall.strikes) > 100
    for strike in fall.strikes:
        assert strike.energy_change <= ROUNDING * strike.energy
        assert strike.verdict in ("permissible", "boundary")
    hit = {strike.what for strike in fall.strikes}
    assert "pelvis" in hit or "chest" in hit
    assert fall.height < 0.3 and fall.deepest < 0.03


def test_the_arm_at_the_wall() -> None:
    before, energy, answers = example("pinocchio_arm").strike()
    by_law = {answer.law: answer for answer in answers}
    assert before[0] < -1.0
    for answer in answers:
        normal, *tangent = answer.impulse
        assert normal > 0.0 and np.hypot(*tangent) <= 0.3 * normal * (1.0 + ROUNDING)
        assert -energy < answer.energy_change < 0.0
        assert answer.tip[0] > 0.0
        assert answer.verdict in ("permissible", "boundary")
    # One contact: the limit of stiff contacts is Stronge's law. Newton's restitution returns e of the approach.
    np.testing.assert_allclose(by_law["stiff-limit"].impulse, by_law["routh-stronge"].impulse, rtol=1e-6)
    for law in ("chatterjee-ruina", "newton-coulomb"):
        assert by_law[law].tip[0] == pytest.approx(-0.6 * before[0], rel=ROUNDING)
