"""``carom.pinocchio`` against Pinocchio itself: matrices, its own impact dynamics, and what is refused."""

from __future__ import annotations

import doctest
from typing import Any

import numpy as np
import pytest

import carom

pin = pytest.importorskip("pinocchio")

import carom.pinocchio  # noqa: E402
from carom.pinocchio import Contact  # noqa: E402

# Agreement with the engine's own numbers, relative to the largest.
AGREES = 1e-12
# Central differences of positions with step h: truncation h², rounding eps / h.
STEP, DIFFERENCES = 1e-5, 1e-8
SEED = 20261116

MODELS = {
    "arm": pin.buildSampleModelManipulator,
    "humanoid": pin.buildSampleModelHumanoidRandom,
}


def test_the_docstring_runs() -> None:
    result = doctest.testmod(carom.pinocchio)
    assert result.attempted > 0 and result.failed == 0


def largest(array: Any) -> float:
    return float(np.abs(array).max(initial=0.0))


def state(name: str, seed: int) -> tuple[Any, Any, np.ndarray, np.ndarray, np.random.Generator]:
    pin.seed(seed)
    model = MODELS[name]()
    rng = np.random.default_rng(seed)
    model.armature = rng.uniform(0.0, 0.1, model.nv)
    q = pin.integrate(model, pin.neutral(model), rng.normal(scale=0.5, size=model.nv))
    return model, model.createData(), q, rng.normal(size=model.nv), rng


def unit(rng: np.random.Generator) -> np.ndarray:
    normal = rng.normal(size=3)
    return normal / np.linalg.norm(normal)


def point_of(model: Any, q: np.ndarray, joint: int, local: np.ndarray) -> np.ndarray:
    data = model.createData()
    pin.forwardKinematics(model, data, q)
    return np.asarray(data.oMi[joint].act(local))


@pytest.mark.parametrize("name", MODELS)
def test_rows_are_rates_of_positions(name: str) -> None:
    for seed in range(SEED, SEED + 5):
        model, data, q, v, rng = state(name, seed)
        joints = [int(j) for j in rng.choice(np.arange(1, model.njoints), size=2, replace=False)]
        frame_b = int(model.getFrameId(model.names[joints[0]]))
        frame_a = int(model.getFrameId(model.names[joints[1]]))
        point, normal = rng.normal(size=3), unit(rng)
        contacts = [
            Contact(frame_b, normal, point=point),
            Contact(frame_b, normal, other=frame_a, point=point),
            Contact(joint=joints[0], normal=normal, point=point),
            Contact(model.names[joints[0]], normal),
        ]
        impact = carom.pinocchio.problem(model, data, q, v, contacts, mu=0.5)
        frame = axes(normal)
        local_b = data.oMi[joints[0]].actInv(point)
        local_a = data.oMi[joints[1]].actInv(point)

        def rate(joint: int, local: np.ndarray) -> np.ndarray:
            ahead = point_of(model, pin.integrate(model, q, STEP * v), joint, local)
            behind = point_of(model, pin.integrate(model, q, -STEP * v), joint, local)
            return np.asarray(frame @ (ahead - behind) / (2.0 * STEP))

        of_b, of_a = rate(joints[0], local_b), rate(joints[1], local_a)
        origin = rate(joints[0], np.zeros(3))
        expected = np.concatenate([of_b, of_b - of_a, of_b, origin])
        assert largest(impact.jacobian @ v - expected) <= DIFFERENCES * (1.0 + largest(expected))


def axes(normal: np.ndarray) -> np.ndarray:
    """carom's tangents, from their definition: the world axis least along the normal, laid into the tangent plane."""
    axis = np.eye(3)[np.argmin(np.abs(normal))]
    t1 = np.cross(np.cross(normal, axis), normal)
    t1 /= np.linalg.norm(t1)
    return np.stack([normal, t1, np.cross(normal, t1)])


@pytest.mark.parametrize("name", MODELS)
def test_matrices_are_those_of_pinocchio(name: str) -> None:
    for seed in range(SEED, SEED + 5):
        model, data, q, v, rng = state(name, seed)
        normal = unit(rng)
        frames = rng.choice(np.arange(1, model.nframes), size=3, replace=False)
        impact = carom.pinocchio.problem(model, data, q, v, [(int(f), normal) for f in frames], mu=0.5)
        for at, frame in zip(impact.slices(), frames, strict=True):
            theirs = pin.computeFrameJacobian(model, data, q, int(frame), pin.LOCAL_WORLD_ALIGNED)[:3]
            assert largest(impact.jacobian[at] - axes(normal) @ theirs) <= AGREES * largest(theirs)
        assert (impact.mass == impact.mass.T).all()
        # Sum over bodies of what their inertia carries, plus armature.
        pin.computeJointJacobians(model, data, q)
        mass = np.diag(model.armature)
        for joint in range(1, model.njoints):
            rows = pin.getJointJacobian(model, data, joint, pin.LOCAL)
            mass = mass + rows.T @ model.inertias[joint].matrix() @ rows
        assert largest(impact.mass - mass) <= AGREES * largest(mass)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_equalities_of_newton_are_pinocchios_impulse_dynamics(name: str, e: float) -> None:
    compared = 0
    for seed in range(SEED, SEED + 20):
        model, data, q, v, rng = state(name, seed)
        contacts = [(model.names[-1], unit(rng)), (model.names[-2], unit(rng))]
        impact = carom.pinocchio.problem(model, data, q, v, contacts)
        if (impact.jacobian @ v > 0.0).any():
            v = -v if (impact.jacobian @ v > 0.0).all() else v
        if (impact.jacobian @ v > 0.0).any():
            continue
        outcome = carom.pinocchio.resolve(model, data, q, v, contacts, e=e, law="newton-equality")
        theirs = pin.impulseDynamics(model, data, q, v, impact.jacobian, e)
        assert largest(outcome.velocity - theirs) <= AGREES * largest(v)
        compared += 1
    assert compared >= 5


