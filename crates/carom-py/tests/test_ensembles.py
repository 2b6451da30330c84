"""Many motions of one scene."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import carom
import carom.ensembles
import numpy as np
import pytest
from motions import bouncing, thrown

PLACE = "bodies[1].position[1]"


def test_a_grid() -> None:
    heights = np.array([0.6, 1.1, 2.1])
    ended = carom.ensembles.simulate(bouncing(duration=10.0), {PLACE: heights, "e": {"from": 0.0, "to": 0.5, "steps": 3}})
    assert len(ended) == 9 and set(ended.parameters) == {PLACE, "e"}
    fall = np.sqrt(2 * (ended.parameters[PLACE] - 0.1) / 9.81)
    e = ended.parameters["e"]
    np.testing.assert_allclose(ended.end_time, fall * (1 + e) / (1 - e), atol=1e-8)
    assert (ended.end_reason == "rest").all() and ended.answered.all()
    np.testing.assert_allclose(ended.position["ball"][:, 1], 0.1, atol=1e-9)
    np.testing.assert_allclose(ended.energy["impacts"], -2 * 9.81 * (ended.parameters[PLACE] - 0.1), rtol=1e-9)
    assert (ended.impacts[e == 0] == 1).all() and (ended.impacts[e > 0] > 3).all()
    assert (np.abs(ended.energy["residual"]) < 1e-10).all()


def test_rows_are_those_of_single_motions() -> None:
    for scene, place in ((bouncing(), PLACE), (thrown(), "bodies[1].angular_velocity[0]")):
        ended = carom.ensembles.simulate(scene, {place: {"about": 0.01}}, count=5, seed=3, law="stiff-limit")
        for k, value in enumerate(ended.parameters[place]):
            body = {key: list(x) if isinstance(x, list) else x for key, x in scene["bodies"][1].items()}
            body[place.split(".")[1].split("[")[0]][int(place[-2])] = value
            one = carom.simulate({**scene, "bodies": [scene["bodies"][0], body]}, at=[scene["duration"]], law="stiff-limit")
            for name in ("position", "orientation", "velocity", "angular_velocity"):
                assert getattr(ended, name)["ball"][k].tobytes() == getattr(one, name)["ball"][0].tobytes(), name
            assert (ended.end_time[k], ended.end_reason[k]) == (one.end["t"], one.end["reason"])
            assert (ended.impacts[k], ended.steps[k]) == (one.effort["impacts"], one.effort["steps"])
            assert ended.events[k] == len(one.event_list)
            assert ended.energy["impacts"][k] == one.ledger["impacts"]
            assert ended.energy["kinetic"][k] == one.energy.kinetic[0]


def test_places_that_take_the_same_value() -> None:
    ended = carom.ensembles.simulate(
        bouncing(), {f"{PLACE}, bodies[1].mass": {"about": 0.1}}, count=3, duration=0.0
    )
    [values] = ended.parameters.values()
    assert ended.position["ball"][:, 1].tolist() == values.tolist() and len(set(values)) == 3
    # About the first of them, not about the mass of 2 kg.
    assert np.abs(values - 1.1).max() < 0.5


def test_threads_change_no_bit() -> None:
    design = {"bodies[1].velocity[0]": {"normal": [1.0, 0.2]}, "mu": {"uniform": [0.0, 0.6]}}
    first = carom.ensembles.simulate(thrown(), design, count=60, seed=7, threads=1)
    for threads in (2, 3, 7, None):
        other = carom.ensembles.simulate(thrown(), design, count=60, seed=7, threads=threads)
        for name, column in first.columns.items():
            if column.dtype == object:
                assert list(column) == list(other.columns[name]), name
            else:
                assert column.tobytes() == other.columns[name].tobytes(), name
    assert len({*first.end_time, *first.position["ball"][:, 0]}) > 50
    assert carom.ensembles.simulate(thrown(), design, count=5, seed=8).parameters["mu"][0] != first.parameters["mu"][0]
    # A point is the same whatever the others are.
    few = carom.ensembles.simulate(thrown(), design, count=4, seed=7)
    assert few.states.tobytes() == first.states[:4].tobytes()


def test_errors_stand_in_their_rows() -> None:
    ended = carom.ensembles.simulate(bouncing(max_events=30), {"e": [0.5, 1.5, 1.0], "bodies[1].mass": [1.0, -1.0]}, duration=60.0)
    e, mass = ended.parameters["e"], ended.parameters["bodies[1].mass"]
    for k in range(6):
        if mass[k] < 0:
            assert ended.end_reason[k] is None and ended.error[k].startswith("bad_problem: ")
            assert np.isnan(ended.states[k]).all() and np.isnan(ended.end_time[k]) and ended.impacts[k] == 0
        elif e[k] > 1:
            # A scene, of which the law of its impacts has no answer.
            assert ended.end_reason[k] == "impact" and "takes restitution between 0 and 1" in ended.error[k]
            assert 0 < ended.end_time[k] < 1.0 and np.isfinite(ended.states[k]).all()
        elif e[k] == 1:
            assert ended.end_reason[k] == "too-many-events" and "more than 30 events" in ended.error[k]
            assert 0 < ended.end_time[k] < 60.0 and np.isfinite(ended.states[k]).all()
        else:
            assert (ended.end_reason[k], ended.error[k]) == ("rest", None)
    assert int(ended.answered.sum()) == 1 and "None" in repr(ended)


@pytest.mark.parametrize(
    ("design", "arguments", "words"),
    [
        ({}, {}, "no number at all"),
        (3, {}, "must be a mapping"),
        ({"bodies[7].mass": [1.0]}, {}, r"has no number `bodies\[7\]\.mass`"),
        ({"bodies[1].mas": {"about": 0.1}}, {"count": 3}, "no number there that values could be about"),
        ({"e": {"uniform": [0, 1]}}, {}, "count: required"),
        ({"e": [0.5]}, {"count": 3}, "nothing in the design is random"),
        ({"e": {"unifrm": [0, 1]}}, {"count": 3}, "give a list of values"),
        ({"e": [0.5]}, {"threads": 0}, "threads"),
        ({"e": [0.5]}, {"duration": -1.0}, "duration"),
        ({"e": [0.5]}, {"law": "newtn"}, "did you mean `newton`"),
    ],
)
def test_what_is_no_ensemble_is_refused(design: Any, arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(carom.InputError, match=words):
        carom.ensembles.simulate(bouncing(), design, **arguments)


def test_columns() -> None:
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    ended = carom.ensembles.simulate(bouncing(), {"bodies[1].mass": [1.0, 2.0, -1.0]})
    frame, table = ended.to_pandas(), ended.to_arrow()
    assert isinstance(frame, pandas.DataFrame) and isinstance(table, pyarrow.Table)
    assert list(frame.columns) == table.column_names == list(ended.columns)
    assert frame["ball.y"].tolist()[:2] == ended.position["ball"][:2, 1].tolist()
    assert table.column("error").null_count == 2 and table.column("end_reason").to_pylist() == ["rest", "rest", None]
    assert {"energy.kinetic", "energy.impacts", "impacts", "ball.omega", "floor.x", "bodies[1].mass"} <= set(frame.columns)


def test_progress() -> None:
    told: list[tuple[int, int]] = []
    carom.ensembles.simulate(bouncing(), {"e": np.linspace(0, 0.9, 40)}, progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (40, 40)


SCRIPT = """
import carom.ensembles
from motions import endless
print("begin", flush=True)
try:
    carom.ensembles.simulate(endless(), {"bodies[1].velocity[0]": {"normal": [1, 0.1]}}, count=10, threads=2)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_ctrl_c() -> None:
    command = [sys.executable, "-c", SCRIPT]
    folder = Path(__file__).parent
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "begin\n"
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert out == "interrupted\n", err
