"""Pictures."""

from __future__ import annotations

import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

import carom
import numpy as np
import pytest

PLANAR: dict[str, Any] = {
    "delassus": [[1, 0], [0, 3]],
    "contact_velocity": [-1, 2],
    "contacts": [{"mu": 0.5, "e": 0.5}],
}
CRADLE: dict[str, Any] = {"chain": {"mass": [1, 1, 1], "velocity": [1, 0, 0], "e": 1}}


@pytest.mark.parametrize(
    ("problem", "kind"),
    [
        (PLANAR, "impulse-space"),
        (PLANAR, "hodograph"),
        (PLANAR, "phases"),
        (CRADLE, "rounds"),
        (CRADLE, "chain"),
    ],
)
def test_every_kind_is_svg(problem: dict[str, Any], kind: Any) -> None:
    figure = carom.plot(problem, kind)
    assert xml.fromstring(figure.svg).tag.endswith("svg")
    assert figure._repr_svg_() == figure.svg == str(figure)
    assert figure.csv.startswith("panel,series,x,y\n") and figure.title and figure.caption


def test_laws_sweeps_and_themes() -> None:
    assert "routh-poisson" in carom.plot(PLANAR, law="routh-poisson").svg
    both = carom.plot(PLANAR, law=["smith", {"id": "routh-poisson"}], theme="dark")
    assert both.svg != carom.plot(PLANAR, law=["smith", "routh-poisson"], theme="light").svg
    assert carom.plot(PLANAR, law="smith", sweep="mu=0:1:0.1").svg
    bad_ones: list[dict[str, Any]] = [{"kind": "cake"}, {"theme": "pink"}, {"sweep": "mu"}, {"law": "smyth"}]
    for bad in bad_ones:
        with pytest.raises(carom.InputError):
            carom.plot(PLANAR, **bad)


def test_saving(tmp_path: Path) -> None:
    figure = carom.plot(PLANAR)
    figure.save(tmp_path / "region.svg")
    # The last line is carom's mark, by which the command line knows its own files.
    saved = (tmp_path / "region.svg").read_text(encoding="utf-8")
    assert saved.startswith(figure.svg) and saved[len(figure.svg) :].startswith("<!-- carom ")
    figure.save(str(tmp_path / "region.csv"))
    with pytest.raises(carom.BadProblem, match="path"):
        figure.save(tmp_path / "region.bmp")
    with pytest.raises(FileNotFoundError):
        figure.save(tmp_path / "nowhere" / "region.svg")


def test_matplotlib() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    import carom.plotting

    flat = carom.plotting.impulse_space(PLANAR, ["smith", "sequential"])
    assert {text.get_text() for text in flat.get_legend().get_texts()} == {"permissible", "smith", "sequential"}
    spatial = PLANAR | {"delassus": np.diag([1, 3, 3]), "contact_velocity": [-1, 2, 0]}
    assert carom.plotting.impulse_space(spatial, ["smith"]).name == "3d"
    with pytest.raises(carom.InputError, match="three-dimensional"):
        carom.plotting.impulse_space(spatial, ax=flat)
    plt.close("all")
