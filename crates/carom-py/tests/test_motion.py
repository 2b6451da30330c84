"""Scenes followed in time from Python."""

from __future__ import annotations

import copy
import html
import json
import pickle
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import carom
import numpy as np
import pytest
from motions import bouncing, endless, flying, thrown

G = 9.81
FALL = np.sqrt(2 / G)


def test_a_ball_falls_and_comes_to_rest() -> None:
    motion = carom.simulate(bouncing(), at=[0.0, 0.3, FALL + 1e-3, 2.0])
    assert motion.bodies == ("floor", "ball") and len(motion) == 4
    assert motion.positions.shape == (4, 2, 2) and motion.orientations.shape == (4, 2)
    y = motion.position["ball"][:, 1]
    after = 0.1 + 0.5 * np.sqrt(2 * G) * 1e-3 - 0.5 * G * 1e-6
    np.testing.assert_allclose(y, [1.1, 1.1 - 0.5 * G * 0.09, after, 0.1], rtol=0, atol=1e-9)
    np.testing.assert_allclose(motion.velocity["ball"][1], [0, -G * 0.3], atol=1e-9)
    assert motion.end["reason"] == "rest" and motion.end["t"] == pytest.approx(3 * FALL, abs=1e-9)
    energy = motion.energy
    np.testing.assert_allclose(energy.total - energy.impacts, energy.total[0], rtol=1e-12)
    assert abs(motion.ledger["residual"]) < 1e-11 and motion.ledger["impacts"] == pytest.approx(-2 * G, rel=1e-9)
    assert motion.effort["impacts"] > 3 and motion.law is None and motion.notes == []
    with pytest.raises(ValueError, match="read-only"):
        motion.positions[0, 0, 0] = 1.0
    with pytest.raises(carom.BadProblem, match="did you mean 'ball'"):
        motion.position["bal"]


def test_in_space() -> None:
    motion = carom.simulate(thrown(), every=0.01)
    t = len(motion.t)
    assert motion.positions.shape == motion.angular_velocities.shape == (t, 2, 3)
    assert motion.orientations.shape == (t, 2, 4) and t == 101
    np.testing.assert_allclose(np.linalg.norm(motion.orientation["ball"], axis=1), 1.0, rtol=1e-14)
    np.testing.assert_allclose(motion.velocity["ball"][0], [1.0, 0.5, 0.0])


def test_every_kind_of_source(repository: Path, tmp_path: Path) -> None:
    path = repository / "scenes/bouncing-ball.toml"
    text = path.read_text(encoding="utf-8")
    document = carom.Scene.load(path).to_dict()
    saved = tmp_path / "scene.json"
    saved.write_text(json.dumps(document), encoding="utf-8")
    reference = carom.simulate(str(path), at=[1.0, 5.0])
    scene = carom.Scene(document)
    for source in (path, text, document, json.dumps(document), saved, carom.Scene.load(path), scene):
        motion = carom.simulate(source, at=[1.0, 5.0])
        assert motion.positions.tobytes() == reference.positions.tobytes()
        assert motion.end == reference.end
    assert reference.scene.title == "A ball bounces to rest" and reference.scene.has_text
    assert scene.moving == ["ball"] and not scene.has_text and not scene.stepping
    assert "2 bodies" in repr(scene) and "2 bodies" in repr(reference)
    with pytest.raises(carom.BadProblem, match="scene = int"):
        carom.simulate(3)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError, match=r"nowhere\.toml"):
        carom.simulate(tmp_path / "nowhere.toml")


def test_errors_name_key_and_line(tmp_path: Path) -> None:
    path = tmp_path / "scene.toml"
    path.write_text("duration = 1\n\n[[bodies]]\nname = 'a'\nmas = 1\nposition = [0, 0]\n", encoding="utf-8")
    with pytest.raises(carom.BadProblem, match=r"mas.*did you mean `mass`.*scene\.toml, line 5") as caught:
        carom.simulate(path)
    assert caught.value.field == "bodies[0].mas"
    with pytest.raises(carom.ParseError, match=r"scene, line 2"):
        carom.simulate("duration = 1\nbodies = [\n")
    with pytest.raises(carom.UnknownLaw, match="did you mean `newton`"):
        carom.simulate(bouncing(), law="newtn")  # type: ignore[arg-type]
    overlap = bouncing(bodies=[*bouncing()["bodies"], {**bouncing()["bodies"][1], "name": "other"}])
    with pytest.raises(carom.BadProblem, match="in each other at t = 0"):
        carom.simulate(overlap)
    bad: list[tuple[dict[str, Any], str]] = [
        ({"at": [0.0, 3.0]}, "between 0 and the duration"),
        ({"at": [0.0], "every": 0.1}, "not both"),
        ({"every": 0.0}, "every"),
        ({"duration": -1.0}, "duration"),
        ({"duration": float("nan")}, "duration"),
        ({"sigma": 0.3}, "give `law` as well"),
        ({"law": "composite", "sigma": 3.0}, "sigma"),
        ({"progress": "loud"}, "progress"),
        ({"forces": 3}, "must be a function"),
    ]
    for arguments, words in bad:
        with pytest.raises(carom.InputError, match=words):
            carom.simulate(bouncing(), **arguments)


