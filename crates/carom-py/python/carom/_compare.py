"""Many laws on one problem, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy.typing as npt

from carom._carom import Problem, compare_rows, laws
from carom._law_like import LawLike
from carom._progress import Progress, shown

if TYPE_CHECKING:
    import pandas

    OwnLaw = Callable[[Problem], npt.ArrayLike]

Row = dict[str, float | str | None]
"""What :func:`compare` says of one law: a number, a word or None under each name of a column."""


class Comparison(list[Row]):
    """One dict of numbers per law that answers, as :func:`compare` gives it without pandas."""

    without_answer: dict[str, str]
    """Laws that do not answer, and why."""


@overload
def compare(
    problem: Problem | Mapping[str, Any],
    laws: Iterable[LawLike] | None = None,
    extra: Mapping[str, OwnLaw] | None = None,
    *,
    frame: Literal[True] | None = None,
    progress: Progress = False,
) -> pandas.DataFrame: ...


@overload
def compare(
    problem: Problem | Mapping[str, Any],
    laws: Iterable[LawLike] | None = None,
    extra: Mapping[str, OwnLaw] | None = None,
    *,
    frame: Literal[False],
    progress: Progress = False,
) -> Comparison: ...


def compare(
    problem: Problem | Mapping[str, Any],
    laws: Iterable[LawLike] | None = None,
    extra: Mapping[str, OwnLaw] | None = None,
    *,
    frame: bool | None = None,
    progress: Progress = False,
) -> pandas.DataFrame | Comparison:
    """Asks every law, or those named, and functions of your own; certifies all answers alike.

    Each function of `extra` is given the :class:`Problem` (``delassus``, ``contact_velocity``, ``mu``, ``e``, ``e_t``,
    ``rows``) and answers the impulse, one number per row; it may raise :class:`NoAnswer`.

    The answer is a pandas DataFrame with one row per law. With ``frame=False``, and where pandas is not installed unless
    ``frame=True``, it is a :class:`Comparison`, a list of dicts. Laws that do not answer, and why, stand in the frame's
    ``attrs["without_answer"]``, or in ``without_answer`` of the list. `progress` shows how many laws have been asked.

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
    total = _count() if named is None else len(named)
    with shown(progress, total, "laws") as show:
        begun = iter(range(total))
        tell = None if show is None else lambda _law: show(next(begun, total))
        rows, without = compare_rows(problem, named, None if extra is None else dict(extra), tell)
    if frame is not False:
        try:
            import pandas
        except ImportError:
            if frame:
                raise
        else:
            table = pandas.DataFrame(rows)
            if rows:
                table = table.set_index("law")
            table.attrs["without_answer"] = without
            return table
    comparison = Comparison(rows)
    comparison.without_answer = without
    return comparison


def _count() -> int:
    return len(laws())
