"""Forces that a function of Python says."""

from __future__ import annotations

import threading
import time
from typing import Any

import carom
import numpy as np
import pytest
from motions import bouncing, flying, thrown


def spring(t: float, state: carom.States) -> dict[str, Any]:
    """A spring to the origin and a spring that turns back."""
    return {"ball": (-18.0 * state.position["ball"], -2.0 * state.orientation["ball"])}


def test_an_oscillator_in_the_plane() -> None:
    body = {**flying()["bodies"][0], "angular_velocity": 1.0}
    times = np.linspace(0, 2, 50)
    motion = carom.simulate(flying(bodies=[body]), at=times, forces=spring)
    np.testing.assert_allclose(motion.position["ball"], np.column_stack([np.cos(3 * times), np.sin(3 * times)]), atol=1e-8)
    np.testing.assert_allclose(motion.orientation["ball"], np.sin(2 * times) / 2, atol=1e-8)
    # Dense output knows of the forces.
    assert motion.at(times).positions.tobytes() == motion.positions.tobytes()
    assert motion.ledger["forces"] == pytest.approx(motion.energy.total[-1] - motion.energy.total[0], abs=1e-8)


def test_every_form_gives_the_same() -> None:
    times = np.linspace(0, 2, 20)

    def rows(t: float, state: carom.States) -> Any:
        return np.column_stack([-18.0 * state.positions, -2.0 * state.orientations])

    def flat(t: float, state: carom.States) -> Any:
        return {"ball": [*(-18.0 * state.position["ball"]), -2.0 * state.orientation["ball"]]}

    reference = carom.simulate(flying(), at=times, forces=spring).positions.tobytes()
    for forces in (rows, flat, lambda t, state: rows(t, state).tolist()):
        assert carom.simulate(flying(), at=times, forces=forces).positions.tobytes() == reference
    force_alone = carom.simulate(flying(), at=times, forces=lambda t, state: {"ball": -18.0 * state.position["ball"]})
    assert force_alone.positions.tobytes() == reference


def test_in_space_torques_turn() -> None:
    body = {"name": "top", "mass": 1.0, "inertia": [0.1, 0.1, 0.2], "position": [0, 0, 0]}
    scene = {"bodies": [body], "gravity": [0, 0, 0], "duration": 1.0}
    motion = carom.simulate(scene, at=[1.0], forces=lambda t, state: {"top": ([0, 0, 2.0], [0, 0, 0.4])})
    np.testing.assert_allclose(motion.position["top"][0], [0, 0, 1.0], atol=1e-9)
    np.testing.assert_allclose(motion.angular_velocity["top"][0], [0, 0, 2.0], atol=1e-9)


def test_state_and_time_are_those_of_the_stage() -> None:
    seen: list[float] = []

    def watch(t: float, state: carom.States) -> None:
        assert isinstance(t, float) and state.bodies == ("floor", "ball")
        assert state.positions.shape == (2, 3) and state.orientations.shape == (2, 4)
        assert state.position["ball"].shape == (3,) and float(state.t) == t
        seen.append(t)

    motion = carom.simulate(thrown(), forces=watch)
    free = carom.simulate(thrown())
    np.testing.assert_allclose(motion.positions, free.positions, atol=1e-8)
    # At stages, not only at ends of steps: sixteen slopes a step at least.
    assert len(seen) > 5 * motion.effort["steps"] and 0.0 <= min(seen)


def test_drag_takes_energy_and_bounces_go_on() -> None:
    motion = carom.simulate(bouncing(), forces=lambda t, state: {"ball": -0.4 * state.velocity["ball"]})
    assert motion.ledger["forces"] < 0 > motion.ledger["impacts"]
    assert abs(motion.ledger["residual"]) < 1e-8
    kinds = [event["kind"] for event in motion.event_list]
    assert kinds.count("impact") > 3 and motion.check is None


def test_what_it_raises_comes_out() -> None:
    class Mine(Exception):
        pass

    def fails(t: float, state: carom.States) -> None:
        if t > 0.2:
            raise Mine(f"at {t}")

    with pytest.raises(Mine, match="at 0.2"):
        carom.simulate(bouncing(), forces=fails)
    begin = time.monotonic()
    with pytest.raises(ZeroDivisionError):
        carom.simulate(bouncing(), forces=lambda t, state: {"ball": [1 / 0, 0.0]})
    assert time.monotonic() - begin < 5.0


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"ball": [np.nan, 0.0]}, r"forces\.ball = \[nan, 0\.0, 0\.0\]: must be finite numbers \(at t = 0"),
        ({"ball": ([0.0, 0.0], np.inf)}, r"forces\.ball"),
        ({"bal": [0.0, 0.0]}, "did you mean 'ball'"),
        ({"floor": [1.0, 0.0]}, "floor.*this body is fixed"),
        ({"ball": [1.0]}, "a force of 2 numbers, or a pair of it and a torque, a number"),
        ({"ball": ([1.0, 0.0, 0.0], 1.0)}, "a force of 2 numbers"),
        ({"ball": "up"}, "must be numbers"),
        ([[0.0, 0.0], [0.0, 0.0]], r"must be \(2, 3\)"),
        (3.0, r"must be \(2, 3\)"),
        ([[0.0, 0.0, 0.0], [0.0, np.nan, 0.0]], r"forces\.ball"),
    ],
)
def test_what_is_no_force_is_refused(answer: Any, words: str) -> None:
    with pytest.raises(carom.BadProblem, match=words):
        carom.simulate(bouncing(), forces=lambda t, state: answer)


def test_in_steps_of_time_too() -> None:
    scene = flying(mode={"stepping": {"h": 1e-3}})
    motion = carom.simulate(scene, at=[2.0], forces=lambda t, state: {"ball": [2.0 * t, 0.0]})
    # x'' = t.
    np.testing.assert_allclose(motion.position["ball"][0], [1.0 + 8.0 / 6.0, 6.0], atol=1e-5)


def test_other_threads_go_on() -> None:
    worker = threading.Thread(target=lambda: carom.simulate(bouncing(duration=1000.0), forces=spring, duration=20.0))
    worker.start()
    turns = 0
    while worker.is_alive():
        turns += 1
        time.sleep(0.001)
    worker.join()
    assert turns > 5