def test_laws_and_durations() -> None:
    motion = carom.simulate(bouncing(), law="pfeiffer-glocker", nu=0.25, duration=1.0)
    assert motion.law is not None and motion.law["id"] == "pfeiffer-glocker" and motion.law["nu"] == 0.25
    assert motion.duration == motion.t[-1] == motion.end["t"] == 1.0 and len(motion.t) == 201
    own = carom.simulate(bouncing(law={"id": "pfeiffer-glocker"}), nu=0.25, duration=0.5)
    assert own.law == motion.law
    assert carom.simulate(bouncing(), law=carom.Law("newton"), duration=0.5).law == {"id": "newton"}


def test_events_with_and_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    motion = carom.simulate(bouncing())
    kinds = [event["kind"] for event in motion.event_list]
    assert kinds[0] == "impact" and kinds[-2:] == ["accumulation", "rest"]
    pandas = pytest.importorskip("pandas")
    frame = motion.events
    assert isinstance(frame, pandas.DataFrame) and list(frame["kind"]) == kinds
    first = frame.iloc[0]
    assert (first["a"], first["b"], first["contacts"]) == ("floor", "ball", 1)
    assert first["t"] == pytest.approx(FALL, abs=1e-9)
    assert first["impulse"] == pytest.approx(2.0 * 1.5 * np.sqrt(2 * G), rel=1e-9)
    assert first["energy_change"] == pytest.approx(-0.75 * 2 * G, rel=1e-9)
    assert first["verdict"] in ("permissible", "boundary")
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert motion.events is motion.event_list
    empty = carom.simulate(flying())
    monkeypatch.undo()
    assert empty.event_list == [] and len(empty.events) == 0


def test_limits_of_joints_are_events() -> None:
    arm = {"name": "arm", "mass": 1.0, "inertia": 0.1, "position": [0.5, 0.0]}
    joint = {"name": "elbow", "type": "hinge", "a": "post", "b": "arm", "point": [0, 0], "limits": [-0.5, 1.0], "e": 0.3}
    scene = {"bodies": [{"name": "post", "fixed": True, "position": [0, 0]}, arm], "joints": [joint], "duration": 1.0}
    motion = carom.simulate(scene)
    limit = next(event for event in motion.event_list if event["kind"] == "limit")
    assert limit["contacts"][0]["joint"] == "elbow" and isinstance(limit["contacts"][0]["impulse"], float)
    pytest.importorskip("pandas")
    row = motion.events[motion.events["kind"] == "limit"].iloc[0]  # type: ignore[union-attr,call-overload]
    assert row["joint"] == "elbow" and row["impulse"] > 0


def test_contacts_and_check() -> None:
    motion = carom.simulate(bouncing(), at=[0.1, 1.9], contacts=True, check=True)
    assert motion.contacts is not None and motion.contacts[0] == []
    [contact] = motion.contacts[1]
    np.testing.assert_allclose(contact["force"], [0.0, 2 * G], atol=1e-9)
    assert motion.check is not None and motion.check["position"]["difference"] < 1e-7
    assert carom.simulate(bouncing(), at=[1.9]).contacts is None
    # As the command line says it.
    assert set(motion.check) >= {"tolerance_factor", "event_time", "events_alike"}


SCENES = ["bouncing-ball", "brick-toss", "conveyor", "newtons-cradle", "rocking-block", "shaking-table", "slider-crank"]


@pytest.mark.parametrize("name", SCENES)
def test_at_any_time_has_the_bits_of_samples(repository: Path, name: str) -> None:
    path = repository / f"scenes/{name}.toml"
    kept = carom.simulate(path, every=10.0)
    rng = np.random.default_rng(5)
    impacts = [event["t"] for event in kept.event_list][:40]
    times = np.concatenate([rng.uniform(0, kept.duration, 60), np.nextafter(impacts, 0), impacts, [0, kept.duration]])
    asked = carom.simulate(path, at=times, dense=False)
    found = kept.at(times)
    assert asked.dense_bytes == 0 < kept.dense_bytes
    for name in ("positions", "orientations", "velocities", "angular_velocities"):
        assert getattr(found, name).tobytes() == getattr(asked, name).tobytes(), name
    for name in ("kinetic", "potential", "elastic", "impacts", "friction", "drives"):
        assert getattr(found.energy, name).tobytes() == getattr(asked.energy, name).tobytes(), name
    one = kept.at(times[3])
    assert one.positions.shape == found.positions.shape[1:] and one.t.shape == ()
    assert one.positions.tobytes() == found.positions[3].tobytes()
    body = kept.bodies[-1]
    assert one.velocity[body].tolist() == found.velocity[body][3].tolist()