def test_sticking_is_pinocchios_impulse_dynamics() -> None:
    compared = 0
    for seed in range(SEED, SEED + 20):
        model, data, q, v, rng = state("humanoid", seed)
        contacts = [(model.names[-1], unit(rng))]
        impact = carom.pinocchio.problem(model, data, q, v, contacts, mu=np.inf)
        theirs = pin.impulseDynamics(model, data, q, v, impact.jacobian, 0.0)
        # What sticks in Pinocchio may be pulled; there Coulomb's contact lets go.
        if impact.jacobian[0] @ v >= 0.0 or data.impulse_c[0] <= 0.0:
            continue
        outcome = carom.pinocchio.resolve(model, data, q, v, contacts, np.inf, 0.0, "newton-coulomb")
        assert largest(outcome.velocity - theirs) <= AGREES * largest(v)
        compared += 1
    assert compared >= 3


@pytest.mark.parametrize("law", ["plus", "stiff-limit", "newton"])
def test_momentum_balances_and_energy_never_grows(law: carom.LawId) -> None:
    for seed in range(SEED, SEED + 10):
        model, data, q, v, rng = state("humanoid", seed)
        contacts = [(name, unit(rng)) for name in model.names[-3:]]
        held = pin.computeFrameJacobian(model, data, q, 4, pin.LOCAL_WORLD_ALIGNED)[:3].copy()
        v = v - np.linalg.lstsq(held, held @ v, rcond=None)[0]
        options: dict[str, Any] = {"bilateral": held}
        impact = carom.pinocchio.problem(model, data, q, v, contacts, 0.6, 0.4, **options)
        outcome = carom.pinocchio.resolve(model, data, q, v, contacts, 0.6, 0.4, law, **options)
        impulses = impact.jacobian.T @ outcome.impulse + held.T @ outcome.bilateral_impulse
        scale = largest(impact.mass @ v) + largest(impulses)
        assert largest(impact.mass @ (outcome.velocity - v) - impulses) <= AGREES * scale
        assert largest(held @ outcome.velocity) <= AGREES * largest(v)
        after = outcome.velocity @ impact.mass @ outcome.velocity
        assert after <= v @ impact.mass @ v * (1.0 + AGREES)


def test_joint_limits() -> None:
    model, data, q, v, _ = state("arm", SEED)
    q = np.zeros(model.nq)
    q[1], q[3] = model.upperPositionLimit[1], model.lowerPositionLimit[3] + 0.01
    v = np.zeros(model.nv)
    v[1], v[3] = 1.0, -1.0
    assert len(carom.pinocchio.problem(model, data, q, v, [])) == 0
    stopped = carom.pinocchio.problem(model, data, q, v, [], e_limit=0.5)
    assert stopped.sources == (("joint", 2),)
    both = carom.pinocchio.problem(model, data, q, v, [], e_limit=0.5, limit_margin=0.02)
    assert both.sources == (("joint", 2), ("joint", 4))
    outcome = both.resolve("newton-equality")
    assert outcome.velocity[[1, 3]] == pytest.approx([-0.5, 0.5], rel=AGREES)


def test_without_contacts_nothing_changes() -> None:
    model, data, q, v, _ = state("arm", SEED)
    outcome = carom.pinocchio.resolve(model, data, q, v, [])
    assert (outcome.velocity == v).all() and largest(outcome.impulse) == 0.0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"contacts": [("wrist1_joitn", (0, 0, 1))]}, ["contacts[0].frame = 'wrist1_joitn'", "mean 'wrist1_joint'"]),
        ({"contacts": [(999, (0, 0, 1))]}, ["contacts[0].frame = 999"]),
        ({"contacts": [(1, (0, 0, 2))]}, ["contacts[0].normal = ", "length 1"]),
        ({"contacts": [(1, (0, 1))]}, ["contacts[0].normal = ", "(3,)"]),
        ({"contacts": [1]}, ["contacts[0] = 1"]),
        ({"contacts": [Contact(normal=(0, 0, 1))]}, ["contacts[0] = ", "frame or joint"]),
        ({"contacts": [Contact(joint=2)]}, ["contacts[0].point = None"]),
        ({"contacts": [Contact(joint=99, point=(0, 0, 0))]}, ["contacts[0].joint = 99"]),
        ({"contacts": [Contact(1, other="nowhere")]}, ["contacts[0].other = 'nowhere'"]),
        ({"mu": [0.1, 0.2]}, ["mu = ", "(2,)", "1 contacts"]),
        ({"mu": -0.1}, ["mu = -0.1"]),
        ({"e": [0.1, 0.2, 0.3]}, ["e = ", "(3,)"]),
        ({"q": [0.0]}, ["q = ", "(6,)"]),
        ({"v": [0.0] * 7}, ["v = ", "(6,)"]),
        ({"v": [np.nan] * 6}, ["v = ", "finite"]),
        ({"bilateral": np.ones((1, 5))}, ["bilateral = ", "(b, 6)"]),
        ({"e_limit": "hard"}, ["e_limit = 'hard'"]),
    ],
)
def test_bad_arguments_are_named(change: dict[str, Any], words: list[str]) -> None:
    model, data, q, v, _ = state("arm", SEED)
    arguments = {"q": q, "v": v, "contacts": [(1, (0.0, 0.0, 1.0))], **change}
    with pytest.raises(carom.InputError) as caught:
        carom.pinocchio.resolve(model, data, **arguments)
    for word in words:
        assert word in str(caught.value)
