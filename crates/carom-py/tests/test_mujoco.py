"""``carom.mujoco`` against MuJoCo itself: matrices, balances, and what is refused."""

from __future__ import annotations

import doctest
import importlib
import sys
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
def test_momentum_balances_and_energy_never_grows(name: str, law: carom.LawId) -> None:
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


def test_numbers_and_curves_mix() -> None:
    model, data = load("boxes")
    data.qvel[2::6] = -1.0
    curve = {"minimum": 0.5, "capture_speed": 0.01, "plastic_speed": 10.0}
    impact = carom.mujoco.problem(model, data, e={("ball", "floor"): curve, ("low", "floor"): 0.3})
    assert {type(e) for e in impact.e} == {dict, float}
    outcome = impact.resolve("plus")
    alone = carom.mujoco.resolve(model, data, e={("ball", "floor"): curve})
    # The ball touches nothing but the floor.
    assert outcome.velocity[14] == alone.velocity[14] > 0.5


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


def test_what_rests_does_not_sink() -> None:
    model, data = load("boxes")
    for _ in range(100):
        carom.mujoco.step(model, data)
    deepest = data.contact.dist.min()
    for _ in range(100):
        carom.mujoco.step(model, data)
    # Gravity would have moved them by g h² in each step, 4 mm in all.
    assert data.contact.dist.min() > deepest - 1e-4


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


def test_models_that_cannot_be_resolved_are_refused() -> None:
    xml = """
    <mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
      <body pos="0 0 .1"><freejoint/><geom name="ball" size=".1"/></body></worldbody>
      <contact><pair geom1="ball" geom2="floor" friction="1 .5 .005 .0001 .0001"/></contact></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    with pytest.raises(carom.InputError, match="friction = .1.0, 0.5.: .*`mu`"):
        carom.mujoco.resolve(model, data)
    assert carom.mujoco.problem(model, data, mu=0.7).mu.tolist() == [0.7]
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    with pytest.raises(carom.InputError, match=r"model.opt.disableflags = 1: .*free_step"):
        carom.mujoco.resolve(model, data, mu=0.7)
    still = mujoco.MjModel.from_xml_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    with pytest.raises(carom.InputError, match="model.nv = 0"):
        carom.mujoco.resolve(still, mujoco.MjData(still))


def state(model: Any, data: Any) -> np.ndarray:
    everything = int(mujoco.mjtState.mjSTATE_INTEGRATION)
    numbers = np.empty(mujoco.mj_stateSize(model, everything))
    mujoco.mj_getState(model, data, numbers, everything)
    return numbers


def test_a_step_that_fails_changes_nothing() -> None:
    model, data = load("boxes")
    data.qvel[2::6] = -1.0
    mujoco.mj_forward(model, data)
    before = state(model, data)
    flags = model.opt.disableflags

    def interrupted(contact: Any) -> float:
        raise KeyboardInterrupt

    failures: list[tuple[dict[str, Any], type[BaseException]]] = [
        # One contact only: no answer where there are several.
        ({"law": "smith"}, carom.NotApplicable),
        ({"law": "nothing"}, carom.UnknownLaw),
        ({"law": "plus", "max_round": 3}, carom.BadSetting),
        ({"e": 1.5}, carom.InputError),
        ({"e": interrupted}, KeyboardInterrupt),
        ({"repair": -1.0}, carom.InputError),
    ]
    for arguments, error in failures:
        with pytest.raises(error):
            carom.mujoco.step(model, data, **arguments)
        assert state(model, data).tobytes() == before.tobytes() and model.opt.disableflags == flags
        if "repair" not in arguments:
            with pytest.raises(error):
                carom.mujoco.hybrid_step(model, data, speed=0.1, **arguments)
            assert state(model, data).tobytes() == before.tobytes()
    carom.mujoco.step(model, data)
    assert data.time == model.opt.timestep and state(model, data).tobytes() != before.tobytes()


def test_an_older_mujoco_is_refused_with_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mujoco, "__version__", "3.17.0")
    monkeypatch.delitem(sys.modules, "carom.mujoco")
    with pytest.raises(ImportError, match=r"needs MuJoCo 4, this is 3.17.0: pip install 'carom\[mujoco\]'"):
        importlib.import_module("carom.mujoco")


BALL = """
<mujoco><option timestep="{step}"/><worldbody><geom name="floor" type="plane" size="5 5 1"/>
  <body pos="0 0 {height}"><freejoint/><geom name="ball" size=".1" mass="1"/></body></worldbody></mujoco>"""


def ball(height: float, step: float = 0.002) -> tuple[Any, Any]:
    model = mujoco.MjModel.from_xml_string(BALL.format(height=height, step=step))
    return model, mujoco.MjData(model)


def test_bodies_that_penetrate_are_moved_apart() -> None:
    # A heavy box stands on the floor, a light one has sunk into both of its neighbours.
    xml = """
    <mujoco><worldbody><geom type="plane" size="5 5 1"/>
      <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1" mass="10"/></body>
      <body pos=".03 .02 .28"><freejoint/><geom type="box" size=".1 .1 .1" mass=".1"/></body>
      <body pos="1 0 0"><joint name="h" axis="0 1 0" range="-10 10"/><geom size=".05" pos=".3 0 1" mass="1"/></body>
    </worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    data.qpos[-1] = np.deg2rad(12.0)
    data.qvel[:] = np.linspace(-1.0, 1.0, model.nv)
    velocity = data.qvel.copy()
    depth = 1e-4
    left = carom.mujoco.repair(model, data, depth)
    mujoco.mj_forward(model, data)
    assert data.ncon >= 8
    # Contacts touch as deep as is allowed, none deeper, and none was thrown off.
    assert -data.contact.dist.min() <= left * (1.0 + BALANCES) <= depth * (1.0 + 1e-5)
    assert data.qpos[2] == pytest.approx(0.1 - depth, rel=1e-9) and data.qpos[9] == pytest.approx(0.3 - 2 * depth, rel=1e-9)
    assert np.rad2deg(data.qpos[-1]) == pytest.approx(10.0 + np.rad2deg(depth), abs=1e-6)
    assert (data.qvel == velocity).all()
    pose = data.qpos.copy()
    assert carom.mujoco.repair(model, data, depth) == left and (data.qpos == pose).all()
    with pytest.raises(carom.InputError, match="repair = nan"):
        carom.mujoco.repair(model, data, float("nan"))