def test_at_in_steps_of_time() -> None:
    scene = bouncing(mode={"stepping": {"h": 1e-3}})
    times = np.linspace(0, 2.0, 777)
    assert carom.simulate(scene).at(times).positions.tobytes() == carom.simulate(scene, at=times).positions.tobytes()
    assert carom.Scene(scene).stepping


def test_times_that_are_not_there() -> None:
    motion = carom.simulate(bouncing())
    for bad in (-0.1, 2.1, np.nan, [0.0, 3.0]):
        with pytest.raises(carom.BadProblem, match="between 0 and the duration"):
            motion.at(bad)
    with pytest.raises(carom.BadProblem, match="a number or a list"):
        motion.at([[0.0]])
    with pytest.raises(carom.BadProblem, match="dense=False"):
        carom.simulate(bouncing(), dense=False).at(0.5)
    assert motion.at([]).positions.shape == (0, 2, 2)


def test_what_could_not_be_followed() -> None:
    motion = carom.simulate(bouncing(max_events=2))
    assert motion.end["reason"] == "too-many-events" and "more than 2 events" in motion.end["message"]
    assert motion.t[-1] <= motion.end["t"] < 2.0 and np.isfinite(motion.positions).all()
    motion.at(0.5 * motion.end["t"])
    with pytest.raises(carom.BadProblem, match="the motion ended at"):
        motion.at(2.0)


def test_pickles(repository: Path) -> None:
    path = repository / "scenes/brick-toss.toml"
    for motion in (
        carom.simulate(path, every=0.1, contacts=True),
        carom.simulate(bouncing(), check=True, forces=lambda t, state: {"ball": [0.1, 0.0]}),
        carom.simulate(bouncing(mode={"stepping": {"h": 1e-2}})),
    ):
        for twin in (pickle.loads(pickle.dumps(motion)), copy.copy(motion), copy.deepcopy(motion)):
            for name in ("t", "positions", "orientations", "velocities", "angular_velocities"):
                assert getattr(twin, name).tobytes() == getattr(motion, name).tobytes(), name
            for name in ("ledger", "end", "effort", "notes", "law", "check", "event_list", "contacts", "duration"):
                assert getattr(twin, name) == getattr(motion, name), name
            assert repr(twin) == repr(motion) and twin.scene.to_dict() == motion.scene.to_dict()
            times = np.linspace(0, motion.duration, 37)
            assert twin.at(times).positions.tobytes() == motion.at(times).positions.tobytes()
    forced = pickle.loads(pickle.dumps(carom.simulate(bouncing(), forces=lambda t, state: None)))
    with pytest.raises(carom.BadProblem, match="came out of a pickle"):
        forced.player()
    assert "<table>" in forced._repr_html_()
    scene = pickle.loads(pickle.dumps(carom.Scene.load(path)))
    assert scene.has_text and scene.to_dict() == carom.Scene.load(path).to_dict()


def test_the_player(repository: Path) -> None:
    motion = carom.simulate(repository / "scenes/bouncing-ball.toml", duration=1.0)
    page = motion.player()
    assert page.startswith("<!doctype html>") and page.rstrip().endswith("</html>")
    shown = motion._repr_html_()
    begin = shown.index('srcdoc="') + len('srcdoc="')
    assert html.unescape(shown[begin : shown.index('"', begin)]) == page
    assert 'sandbox="allow-scripts"' in shown
    # The file in the page gives this motion, not that of the file it was read from.
    data = json.loads(page.split('id="motion">')[1].split("</script>")[0])
    assert data and '&quot;duration&quot;: 1.0' in page
    laws: list[carom.LawId] = ["newton", "composite", "stiff-limit", "plus"]
    for law in laws:
        assert law in carom.simulate(bouncing(), law=law).player()
    pushed = carom.simulate(bouncing(), forces=lambda t, state: {"ball": [0.5, 0.0]})
    assert "A function of Python" in pushed.player()
    evil = '</script><script>alert("x")</script>'
    named = carom.simulate(bouncing(title=evil, description=evil), duration=0.1)
    assert "<script>alert" not in named.player() and "<script" not in named._repr_html_().replace("&lt;script", "")
    # One that took long is not followed again by a notebook.
    named._seconds = 60.0
    assert "<table>" in named._repr_html_() and "<script" not in named._repr_html_()


@pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no browser")
def test_a_browser_plays_it_in_a_notebook(repository: Path, tmp_path: Path) -> None:
    matplotlib_image = pytest.importorskip("matplotlib.image")
    shown = carom.simulate(repository / "scenes/superball.toml")._repr_html_()
    page, picture = tmp_path / "notebook.html", tmp_path / "notebook.png"
    page.write_text(f"<!doctype html><html><body>{shown}</body></html>", encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    options += ["--enable-logging=stderr", "--virtual-time-budget=3000", "--window-size=1000,900"]
    options += [f"--user-data-dir={tmp_path / 'profile'}", f"--screenshot={picture}", page.as_uri()]
    run = subprocess.run(["chromium", *options], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0 and "CONSOLE" not in run.stderr, run.stderr
    # Only the page's script draws in colour.
    pixels = matplotlib_image.imread(picture)[:, :, :3]
    assert int((pixels.max(axis=2) - pixels.min(axis=2) > 0.3).sum()) > 500


def test_pictures() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    flat, spatial = carom.simulate(bouncing()), carom.simulate(thrown())
    assert flat.plot().get_xlabel() == "x [m]" and spatial.plot().name == "3d"
    strip = flat.plot("strip", count=5)
    assert len(strip.patches) == 5
    energies = {text.get_text() for text in flat.plot("energy").get_legend().get_texts()}
    assert energies == {"kinetic", "potential", "total", "work of impacts"}
    phase = flat.plot("phase", x="ball.y", y="ball.vy")
    line = phase.lines[0].get_xydata()
    # Jumps are seen: just before each impact, and after it.
    impact = flat.event_list[0]["t"]
    for state in (flat.at(np.nextafter(impact, 0)), flat.at(impact)):
        pair = [state.position["ball"][1], state.velocity["ball"][1]]
        assert pair in line.tolist()
    coarse = carom.simulate(bouncing(), every=0.1, dense=False)
    samples = coarse.plot("phase", x="t", y="ball.vy").lines[0].get_xydata()
    assert samples.tolist() == np.column_stack([coarse.t, coarse.velocity["ball"][:, 1]]).tolist()
    assert len(coarse.plot("strip", count=5).patches) == 5
    assert spatial.plot("phase", x="t", y="ball.wz").get_ylabel() == "ball.wz [rad/s]"
    bad: list[tuple[carom.Motion, str, dict[str, Any], str]] = [
        (flat, "cake", {}, "must be 'paths' or"),
        (spatial, "strip", {}, "in the plane"),
        (flat, "phase", {"x": "ball.z"}, "must be 't', or a body"),
        (flat, "paths", {"bodies": ["bal"]}, "did you mean 'ball'"),
    ]
    for motion, kind, options, words in bad:
        with pytest.raises(carom.InputError, match=words):
            motion.plot(kind, **options)
    plt.close("all")


SCRIPT = """
import carom
from motions import endless
print("begin", flush=True)
try:
    carom.simulate(endless(), dense=False, forces=%s)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("forces", ["None", "lambda t, state: None"])
def test_ctrl_c(forces: str) -> None:
    command = [sys.executable, "-c", SCRIPT % forces]
    folder = Path(__file__).parent
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "begin\n"
            out, err = interrupted(process)
        finally:
            process.kill()
    assert out == "interrupted\n", err


def interrupted(process: subprocess.Popen[str]) -> tuple[str, str]:
    """What it says after Ctrl-C. Python drops a signal where nothing can be raised, as in a destructor: then once more."""
    for _ in range(5):
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        try:
            return process.communicate(timeout=6)
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError("five signals were not heard")


def test_progress(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[tuple[int, int]] = []
    carom.simulate(endless(), duration=2.0, progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (2000, 2000) and {of for _, of in told} == {2000}
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    # Nothing by default: this is no terminal.
    assert capsys.readouterr() == ("", "")

    def enough(done: int, of: int) -> None:
        raise RuntimeError(f"enough at {done}")

    with pytest.raises(RuntimeError, match="enough"):
        carom.simulate(endless(), progress=enough)


def test_a_bar_after_a_second(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from carom._progress import shown_after

    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with shown_after(10, "pieces", seconds=0.0) as show:
        assert show is not None
        show(5)
    assert "50 % 5 of 10 pieces" in capsys.readouterr().err
    with shown_after(10, "pieces", seconds=60.0) as show:
        assert show is not None
        show(5)
    assert capsys.readouterr().err == ""
