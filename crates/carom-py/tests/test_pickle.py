"""Objects travel between processes and come out as they went in."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import carom
import carom.batch
import numpy as np
import pytest

ARRAYS = ("velocity", "impulse", "contact_velocity", "bilateral_impulse")
PLAIN = ("energy_change", "energy", "kinetic_energy_change", "trace", "law", "effort", "notes")
OF_CERTIFICATE = [name for name in dir(carom.Certificate) if not name.startswith("_") and name != "to_dict"]


def twins(thing: Any) -> list[Any]:
    return [pickle.loads(pickle.dumps(thing)), copy.copy(thing), copy.deepcopy(thing)]


@pytest.mark.parametrize("trace", [False, True])
def test_outcomes_of_every_scenario(repository: Path, trace: bool) -> None:
    seen: set[str] = set()
    for path in sorted((repository / "scenarios").glob("*.toml")):
        out = carom.load(path).resolve("sequential", trace=trace)
        for twin in twins(out):
            assert repr(twin) == repr(out) and twin.to_dict() == out.to_dict()
            for name in PLAIN:
                assert getattr(twin, name) == getattr(out, name), name
            for name in ARRAYS:
                if name == "velocity" and "velocity" not in out.to_dict():
                    with pytest.raises(AttributeError, match="no generalized velocity"):
                        _ = twin.velocity
                    continue
                assert getattr(twin, name).tobytes() == getattr(out, name).tobytes(), name
                seen.add(name)
            assert twin.bodies.keys() == out.bodies.keys()
            for body, motion in out.bodies.items():
                seen.add("bodies")
                for part, values in motion.items():
                    assert twin.bodies[body][part].tobytes() == values.tobytes()
            same(twin.certificate, out.certificate)
    assert seen == {*ARRAYS, "bodies"}


def same(twin: carom.Certificate, certificate: carom.Certificate) -> None:
    assert repr(twin) == repr(certificate) and bool(twin) == bool(certificate)
    for name in OF_CERTIFICATE:
        assert getattr(twin, name) == getattr(certificate, name), name


def test_certificates() -> None:
    wall = {"delassus": [[1.0]], "contact_velocity": [-1.0], "contacts": [{"e": 0.5, "mu": "inf"}]}
    for impulse in ([1.5], [3.0], [0.1]):
        certificate = carom.certify(wall, impulse)
        for twin in twins(certificate):
            same(twin, certificate)


def test_laws() -> None:
    for law in carom.laws():
        for twin in twins(law):
            assert twin == law and hash(twin) == hash(law) and twin.settings == law.settings
    assert carom.Law("plus") != carom.Law("plus-exact")
    with pytest.raises(carom.UnknownLaw, match="did you mean `plus`"):
        carom.Law("pluss")  # type: ignore[arg-type]


def test_problems_regions_and_answers() -> None:
    disk = carom.Problem({"delassus": [[1, 0], [0, 3]], "contact_velocity": [-1, 2], "contacts": [{"mu": 0.5, "e": 0.5}]})
    for twin in twins(disk):
        assert twin.to_dict() == disk.to_dict()
    for region in twins(carom.region(disk)):
        assert [1.5, -0.5] in region and [3.0, 0.0] not in region
    arrays = {"delassus": np.ones((2, 1, 1)), "contact_velocity": [[-1.0], [np.nan]], "e": 0.5}
    answers = carom.batch.resolve(arrays, "newton", certify=True)
    for twin in twins(answers):
        assert twin.impulse.tobytes() == answers.impulse.tobytes() and list(twin.error) == list(answers.error)


def test_between_processes() -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        wall = carom.Problem.from_arrays([2.0], [[1.0]], [-3.0], e=0.5)
        out = pool.submit(carom.Problem.resolve, wall, carom.Law("newton")).result()
    assert out.velocity.tolist() == [1.5] and out.certificate.permissible
