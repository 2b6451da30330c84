"""Many laws on one problem, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from carom._carom import Problem, compare_rows

if TYPE_CHECKING:
    OwnLaw = Callable[[Problem], npt.ArrayLike]


class Comparison(list[dict[str, Any]]):
    """One dict of numbers per law that answers, as :func:`compare` gives it where pandas is not installed."""

    without_answer: dict[str, str]
    """Laws that do not answer, and why."""


def compare(
    problem: Problem | Mapping[str, Any],
    laws: Iterable[str | Mapping[str, Any]] | None = None,
    extra: Mapping[str, OwnLaw] | None = None,
) -> Any:
    """Asks every law, or those named, and functions of your own; certifies all answers alike.

    Each function of `extra` is given the :class:`Problem` (``delassus``, ``contact_velocity``, ``mu``, ``e``, ``e_t``,
    ``rows``) and answers the impulse, one number per row; it may raise :class:`NoAnswer`.

    The answer is a pandas DataFrame with one row per law, or a list of dicts where pandas is not installed. Laws that do
    not answer, and why, stand in its ``attrs["without_answer"]``, or in ``without_answer`` of the list.

    >>> import carom
    >>> disk = {"delassus": [[1, 0], [0, 3]], "contact_velocity": [-1, 2], "contacts": [{"mu": 0.25, "e": 0.5}]}
    >>> def slides(problem):
    ...     normal = -(1 + problem.e[0]) * problem.contact_velocity[0] / problem.delassus[0, 0]
    ...     return [normal, -problem.mu[0] * normal]
    >>> table = carom.compare(disk, laws=["routh-poisson", "smith"], extra={"mine": slides})
    >>> list(table.index), list(table["verdict"])
    (['routh-poisson', 'smith', 'mine'], ['boundary', 'boundary', 'boundary'])
    """
    named = None if laws is None else list(laws)
    rows, without = compare_rows(problem, named, None if extra is None else dict(extra))
    try:
        import pandas
    except ImportError:
        comparison = Comparison(rows)
        comparison.without_answer = without
        return comparison
    table = pandas.DataFrame(rows)
    if rows:
        table = table.set_index("law")
    table.attrs["without_answer"] = without
    return table
