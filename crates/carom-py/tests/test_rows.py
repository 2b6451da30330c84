"""How many rows each contact owns: told where it can be told, asked for where it cannot."""

from __future__ import annotations

from typing import Any

import carom
import carom.batch
import numpy as np
import pytest

PLANK: tuple[Any, ...] = (np.diag([2, 2, 0.5]), [[0, 1, -0.5], [0, 1, 0.5]], [0, -1, -1])


def test_two_normals_are_not_taken_for_a_contact_in_the_plane() -> None:
    with pytest.raises(carom.BadProblem) as caught:
        carom.resolve(*PLANK, e=0.5)
    message = str(caught.value)
    assert caught.value.field == "rows"
    for words in ("the 2 rows of `jacobian`", "2 contacts of 1", "1 contact of 2", "`rows`", "`mu` or `e`"):
        assert words in message
    # Each way out that it names is one.
    for more in ({"rows": 1}, {"e": [0.5, 0.5]}):
        normals = carom.resolve(*PLANK, **{"e": 0.5, "law": "newton", **more})  # type: ignore[arg-type]
        np.testing.assert_allclose(normals.contact_velocity, [0.25, 0.75], atol=1e-15)
    planar = carom.resolve(*PLANK, e=0.5, rows=2)
    np.testing.assert_allclose(planar.contact_velocity, [0.25, -1.5], atol=1e-15)
    assert carom.resolve(*PLANK, e=[0.5]).impulse.tolist() == planar.impulse.tolist()


@pytest.mark.parametrize(
    ("total", "arguments", "contacts"),
    [
        # One row is a normal; five fall to no contacts of equal size but normals.
        (1, {}, 1),
        (5, {}, 5),
        # Where there is friction, no contact is a normal alone.
        (2, {"mu": 0.1}, 1),
        (2, {"e_t": 0.5}, 1),
        (3, {"mu": 0.1}, 1),
        (4, {"mu": np.inf}, 2),
        (9, {"mu": 0.1}, 3),
        # A law for one contact says that there is one.
        (2, {"law": "frictionless"}, 1),
        (3, {"law": {"id": "smith"}}, 1),
        (3, {"law": carom.Law("chatterjee-ruina")}, 1),
        # Numbers of contacts say how many there are.
        (2, {"mu": [0.1, 0.1]}, 2),
        (6, {"stiffness": [1.0, 1.0]}, 2),
        (6, {"mu": 0.1, "rows": 2}, 3),
        (6, {"rows": [3, 2, 1]}, 3),
    ],
)
def test_what_can_be_told(total: int, arguments: dict[str, Any], contacts: int) -> None:
    asked = {"e": 0.5, **arguments}
    w, u = np.eye(total), -np.ones(total)
    assert len(carom.resolve_contact(w, u, **asked).certificate.e_kinematic) == contacts
    assert len(carom.resolve(np.ones(total), w, u, **asked).certificate.e_kinematic) == contacts
    assert len(carom.Problem.from_arrays(np.ones(total), w, u, **asked)) == contacts


@pytest.mark.parametrize(
    ("total", "arguments"),
    [(2, {}), (3, {}), (4, {}), (6, {}), (6, {"mu": 0.1}), (2, {"mu": 0.0}), (3, {"law": "newton"}), (12, {"mu": 1.0})],
)
def test_what_must_be_asked(total: int, arguments: dict[str, Any]) -> None:
    w, u = np.eye(total), -np.ones(total)
    for ask in (
        lambda: carom.resolve_contact(w, u, e=0.5, **arguments),
        lambda: carom.resolve(np.ones(total), w, u, e=0.5, **arguments),
        lambda: carom.Problem.from_arrays(np.ones(total), w, u, e=0.5, **arguments),
    ):
        with pytest.raises(carom.BadProblem, match=rf"{total} rows.*may be .* or .*say which by `rows`"):
            ask()
    law = arguments.get("law", "plus")
    arrays = {"delassus": w[None], "contact_velocity": u[None], "e": 0.5, "mu": arguments.get("mu", 0.0)}
    with pytest.raises(carom.BadProblem, match="may be .*say which by `rows`"):
        carom.batch.resolve(arrays, law)
    pa = pytest.importorskip("pyarrow")
    columns = {"delassus": [w.ravel()], "contact_velocity": [u], "e": [0.5], "mu": [arguments.get("mu", 0.0)]}
    with pytest.raises(carom.BadProblem, match="may be .*say which by `rows`"):
        carom.batch.resolve_arrow(pa.table(columns), law)


def test_what_fits_no_contacts_is_refused() -> None:
    with pytest.raises(carom.BadProblem, match="the 5 rows of `contact_velocity` do not fall to contacts of equal size"):
        carom.resolve_contact(np.eye(5), -np.ones(5), mu=0.1, e=0.5)
