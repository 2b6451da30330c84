"""What mechanics allow."""

from __future__ import annotations

from typing import Any

import carom
import numpy as np
import pytest

PLANAR: dict[str, Any] = {
    "delassus": [[1, 0], [0, 3]],
    "contact_velocity": [-1, 2],
    "contacts": [{"mu": 0.5, "e": 0.5}],
}
SPATIAL: dict[str, Any] = {
    "delassus": np.diag([1.0, 3.0, 3.0]),
    "contact_velocity": [-1, 2, 0],
    "contacts": [{"mu": 0.5, "e": 0.5}],
}
CRADLE: dict[str, Any] = {"chain": {"mass": [1, 1, 1], "velocity": [1, 0, 0], "e": 1}}


@pytest.mark.parametrize("problem", [PLANAR, SPATIAL], ids=["plane", "space"])
def test_points_of_the_region_are_certified(problem: dict[str, Any]) -> None:
    region = carom.region(problem)
    points = region.sample(200, seed=7)
    np.testing.assert_array_equal(points, region.sample(200, seed=7))
    assert (points != region.sample(200, seed=8)).any()
    for point in points:
        assert region.contains(point) and point in region and carom.certify(problem, point)
        assert min(region.margins(point).values()) >= 0.0


@pytest.mark.parametrize("problem", [PLANAR, SPATIAL], ids=["plane", "space"])
def test_corners_of_the_mesh_lie_on_the_edge(problem: dict[str, Any]) -> None:
    region = carom.region(problem)
    corners, faces = region.mesh(8)
    dimension = len(problem["contact_velocity"])
    assert corners.shape[1] == faces.shape[1] == dimension
    assert faces.min() == 0 and faces.max() == len(corners) - 1
    for corner in corners:
        assert region.contains(corner) and abs(min(region.margins(corner).values())) < 1e-12


def test_words() -> None:
    region = carom.region(PLANAR)
    assert region.explain([1.5, -0.3]) == "permissible"
    assert "energy" in region.explain([5.0, 0.0]) or "creates" in region.explain([5.0, 0.0])
    assert not region.contains([1.0, 2.0]) and region.margins([1.0, 2.0])["cone"] == pytest.approx(-1.5)


def test_several_contacts_have_a_permissible_set() -> None:
    region = carom.region(CRADLE)
    assert region.contains([1.0, 1.0]) and not region.contains([2.0, 2.0])
    assert region.explain([1.0, 1.0]) == "permissible" and "energy" in region.explain([2.0, 2.0])
    assert set(region.margins([1.0, 1.0])) == {"energy", "separation", "normal_impulse"}
    assert all(region.contains(point) for point in region.sample(20))
    with pytest.raises(carom.BadProblem, match="one contact"):
        region.mesh()


def test_what_has_no_region_is_refused() -> None:
    normal = {"delassus": [[1]], "contact_velocity": [-1], "contacts": [{"e": 0.5}]}
    with pytest.raises(carom.BadProblem, match="segment"):
        carom.region(normal).mesh()
    assert carom.region(normal).contains([1.5])
    apart = PLANAR | {"contact_velocity": [1, 2]}
    with pytest.raises(carom.BadProblem, match="separate"):
        carom.region(apart).sample(1)
    with pytest.raises(carom.BadProblem, match="impulse"):
        carom.region(PLANAR).contains([1.0])


def test_more_than_memory_is_refused() -> None:
    region = carom.region(PLANAR)
    with pytest.raises(carom.LimitError, match="sample"):
        region.sample(2**40)
    with pytest.raises(carom.LimitError, match="mesh"):
        region.mesh(2**40)
    long = carom.Problem({"chain": {"count": 100_000, "mass": 1, "velocity": {"first": 1}, "e": 0.9}})
    with pytest.raises(carom.LimitError, match="delassus"):
        _ = long.delassus
