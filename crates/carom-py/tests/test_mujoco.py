"""``carom.mujoco`` against MuJoCo itself: matrices, balances, and what is refused."""

from __future__ import annotations

import doctest
from typing import Any

import numpy as np
import pytest

import carom

mujoco = pytest.importorskip("mujoco")

import carom.mujoco  # noqa: E402
from mujoco_scenes import disturb, load  # noqa: E402

# Agreement with the engine's own matrices, relative to their largest entry.
AGREES = 1e-12
# Rounding of balances, relative to the momentum, the energy or the speed there is.
BALANCES = 1e-12
NAMES = ["boxes", "cradle", "limits", "equalities", "humanoid"]
SEED = 20261116


def test_the_docstring_runs() -> None:
    result = doctest.testmod(carom.mujoco)
    assert result.attempted > 0 and result.failed == 0


def largest(array: Any) -> float:
    return float(np.abs(array).max(initial=0.0))


def engine_rows(model: Any, data: Any) -> np.ndarray:
    """MuJoCo's constraint Jacobian from products with unit vectors: neither dense nor sparse storage is read."""
    rows = np.empty((data.nefc, model.nv))
    for column in range(model.nv):
        product = np.empty(data.nefc)
        mujoco.mj_mulJacVec(model, data, product, np.eye(model.nv)[column])
        rows[:, column] = product
    return rows


def mass_from_bodies(model: Any, data: Any) -> np.ndarray:
    """The mass matrix as the sum over bodies of what their centres and their turning carry, plus armature."""
    mass = np.diag(model.dof_armature).astype(float)
    for body in range(1, model.nbody):
        centre, turning = np.empty((3, model.nv)), np.empty((3, model.nv))
        mujoco.mj_jacBodyCom(model, data, centre, turning, body)
        axes = data.ximat[body].reshape(3, 3)
        inertia = axes @ np.diag(model.body_inertia[body]) @ axes.T
        mass += model.body_mass[body] * centre.T @ centre + turning.T @ inertia @ turning
    return mass


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("name", NAMES)
def test_matrices_are_those_of_mujoco(name: str, jacobian: str) -> None:
    model, data = load(name, "elliptic", jacobian)
    rng = np.random.default_rng(SEED)
    seen: set[str] = set()
    for _ in range(10):
        disturb(model, data, rng)
        impact = carom.mujoco.problem(model, data)
        rows = engine_rows(model, data)
        kinds = data.efc_type
        limit = iter(np.flatnonzero(np.isin(kinds, [3, 4])))
        for (what, index), at in zip(impact.sources, impact.slices(), strict=True):
            start = data.contact[index].efc_address if what == "contact" else next(limit)
            theirs = rows[start : start + at.stop - at.start]
            assert largest(impact.jacobian[at] - theirs) <= AGREES * largest(theirs)
            seen.add(what)
        assert next(limit, None) is None
        assert largest(impact.bilateral - rows[: data.ne]) <= AGREES
        assert (impact.mass == impact.mass.T).all()
        product = np.empty(model.nv)
        mujoco.mj_mulM(model, data, product, data.qvel)
        assert largest(impact.mass @ data.qvel - product) <= AGREES * largest(impact.mass)
        assert largest(impact.mass - mass_from_bodies(model, data)) <= AGREES * largest(impact.mass)
    assert seen == {"limits": {"joint", "tendon"}, "humanoid": {"contact", "joint"}}.get(name, {"contact"})


def test_the_cone_of_mujoco_changes_nothing() -> None:
    for name in NAMES:
        found = []
        for cone in ("elliptic", "pyramidal"):
            model, data = load(name, cone)
            disturb(model, data, np.random.default_rng(SEED))
            found.append(carom.mujoco.problem(model, data))
        assert (found[0].jacobian == found[1].jacobian).all()
        assert (found[0].mu == found[1].mu).all() and found[0].sources == found[1].sources


def test_rows_follow_condim_and_friction() -> None:
    model, data = load("boxes")
    impact = carom.mujoco.problem(model, data)
    dims = np.array([data.contact[i].dim for _, i in impact.sources])
    assert set(dims) == {1, 3, 4, 6}
    assert (impact.rows == np.where(dims == 1, 1, 3)).all()
    assert (impact.mu == np.where(dims == 1, 0.0, 1.0)).all()
    assert (carom.mujoco.problem(model, data, mu=0.0).rows == 1).all()
    half = carom.mujoco.problem(model, data, mu={("floor", "low"): 0.5})
    for (_, index), mu in zip(half.sources, half.mu, strict=True):
        pair = {model.geom(g).name for g in data.contact[index].geom}
        assert mu == (0.5 if pair == {"floor", "low"} else 0.0 if data.contact[index].dim == 1 else 1.0)


CONSERVATIVE = [law.id for law in carom.laws() if law.several_contacts and law.claims["energy"]]