def test_light_bodies_give_way_to_heavy_ones() -> None:
    xml = """
    <mujoco><worldbody>
      <body><joint type="slide" axis="1 0 0"/><geom size=".1" mass="{}"/></body>
      <body pos=".17 0 0"><joint type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body>
    </worldbody></mujoco>"""
    for mass, share in ((1.0, 0.5), (9.0, 0.1)):
        model = mujoco.MjModel.from_xml_string(xml.format(mass))
        data = mujoco.MjData(model)
        assert carom.mujoco.repair(model, data) <= 1e-8
        assert data.qpos[0] == pytest.approx(-0.03 * share, rel=1e-6)
        assert data.qpos[1] == pytest.approx(0.03 * (1.0 - share), rel=1e-6)


def test_a_step_may_repair() -> None:
    model, data = ball(0.08)
    carom.mujoco.step(model, data)
    assert data.qpos[2] < 0.081
    carom.mujoco.step(model, data, repair=1e-3)
    assert data.qpos[2] == pytest.approx(0.099, rel=1e-6)
    # Bodies stay in contact, and at rest.
    for _ in range(100):
        outcome = carom.mujoco.step(model, data, repair=1e-3)
    assert outcome.impulse[0] == pytest.approx(9.81 * model.opt.timestep, rel=1e-9)
    assert data.qpos[2] == pytest.approx(0.099, rel=1e-6)


def test_mujoco_carries_what_lasts() -> None:
    model, data = ball(1.1, step=5e-4)
    drop, e = 1.0, 0.8
    impacts: list[float] = []
    heights: list[float] = []
    top = 0.0
    while data.time < 12.0:
        speed = -float(data.qvel[2])
        outcome = carom.mujoco.hybrid_step(model, data, e=e, speed=0.2)
        if outcome is not None:
            impacts.append(speed)
            heights.append(top)
            top = 0.0
            assert outcome.certificate.permissible and outcome.velocity[2] == pytest.approx(e * speed, rel=1e-9)
            # MuJoCo has not pushed a second time: gravity alone has acted since.
            assert data.qvel[2] == pytest.approx(e * speed - 9.81 * model.opt.timestep, rel=1e-9)
        top = max(top, float(data.qpos[2]) - 0.1)
    # Each rebound goes e² as high as the one before.
    np.testing.assert_allclose(heights[1:5], [drop * e ** (2 * k) for k in range(1, 5)], rtol=0.03)
    assert min(impacts) > 0.2
    # In the end the ball lies in MuJoCo's own contact.
    assert abs(data.qvel[2]) < 1e-6 and data.ncon == 1 and abs(data.qpos[2] - 0.1) < 2e-3
    with pytest.raises(carom.InputError, match="speed = 0"):
        carom.mujoco.hybrid_step(model, data, speed=0.0)
