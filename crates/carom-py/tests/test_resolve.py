"""One impact from arrays."""

from __future__ import annotations

import inspect
import pickle
import threading
from typing import Any

import carom
import numpy as np
import numpy.typing as npt
import pytest

EPSILON = float(np.finfo(float).eps)


def box() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """A box of 2 kg, 1 m × 1 m × 0.2 m, that falls flat on the floor: mass, Jacobian, velocity."""
    mass = np.diag([2.0, 2.0, 2.0, 2 / 12 * 1.04, 2 / 12 * 1.04, 2 / 12 * 2.0])
    rows = []
    for x in (-0.5, 0.5):
        for y in (-0.5, 0.5):
            corner = np.array([x, y, -0.1])
            for axis in np.eye(3)[[2, 0, 1]]:
                rows.append(np.concatenate([axis, np.cross(corner, axis)]))
    return mass, np.array(rows), np.array([0.5, 0.0, -1.0, 0.0, 0.0, 0.0])


def test_a_box_falls_flat() -> None:
    mass, jacobian, velocity = box()
    out = carom.resolve(mass, jacobian, velocity, mu=0.0, e=0.5, rows=3, law="plus")
    np.testing.assert_allclose(out.velocity, [0.5, 0, 0.5, 0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(out.impulse.reshape(4, 3)[:, 0].sum(), 3.0, rtol=1e-12)
    np.testing.assert_allclose(out.contact_velocity, jacobian @ out.velocity, atol=1e-12)
    assert out.certificate.permissible and out.certificate
    assert out.energy == out.energy_change == out.certificate.energy_change
    assert out.kinetic_energy_change == pytest.approx(-0.75, rel=1e-12)
    assert out.law["id"] == "plus" and out.effort["rounds"] >= 1
    assert out.bodies == {} and out.trace is None and out.bilateral_impulse.shape == (0,)


def test_momentum_balances() -> None:
    mass, jacobian, velocity = box()
    velocity[3:] = [0.3, -0.2, 0.1]
    out = carom.resolve(mass, jacobian, velocity, mu=0.4, e=0.3, rows=3, law="plus")
    gained = mass @ (out.velocity - velocity) - jacobian.T @ out.impulse
    assert np.abs(gained).max() <= 64 * EPSILON * np.abs(jacobian.T @ out.impulse).max()
    assert out.energy_change < 0


def test_a_diagonal_mass_is_a_list() -> None:
    mass, jacobian, velocity = box()
    full = carom.resolve(mass, jacobian, velocity, mu=0.2, e=0.5, rows=3, law="plus")
    short = carom.resolve(np.diag(mass), jacobian, velocity, mu=0.2, e=0.5, rows=3, law="plus")
    np.testing.assert_allclose(short.velocity, full.velocity, rtol=1e-12, atol=1e-14)


def test_any_layout_and_kind_of_number() -> None:
    mass, jacobian, velocity = box()
    wanted = carom.resolve(mass, jacobian, velocity, mu=0.2, e=0.5, rows=3, law="plus").velocity
    wide = np.zeros((24, 12))
    wide[::2, ::2] = jacobian
    for same in (np.asfortranarray(jacobian), wide[::2, ::2], jacobian.tolist(), jacobian[::-1][::-1]):
        np.testing.assert_array_equal(carom.resolve(mass, same, velocity, mu=0.2, e=0.5, rows=3, law="plus").velocity, wanted)
    whole = (np.array([2], dtype=np.int32), np.array([[1]]), np.array([-3], dtype=np.int8))
    assert carom.resolve(*whole, e=1, rows=1, law="newton").velocity.tolist() == [3.0]
    half: Any = (np.array([2], dtype=np.float32), [[1]], np.array([-3], dtype=np.float16))
    assert carom.resolve(*half, e=np.float64(1), rows=[1], law="newton").velocity.tolist() == [3.0]


def test_numbers_that_processors_do_not_like() -> None:
    wanted = carom.resolve(*box(), mu=0.2, e=0.5, rows=3, law="plus").velocity
    mass, jacobian, velocity = box()
    records = np.zeros((12, 6), dtype=[("tag", "i4"), ("entry", "f8")])
    records["entry"] = jacobian
    shifted = np.frombuffer(b"x" + velocity.tobytes(), dtype=np.uint8)[1:].view(np.float64)
    swapped = mass.astype(">f8")
    out = carom.resolve(swapped, records["entry"], shifted, mu=0.2, e=0.5, rows=3, law="plus")
    np.testing.assert_array_equal(out.velocity, wanted)


def test_no_setting_hides_behind_an_argument() -> None:
    arguments = set(inspect.signature(carom.resolve).parameters)
    assert not any(arguments & set(law.settings) for law in carom.laws())


def test_arguments_are_left_alone() -> None:
    arguments = box()
    copies = [argument.copy() for argument in arguments]
    for argument in arguments:
        argument.flags.writeable = False
    carom.resolve(*arguments, mu=0.2, e=0.5, rows=3, law="plus")
    for argument, copy in zip(arguments, copies, strict=True):
        np.testing.assert_array_equal(argument, copy)


def test_a_sparse_jacobian() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    mass, jacobian, velocity = box()
    wanted = carom.resolve(mass, jacobian, velocity, mu=0.2, e=0.5, rows=3, law="plus").velocity
    for form in (sparse.csr_matrix, sparse.coo_array, sparse.csc_matrix):
        out = carom.resolve(mass, form(jacobian), velocity, mu=0.2, e=0.5, rows=3, law="plus")
        np.testing.assert_allclose(out.velocity, wanted, rtol=1e-13, atol=1e-15)


def test_rows_follow_from_arrays() -> None:
    # Two carts between two walls, one row each.
    out = carom.resolve([1, 1], [[1, 0], [0, -1]], [-1, 2], e=[0.5, 0.25])
    np.testing.assert_allclose(out.velocity, [0.5, -0.5])
    mixed = carom.resolve([1, 1, 1], np.eye(3), [-1, 0.5, -2], e=1.0, mu=[0.1, 0.0], rows=[2, 1])
    np.testing.assert_allclose(mixed.velocity, [1, 0.3, 2])


def test_joints_drive_and_stiffness() -> None:
    # Two carts of 1 and 2 kg, coupled by a rod, run into a wall that comes towards them.
    out = carom.resolve([1, 2], [[-1, 0]], [3, 3], e=0.5, rows=1, bilateral=[[1, -1]], drive=[-1.0])
    np.testing.assert_allclose(out.velocity, [-3, -3], rtol=1e-14)
    np.testing.assert_allclose(abs(out.bilateral_impulse), [12.0], rtol=1e-14)
    assert out.certificate.bilateral_residual <= 1e-14
    chain: Any = ([1, 1, 1], [[-1, 1, 0], [0, -1, 1]], [1, 0, 0])
    even = carom.resolve(*chain, e=1.0, law="lzb", rows=1)
    stiff = carom.resolve(*chain, e=1.0, law="lzb", rows=1, stiffness=[1.0, 100.0])
    assert np.abs(even.velocity - stiff.velocity).max() > 0.01


def test_restitution_may_depend_on_speed() -> None:
    curve = {"minimum": 0.2, "capture_speed": 0.1, "plastic_speed": 1.0}
    slow = carom.resolve([1], [[1]], [-0.05], e=curve, rows=1)
    fast = carom.resolve([1], [[1]], [-2.0], e=curve, rows=1)
    assert slow.velocity[0] == pytest.approx(0, abs=1e-15) and fast.velocity[0] == pytest.approx(0.4)
    each: list[float | dict[str, float]] = [curve, 1.0]
    both = carom.resolve([1, 1], np.eye(2), [-2, -2], e=each)
    np.testing.assert_allclose(both.velocity, [0.4, 2.0])


def test_a_row_of_the_catalogue_is_a_law() -> None:
    arguments: Any = ([[1, 0], [0, 3]], [-1, 2])
    for law in carom.laws():
        if law.id in ("brach", "permissible-projected"):
            # They want settings of their own.
            continue
        named = carom.resolve_contact(*arguments, mu=0.3, e=0.5, rows=2, law=law.id)
        assert carom.resolve_contact(*arguments, mu=0.3, e=0.5, rows=2, law=law).to_dict() == named.to_dict()
    last = carom.laws()[-1]
    disk: dict[str, Any] = {"delassus": arguments[0], "contact_velocity": arguments[1], "contacts": [{"mu": 0.3, "e": 0.5}]}
    assert carom.Problem(disk | {"law": last}).resolve().law["id"] == last.id
    assert list(carom.compare(disk, [last, "smith"]).index) == [last.id, "smith"]
    nested = carom.Problem(disk).resolve("sequential", pairwise=carom.Law("smith"))
    assert nested.law["pairwise"]["id"] == "smith"
    assert carom.plot(disk, law=[last]).svg.startswith("<svg") and carom.plot(disk, law=last).svg.startswith("<svg")


def test_arrays_of_problems_and_outcomes_are_closed_to_writing() -> None:
    problem = carom.Problem.from_arrays(*box(), mu=0.2, e=0.5, rows=3)
    for name in ("mu", "e", "e_t", "contact_velocity", "delassus"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(problem, name)[0] = 0.9
    out = problem.resolve("plus")
    for name in ("velocity", "impulse", "contact_velocity"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(out, name)[0] = 0.9
        mine = getattr(out, name).copy()
        mine[0] = 0.9
    assert problem.mu.tolist() == [0.2] * 4


def test_arrays_make_a_problem() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    mass, jacobian, velocity = box()
    curve = {"minimum": 0.2, "capture_speed": 0.1, "plastic_speed": 2.0}
    more: dict[str, Any] = {
        "mu": [0.2, np.inf, 0.0, 0.3],
        "e": [0.5, curve, 1.0, 0.0],
        "e_t": [0.0, 0.0, 0.5, 0.0],
        "stiffness": [1.0, 2.0, 1.0, 1.0],
        "drive": np.linspace(-0.1, 0.1, 12),
        "bilateral": [[0.0, 1.0, 0.0, 0.0, 0.0, 0.0]],
    }
    wanted = carom.resolve(mass, jacobian, velocity, law="stiff-limit", **more).to_dict()
    for form in (mass, np.diag(mass)):
        for rows in (jacobian, sparse.csr_matrix(jacobian)):
            problem = carom.Problem.from_arrays(form, rows, velocity, law="stiff-limit", title="box", **more)
            answer = problem.resolve().to_dict()
            np.testing.assert_allclose(answer["velocity"], wanted["velocity"], rtol=1e-9, atol=1e-12)
            assert problem.title == "box" and len(problem) == 4 and problem.rows == [3] * 4
            assert carom.Problem(problem.to_dict()).resolve().to_dict() == answer
    exact = carom.Problem.from_arrays(mass, jacobian, velocity, law="stiff-limit", **more)
    assert exact.resolve().to_dict() == wanted
    near = carom.Problem.from_arrays([1.0, 1.0], np.eye(2), [-1.0, -1.0], e=1.0, rows=1, gap=[0.0, 0.01])
    assert near.resolve("newton").velocity.tolist() == [1.0, -1.0]
    far = carom.Problem.from_arrays([1.0, 1.0], np.eye(2), [-1.0, -1.0], e=1.0, rows=1, gap=[0.0, 0.01], proximity=0.1)
    assert far.resolve("newton").velocity.tolist() == [1.0, 1.0]
    with pytest.raises(carom.BadProblem, match="separating at"):
        carom.Problem.from_arrays([1.0], [[1.0]], [1.0], e=0.5, separating="refuse").resolve()
    with pytest.raises(carom.BadProblem, match=r"velocity\[0\] = NaN"):
        carom.Problem.from_arrays([1.0], [[1.0]], [np.nan], e=0.5)


def test_laws_take_settings() -> None:
    arguments: Any = ([[1, 0], [0, 3]], [-1, 2])
    one = carom.resolve_contact(*arguments, mu=0.3, e=0.5, rows=2, law="pfeiffer-glocker", nu=0.25)
    law = {"id": "pfeiffer-glocker", "nu": 0.25}
    table = carom.resolve_contact(*arguments, mu=0.3, e=0.5, rows=2, law=law)
    assert one.to_dict() == table.to_dict() and one.law == law
    assert carom.resolve_contact(*arguments, mu=0.3, e=0.5, rows=2, law=law, nu=1.0).law["nu"] == 1.0


def test_contact_space() -> None:
    out = carom.resolve_contact([[1, 0], [0, 3]], [-1, 2], mu=0.25, e=0.5, rows=2)
    assert out.law["id"] == "chatterjee-ruina"
    np.testing.assert_allclose(out.impulse, [1.5, -0.375], rtol=1e-14)
    with pytest.raises(AttributeError, match="contact_velocity"):
        _ = out.velocity
    assert not hasattr(out, "velocity") and out.kinetic_energy_change is None
    several = carom.resolve_contact([[2, -1], [-1, 2]], [-1, 0], e=[1, 1])
    assert several.law["id"] == "sequential"


def test_one_rule_says_which_law_is_asked_where_none_is_named() -> None:
    mass, jacobian, velocity = box()
    rough = carom.resolve(mass, jacobian, velocity, mu=0.2, e=0.5, rows=3)
    smooth = carom.resolve(mass, jacobian, velocity, e=0.5, rows=3)
    assert (rough.law["id"], smooth.law["id"]) == ("stiff-limit", "sequential")
    document: dict[str, Any] = {"mass": mass, "jacobian": jacobian, "velocity": velocity}
    contacts = {"contacts": [{"mu": 0.2, "e": 0.5}] * 4}
    assert carom.Problem(document | contacts).resolve().to_dict() == rough.to_dict()
    with pytest.raises(carom.BadSetting, match="max_round") as bad:
        carom.resolve(mass, jacobian, velocity, e=0.5, rows=3, max_round=3)
    assert bad.value.law == "sequential"


def test_traces() -> None:
    path = carom.resolve_contact([[1, 0], [0, 3]], [-1, 2], mu=0.25, e=0.5, rows=2, law="routh-stronge", trace=True)
    assert path.trace is not None and path.trace["events"][0]["event"] == "start"
    steps = carom.resolve(*box(), mu=0.2, e=0.5, rows=3, law="plus", trace=True)
    assert steps.trace is not None and steps.trace["left_out"] == 0 and steps.trace["steps"]


def test_contacts_that_separate() -> None:
    out = carom.resolve([1], [[1]], [1.0], e=0.5, rows=1)
    assert out.velocity.tolist() == [1.0] and "normal" in out.notes[0]
    with pytest.raises(carom.BadProblem, match="separating at 1 m/s"):
        carom.resolve([1], [[1]], [1.0], e=0.5, rows=1, separating="refuse")
    with pytest.raises(carom.BadProblem, match="separating"):
        carom.resolve([1], [[1]], [1.0], e=0.5, rows=1, separating="yes")  # type: ignore[arg-type]


def test_signatures_can_be_seen() -> None:
    signature = inspect.signature(carom.resolve)
    assert list(signature.parameters)[:5] == ["mass", "jacobian", "velocity", "mu", "e"]
    assert signature.parameters["law"].default is None
    assert signature.parameters["e"].default is inspect.Parameter.empty
    for function in (carom.resolve, carom.resolve_contact, carom.compare, carom.region, carom.plot, carom.Outcome):
        assert function.__doc__


def test_threads_work_side_by_side() -> None:
    wanted = carom.resolve(*box(), mu=0.2, e=0.5, rows=3, law="plus").velocity
    found: list[Any] = []

    def work() -> None:
        found.extend(carom.resolve(*box(), mu=0.2, e=0.5, rows=3, law="plus").velocity for _ in range(50))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 200 and all((velocity == wanted).all() for velocity in found)


def test_errors_travel_between_processes() -> None:
    with pytest.raises(carom.BadProblem) as caught:
        carom.resolve([1], [[1]], [np.nan], e=0.5, rows=1)
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.field, error.value, error.kind) == ("velocity[0]", "NaN", "bad_problem")
    assert str(error) == str(caught.value)