@pytest.mark.parametrize("law", CONSERVATIVE)
@pytest.mark.parametrize("name", NAMES)
def test_momentum_balances_and_energy_never_grows(name: str, law: str) -> None:
    model, data = load(name)
    rng = np.random.default_rng(SEED)
    answered = 0
    for e in (0.0, 0.5, 1.0):
        for _ in range(4):
            disturb(model, data, rng, size=0.005)
            impact = carom.mujoco.problem(model, data, e=e, e_limit=e)
            before = data.qvel.copy()
            try:
                outcome = carom.mujoco.resolve(model, data, law, e=e, e_limit=e)
            except carom.LimitError:
                # Limbs of the humanoid wedged between others, which stiff contacts never release.
                continue
            answered += len(impact) > 0
            momentum = impact.mass @ (outcome.velocity - before)
            impulses = impact.jacobian.T @ outcome.impulse
            if len(impact.bilateral):
                impulses = impulses + impact.bilateral.T @ outcome.bilateral_impulse
            scale = largest(impact.mass @ before) + largest(impulses)
            assert largest(momentum - impulses) <= BALANCES * scale
            start = 0.5 * before @ impact.mass @ before
            end = 0.5 * outcome.velocity @ impact.mass @ outcome.velocity
            assert end <= start * (1.0 + BALANCES)
            assert largest(impact.bilateral @ outcome.velocity) <= BALANCES * largest(before)
    assert answered >= 11


def test_a_ball_bounces_by_its_table() -> None:
    model, data = load("boxes")
    data.qpos[2::7] += [0.0, 5.0, 0.02, 5.0]
    data.qpos[14] -= 2.0
    data.qvel[:] = 0.0
    data.qvel[14] = -2.0
    data.qpos[2] += 5.0
    for table in ({("ball", "floor"): 0.8}, {("floor", "ball"): 0.8}, {"default": 0.8, ("low", "high"): 0.1}):
        outcome = carom.mujoco.resolve(model, data, e=table)
        assert outcome.velocity[14] == pytest.approx(1.6, rel=1e-12)
    ids = (model.geom("ball").id, model.geom("floor").id)
    assert carom.mujoco.resolve(model, data, e={ids: 0.8}).velocity[14] == pytest.approx(1.6, rel=1e-12)
    assert carom.mujoco.resolve(model, data, e={("low", "high"): 0.8}).velocity[14] == pytest.approx(0.0, abs=1e-12)
    outcome = carom.mujoco.resolve(model, data, e=lambda contact: 0.25 if contact.dim == 1 else 0.0)
    assert outcome.velocity[14] == pytest.approx(0.5, rel=1e-12)
    curve = {"minimum": 0.5, "capture_speed": 0.01, "plastic_speed": 10.0}
    bounced = carom.mujoco.resolve(model, data, e={("ball", "floor"): curve}).velocity[14]
    assert bounced == pytest.approx(carom.mujoco.resolve(model, data, e=curve).velocity[14], rel=1e-12)
    assert 1.0 < bounced < 2.0


def test_each_limit_has_its_restitution() -> None:
    model, data = load("limits")
    data.qpos[:] = [0.6, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0]
    data.qvel[:] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    for e in (0.0, 0.5):
        impact = carom.mujoco.problem(model, data, e_limit={"hinge": e, "default": 0.0})
        outcome = impact.resolve("newton")
        hinge = [at for source, at in zip(impact.sources, impact.slices(), strict=True) if source == ("joint", 0)]
        assert len(hinge) == 1
        assert outcome.contact_velocity[hinge[0]] == pytest.approx(e, abs=1e-12)
    assert all(what == "contact" for what, _ in carom.mujoco.problem(model, data, limits=False).sources)


def test_surfaces_that_move_drive_the_contact() -> None:
    xml = """
    <mujoco><option cone="elliptic"/><worldbody>
      <geom name="belt" type="plane" size="5 5 1" surfacevel="1 -.5 0 0 0 0"/>
      <body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    </worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    data.qvel[:] = [0.3, 0.2, -1.0, 0.1, 0.2, 0.3]
    mujoco.mj_forward(model, data)
    impact = carom.mujoco.problem(model, data)
    assert largest(impact.jacobian @ data.qvel + impact.drive - data.efc_vel) <= AGREES
    data.qvel[:] = [0.0, 0.0, -1.0, 0.0, 0.0, 0.0]
    outcome = carom.mujoco.resolve(model, data, "newton-coulomb", mu=10.0)
    # The belt takes the box along; where it starts to tip, the edge in front does.
    assert outcome.velocity[0] > 0.1 and outcome.velocity[1] < -0.05


def test_without_contacts_nothing_changes() -> None:
    model, data = load("boxes")
    data.qpos[2::7] += [1.0, 2.0, 3.0, 4.0]
    data.qvel[:] = np.arange(model.nv)
    outcome = carom.mujoco.resolve(model, data)
    assert (outcome.velocity == data.qvel).all()
    assert largest(outcome.impulse) == 0.0
    assert len(carom.mujoco.problem(model, data)) == 0


def test_contacts_that_separate_get_no_impulse() -> None:
    model, data = load("boxes")
    data.qvel[:] = 0.0
    # Everything moves up and apart.
    data.qvel[2::6] = [1.0, 2.0, 1.0, 1.0]
    data.qvel[12], data.qvel[18] = -1.0, 1.0
    outcome = carom.mujoco.resolve(model, data, e=0.5)
    assert largest(outcome.impulse) == 0.0 and (outcome.velocity == data.qvel).all()


def test_distance_and_excluded_geoms() -> None:
    xml = """
    <mujoco><worldbody>
      <geom name="floor" type="plane" size="5 5 1" margin=".05"/>
      <body name="far" pos="0 0 .12"><freejoint/><geom size=".1" margin="0"/></body>
      <body name="near" pos="1 0 .1"><freejoint/><geom size=".1"/></body>
      <body name="gap" pos="2 0 .12"><freejoint/><geom size=".1" gap=".05"/></body>
      <body name="out" pos="3 0 .1"><freejoint/><geom size=".1"/></body>
    </worldbody><contact><exclude body1="world" body2="out"/></contact></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)

    def touched(**options: Any) -> set[str]:
        impact = carom.mujoco.problem(model, data, **options)
        return {model.body(model.geom_bodyid[data.contact[i].geom[1]]).name for _, i in impact.sources}

    included = {model.body(model.geom_bodyid[contact.geom[1]]).name for contact in data.contact if contact.exclude == 0}
    assert included <= touched() and "out" not in touched()
    assert {"far", "near"} <= touched() and "far" not in touched(max_distance=0.01)
    assert touched(max_distance=1e-6) == {"near"}


