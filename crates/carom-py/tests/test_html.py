"""What notebooks show."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import carom
import carom.batch
import numpy as np
import pytest

# Elements that have no end.
VOID = {"br", "img", "meta", "link"}


class Checker(HTMLParser):
    """Every element ends, in order; no script anywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        assert tag != "script"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def shown(thing: Any) -> str:
    html: str = thing._repr_html_()
    checker = Checker()
    checker.feed(html)
    assert not checker.open and html.startswith("<div>")
    return html


def test_every_scenario_is_shown(repository: Path) -> None:
    for path in sorted((repository / "scenarios").glob("*.toml")):
        problem = carom.load(path)
        shown(problem)
        out = problem.resolve("sequential")
        assert out.certificate.verdict in shown(out) and "sequential" in shown(out)
        assert "energy available" in shown(out.certificate)


def test_numbers_are_shown() -> None:
    disk = carom.Problem({"delassus": [[1, 0], [0, 3]], "contact_velocity": [-1, 2], "contacts": [{"mu": 0.25, "e": 0.5}]})
    out = disk.resolve("chatterjee-ruina")
    assert "<td>1.5</td>" in shown(out) and "<td>-0.375</td>" in shown(out) and "boundary" in shown(out)
    assert "violates energy" in shown(disk.certify([3.0, 0.0]))
    assert "<td>0.25</td>" in shown(disk) and "-1, 2" in shown(disk)
    assert "<svg" in shown(carom.region(disk))
    several = carom.region({"chain": {"mass": [1, 1, 1], "velocity": [1, 0, 0], "e": 1}})
    assert "2 contacts" in shown(several)


def test_long_batches_are_cut() -> None:
    arrays: dict[str, Any] = {"delassus": np.ones((1000, 1, 1)), "contact_velocity": -np.ones((1000, 1)), "e": np.full(1000, 0.5)}
    arrays["e"][7] = -1.0
    html = shown(carom.batch.resolve(arrays, "newton", certify=True))
    assert "and 988 more" in html and len(html) < 10_000
    assert "<td>999</td>" in html and "7: bad_problem" in html


def test_names_are_words_and_no_markup() -> None:
    evil = '<script>alert("x")</script>'
    problem = carom.Problem(
        {
            "title": evil,
            "description": evil,
            "bodies": [
                {"name": "floor", "fixed": True, "position": [0, 0]},
                {"name": evil, "mass": 1, "inertia": 1, "position": [0, 1], "velocity": [0, -2]},
            ],
            "contacts": [{"a": "floor", "b": evil, "point": [0, 0], "normal": [0, 1], "e": 0.5}],
        }
    )
    for thing in (problem, problem.resolve("newton"), carom.region(problem)):
        assert "<script" not in shown(thing)
    assert re.search("&lt;script&gt;", shown(problem)) and "&lt;script&gt;" in shown(problem.resolve("newton"))


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_is_shown_too(count: int) -> None:
    arrays = {"delassus": np.ones((count, 1, 1)), "contact_velocity": -np.ones((count, 1)), "e": 0.5}
    assert f"Answers to {count} impacts" in shown(carom.batch.resolve(arrays, "newton"))
