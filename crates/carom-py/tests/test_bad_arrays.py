"""What cannot be an impact is refused with the name of the argument."""

from __future__ import annotations

from typing import Any

import carom
import numpy as np
import pytest

GOOD: dict[str, Any] = {
    "mass": np.eye(3),
    "jacobian": np.eye(3),
    "velocity": np.array([-1.0, 0.0, 0.0]),
    "mu": 0.5,
    "e": 0.5,
}
NAN, INF = np.nan, np.inf

BAD: list[tuple[str, Any, str]] = [
    # Shapes.
    ("mass", np.eye(2), r"\(2, 2\).*\(3, 3\) or \(3,\)"),
    ("mass", np.ones((3, 2)), r"\(3, 2\)"),
    ("mass", 1.0, r"shape \(\)"),
    ("mass", np.ones((1, 3, 3)), r"\(1, 3, 3\)"),
    ("jacobian", np.ones((3, 4)), r"\(3, 4\).*\(rows, 3\)"),
    ("jacobian", np.ones(3), r"\(3,\)"),
    ("jacobian", np.ones((0, 3)), "0 rows.*at least one contact"),
    ("jacobian", [[1, 0, 0], [0, 1]], "no array"),
    ("velocity", np.zeros((3, 1)), r"\(3, 1\)"),
    ("velocity", [], "velocity"),
    ("bilateral", np.ones((1, 2)), r"\(1, 2\).*\(rows, 3\)"),
    ("bilateral", np.ones(3), r"\(3,\)"),
    ("drive", [1.0], r"\(1,\).*\(3,\)"),
    ("mu", [0.1, 0.2, 0.3, 0.4], "4 numbers: the 3 rows of `jacobian`"),
    ("mu", [[0.1]], r"\(1, 1\)"),
    ("e", [], "0 numbers"),
    ("stiffness", [1.0, 2.0], "2 numbers"),
    ("rows", 2, "3 rows"),
    ("rows", 4, "1, 2 or 3"),
    ("rows", 0, "1, 2 or 3"),
    ("rows", [1, 1], "2 rows together.*3 rows"),
    ("rows", [1.5, 1.5], "1, 2 or 3"),
    # Kinds of numbers.
    ("mass", np.eye(3) * 1j, "complex128"),
    ("mass", np.eye(3).astype(object), "object"),
    ("mass", np.eye(3).astype(str), "<U"),
    ("mass", np.eye(3, dtype=bool), "bool"),
    ("mass", np.ma.masked_array(np.eye(3), mask=np.eye(3, dtype=bool)), "masked"),
    ("mass", None, "mass"),
    ("mass", "eye", "<U3"),
    ("jacobian", np.array([["a"] * 3] * 3), "<U1"),
    ("velocity", ["fast", 0, 0], "<U"),
    ("velocity", {1, 2, 3}, "object"),
    ("velocity", np.array(["2020-01-01"] * 3, dtype="datetime64[D]"), "datetime64"),
    ("mu", "rough", "<U5"),
    ("mu", 0.5j, "complex"),
    ("e", None, "object"),
    ("e", {"minimum": 0.1}, "capture_speed"),
    ("e", {"minimum": 0.1, "capture_speed": 0, "plastic_speed": 1, "elastic": 2}, "elastic"),
    ("e", [{"minimum": 0.1, "capture_speed": 0.5, "plastic_speed": 0.2}], r"e\[0\].plastic_speed"),
    # Values.
    ("mass", np.diag([1, 1, NAN]), r"mass\[2\]\[2\] = NaN"),
    ("mass", np.diag([1, INF, 1]), r"mass\[1\]\[1\] = inf"),
    ("mass", np.diag([1, -1, 1]), r"mass\[1\]\[1\] = -1"),
    ("mass", [1, 0, 1], r"mass\[1\] = 0"),
    ("mass", np.array([[1, 5, 0], [0, 1, 0], [0, 0, 1]]), "mass"),
    ("jacobian", [[1, 0, 0], [0, NAN, 0], [0, 0, 1]], r"jacobian\[1\]\[1\] = NaN"),
    ("velocity", [-1, INF, 0], r"velocity\[1\] = inf"),
    ("bilateral", [[0, 0, NAN]], r"bilateral\[0\]\[2\]"),
    ("drive", [0, NAN, 0], r"drive\[1\]"),
    ("mu", -0.1, "^mu = -0.1"),
    ("mu", NAN, "^mu = NaN"),
    ("mu", [-0.1], r"^mu\[0\] = -0.1"),
    ("e", -0.5, "^e = -0.5"),
    ("e", NAN, "^e = NaN"),
    ("e_t", 2.0, "^e_t = 2"),
    ("stiffness", -1.0, "^stiffness = -1"),
]


@pytest.mark.parametrize(("name", "value", "message"), BAD, ids=lambda value: str(value)[:20].replace("\n", ""))
def test_the_argument_is_named(name: str, value: Any, message: str) -> None:
    with pytest.raises(carom.InputError, match=message) as caught:
        carom.resolve(**(GOOD | {name: value}))
    assert isinstance(caught.value, ValueError) and name in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("delassus", np.eye(3), r"\(3, 3\).*\(rows, 2\)"),
        ("delassus", np.ones((3, 2)), r"\(3, 2\).*\(2, 2\)"),
        ("delassus", [[1, 2], [0, 1]], "delassus"),
        ("delassus", [[-1, 0], [0, 1]], "delassus"),
        ("delassus", [[NAN, 0], [0, 1]], "delassus"),
        ("contact_velocity", [NAN, 0], r"contact_velocity\[0\]"),
        ("contact_velocity", [], "at least one contact"),
    ],
)
def test_in_contact_space_too(name: str, value: Any, message: str) -> None:
    good: dict[str, Any] = {"delassus": np.eye(2), "contact_velocity": [-1.0, 0.0], "mu": 0.1, "e": 0.5, "rows": 2}
    if name == "contact_velocity" and value == []:
        good["delassus"] = np.zeros((0, 0))
    with pytest.raises(carom.BadProblem, match=message):
        carom.resolve_contact(**(good | {name: value}))


def test_what_is_not_there_cannot_be_asked() -> None:
    with pytest.raises(carom.UnknownLaw, match="did you mean `plus`") as unknown:
        carom.resolve(**GOOD, law="pluss")  # type: ignore[arg-type]
    assert unknown.value.suggestion == "plus"
    with pytest.raises(carom.BadSetting, match="max_rounds") as bad:
        carom.resolve(**GOOD, law="plus", max_round=3)
    assert bad.value.setting == "max_round"
    with pytest.raises(carom.BadProblem, match="named by `law`"):
        carom.resolve(**GOOD, id="newton")
    with pytest.raises(carom.BadProblem, match="law"):
        carom.resolve(**GOOD, law=7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="e"):
        carom.resolve(np.eye(3), np.eye(3), [-1, 0, 0])  # type: ignore[call-arg]
    with pytest.raises(carom.NotApplicable) as several:
        carom.resolve(np.eye(6), np.eye(6), -np.ones(6), e=0.5, law="smith")
    assert several.value.law == "smith" and several.value.kind == "not_applicable"
    assert issubclass(carom.NotApplicable, carom.NoAnswer) and not issubclass(carom.NoAnswer, ValueError)


def test_more_rows_than_memory_are_refused() -> None:
    # 2³¹ rows without the memory for them: one row, repeated.
    many = np.broadcast_to(np.zeros((1, 3)), (2**31, 3))
    with pytest.raises(carom.LimitError, match="jacobian"):
        carom.resolve(np.eye(3), many, [-1, 0, 0], e=0.5, rows=1)