def test_writing_and_positions_of_the_step_before() -> None:
    model, data = load("boxes")
    data.qvel[2] = -1.0
    before = data.qvel.copy()
    outcome = carom.mujoco.resolve(model, data)
    assert (data.qvel == before).all()
    carom.mujoco.resolve(model, data, write=True)
    assert (data.qvel == outcome.velocity).all()
    # Lifted, and not yet told to MuJoCo: contacts are those of the pose before unless they are renewed.
    data.qpos[2::7] += [1.0, 2.0, 3.0, 4.0]
    assert len(carom.mujoco.problem(model, data, forward=False)) > 0
    assert len(carom.mujoco.problem(model, data)) == 0


def test_free_step_leaves_the_switches_as_they_were() -> None:
    model, data = load("boxes")
    flags = model.opt.disableflags
    height = data.qpos[2]
    carom.mujoco.free_step(model, data)
    assert model.opt.disableflags == flags and data.qpos[2] < height
    assert data.qvel[2] == pytest.approx(-9.81 * model.opt.timestep)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"e": {("bal", "floor"): 0.5}}, ["e = 'bal'", "no geom", "did you mean 'ball'"]),
        ({"mu": {("ball", "flor"): 0.5}}, ["mu = 'flor'", "did you mean 'floor'"]),
        ({"e": {("ball", 99): 0.5}}, ["e = 99", "0 to 4"]),
        ({"e": {"ball": 0.5}}, ["e = 'ball'", "pairs of geoms"]),
        ({"e": {("ball", "ball"): 0.5}}, ["e = ", "one geom twice"]),
        ({"e": {("ball", "floor"): 0.5, ("floor", "ball"): 0.6}}, ["e = ", "stands twice"]),
        ({"e": {("ball", "floor"): "much"}}, ["e[", "'much'"]),
        ({"e": [0.5, 0.5]}, ["e = [0.5, 0.5]", "table"]),
        ({"e": lambda contact: None}, ["e = None"]),
        ({"mu": {"minimum": 0.1}}, ["mu = 'minimum'"]),
        ({"e_limit": {"elbow": 0.5}}, ["e_limit = 'elbow'"]),
        ({"e_limit": [1.0]}, ["e_limit = [1.0]"]),
        ({"e": 1.5}, ["contacts[0].e = 1.5"]),
        ({"e": float("nan")}, ["e[0] = NaN"]),
        ({"mu": -1.0}, ["mu = -1"]),
        ({"mu": float("nan")}, ["mu = nan"]),
        ({"law": "pluss"}, ["`pluss`", "`plus`"]),
    ],
)
def test_bad_arguments_are_named(options: dict[str, Any], words: list[str]) -> None:
    model, data = load("boxes")
    data.qvel[2] = -1.0
    with pytest.raises(carom.InputError) as caught:
        carom.mujoco.resolve(model, data, **options)
    for word in words:
        assert word in str(caught.value)


def test_elliptic_friction_and_models_without_freedom_are_refused() -> None:
    xml = """
    <mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
      <body pos="0 0 .1"><freejoint/><geom name="ball" size=".1"/></body></worldbody>
      <contact><pair geom1="ball" geom2="floor" friction="1 .5 .005 .0001 .0001"/></contact></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    with pytest.raises(carom.InputError, match="friction = .1.0, 0.5.: .*`mu`"):
        carom.mujoco.resolve(model, data)
    assert carom.mujoco.problem(model, data, mu=0.7).mu.tolist() == [0.7]
    still = mujoco.MjModel.from_xml_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    with pytest.raises(carom.InputError, match="model.nv = 0"):
        carom.mujoco.resolve(still, mujoco.MjData(still))
