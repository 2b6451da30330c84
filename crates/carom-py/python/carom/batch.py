"""Many impacts at once.

N impacts of one shape stand in arrays of ``float64``. Those in C order, one impact after another, are read where they are;
so are, for one contact in space each, ``delassus`` and ``contact_velocity`` in F order, one component after another, which
are answered in F order. That is quickest, unless N is a multiple of 512. Others are copied once, to C order. Nobody may
write to them meanwhile. The work is done without the interpreter's lock, on as many threads as wanted: the answers have the
same bits for any number of them, in either order.

>>> import numpy as np
>>> import carom.batch
>>> W = np.tile(np.diag([1.0, 3.0]), (3, 1, 1))
>>> u = np.array([[-1.0, 2.0], [-2.0, 0.0], [1.0, 0.0]])
>>> answers = carom.batch.resolve({"delassus": W, "contact_velocity": u, "mu": 0.25, "e": 0.5, "rows": 2},
...                               law="chatterjee-ruina")
>>> print(answers.contact_velocity[:, 0])
[0.5 1.  1. ]
>>> answers.answered.all()
np.True_

One component after another:

>>> W = np.asfortranarray(np.tile(np.diag([1.0, 3.0, 3.0]), (1000, 1, 1)))
>>> u = np.zeros((1000, 3), order="F")
>>> u[:, 0], u[:, 1] = -1.0, np.linspace(-2, 2, 1000)
>>> answers = carom.batch.resolve({"delassus": W, "contact_velocity": u, "mu": 0.25, "e": 0.5}, law="chatterjee-ruina")
>>> print(answers.contact_velocity[0, 0], answers.contact_velocity.flags.f_contiguous)
0.5 True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from carom import _carom, _html
from carom._law_like import LawLike
from carom._progress import Progress, shown
from carom._refusal import refused

if TYPE_CHECKING:
    import pandas

__all__ = ["Answers", "impulses", "resolve", "resolve_arrow"]

Floats = npt.NDArray[np.float64]
_VERDICTS = np.array(["permissible", "boundary", "violates", None], dtype=object)


@dataclass(frozen=True)
class Answers:
    """The answers to N impacts. Rows without an answer are NaN, and say why in ``error``.

    ``impulse`` and ``contact_velocity`` are in F order where arrays were read so, all else is in C order.
    """

    impulse: Floats
    """(N, R), contact by contact, normal first [N·s]."""
    contact_velocity: Floats
    """(N, R), after the impact [m/s]."""
    velocity: Floats | None
    """(N, f), generalized velocities after the impact; None in contact space [m/s or rad/s]."""
    energy_change: Floats
    """(N,), the work on the relative motion [J]."""
    failures: Sequence[tuple[int, str]]
    """The impacts without an answer, in order: which, and ``"kind: message"``."""
    energy_available: Floats | None = None
    """(N,), all that the contacts could take away; with ``certify`` [J]."""
    cone_margin: Floats | None = None
    """(N,), the smallest ``mu p_n - |p_t|``; with ``certify`` [N·s]."""
    separation_margin: Floats | None = None
    """(N,), the smallest normal velocity afterwards; with ``certify`` [m/s]."""
    e_kinematic: Floats | None = None
    """(N, k), the restitution observed; NaN at contacts that did not approach; with ``certify`` [1]."""
    verdict: npt.NDArray[np.object_] | None = None
    """(N,), "permissible", "boundary", "violates", or None without an answer; with ``certify``."""

    def __len__(self) -> int:
        return len(self.energy_change)

    @cached_property
    def error(self) -> npt.NDArray[np.object_]:
        """(N,), ``"kind: message"`` where there is no answer, otherwise None."""
        error = np.full(len(self), None, dtype=object)
        for row, text in self.failures:
            error[row] = text
        return error

    @cached_property
    def answered(self) -> npt.NDArray[np.bool_]:
        """(N,), where there is an answer."""
        answered = np.ones(len(self), dtype=np.bool_)
        answered[[row for row, _ in self.failures]] = False
        return answered

    def to_pandas(self) -> pandas.DataFrame:
        """One row per impact, one column per number: ``impulse[0]``, ``impulse[1]``, ..., ``energy_change``, ..., ``error``.

        >>> import carom.batch
        >>> ball = {"delassus": [[[1.0]]], "contact_velocity": [[-1.0]], "e": 0.5}
        >>> print(carom.batch.resolve(ball, "newton").to_pandas().iloc[0].to_dict())
        {'impulse[0]': 1.5, 'contact_velocity[0]': 0.5, 'energy_change': -0.375, 'error': None}
        """
        import pandas

        columns: dict[str, Any] = {}
        for name in _COLUMNS:
            values = getattr(self, name)
            if values is not None and values.ndim == 2:
                columns |= {f"{name}[{k}]": values[:, k] for k in range(values.shape[1])}
            elif values is not None:
                columns[name] = values
        return pandas.DataFrame(columns)

    def _repr_html_(self) -> str:
        return _html.answers(self)


_COLUMNS = (
    "impulse",
    "contact_velocity",
    "velocity",
    "energy_change",
    "energy_available",
    "cone_margin",
    "separation_margin",
    "e_kinematic",
    "verdict",
    "error",
)


def resolve(
    arrays: Mapping[str, Any],
    law: LawLike = "plus",
    threads: int | None = None,
    certify: bool = False,
    out: Answers | None = None,
    progress: Progress = False,
    **settings: Any,
) -> Answers:
    """Asks one law about N impacts.

    Parameters
    ----------
    arrays : mapping
        In contact space ``delassus`` (N, R, R) and ``contact_velocity`` (N, R); in generalized coordinates ``mass``
        (N, f, f) or (N, f), ``jacobian`` (N, R, f), ``velocity`` (N, f), and optionally ``bilateral`` (N, b, f) and
        ``drive`` (N, R). Besides ``mu``, ``e``, ``e_t``: one number, (N,), or (N, k) for k contacts; ``e`` is required.
        ``rows``: how many rows each contact owns, an int or k of them; it may be left out where it follows from the
        others, as :func:`carom.resolve` says: if one of the former is (N, k), if `law` takes one contact only, or if
        there is one way only to divide the rows (contacts of 1 row have no part in it if there is friction).
    law : str, Law or dict
        A law's id, a :class:`carom.Law`, or a dict with ``id`` and settings; further settings as keywords.
    threads : int
        By default as many as there are cores, and one for a batch that is done before others would have started.
    certify : bool
        Judge every answer, too. For one contact that costs far more than the answer itself.
    out : Answers
        Those of an earlier batch of the same shape, whose arrays are written over: batch after batch then needs fresh
        memory once only. They are in C order, or in F order as ``delassus`` and ``contact_velocity``.
    progress : bool or function
        Show how many impacts are done: a bar of tqdm where it is installed, otherwise a line on standard error; or call
        the function with how many are done and how many there are, ten times a second at most.

    Raises
    ------
    BadProblem
        An array does not fit to the others; it is named. What is wrong with a row's own numbers stands in ``error``.
    """
    if out is not None and not isinstance(out, Answers):
        raise refused("out", type(out).__name__, "must be the Answers of an earlier batch")
    written = None if out is None else vars(out)
    with shown(progress, _count(arrays), "impacts") as show:
        columns = _carom._batch_resolve(dict(arrays), law, settings, threads, certify, written, show)
    verdict = columns.pop("verdict", None)
    return Answers(
        verdict=None if verdict is None else _VERDICTS[verdict],
        velocity=columns.pop("velocity", None),
        **columns,
    )


def impulses(
    arrays: Mapping[str, Any],
    law: LawLike = "plus",
    threads: int | None = None,
    out: Floats | None = None,
    progress: Progress = False,
    **settings: Any,
) -> Floats:
    """The impulses alone of :func:`resolve`, (N, R) [N·s]: an eighth less time for laws of a few nanoseconds.

    They are written to ``out``, if it is given. Impacts without an answer are NaN; :func:`resolve` says why.
    """
    with shown(progress, _count(arrays), "impacts") as show:
        return _carom._batch_impulses(dict(arrays), law, settings, threads, out, show)


def _count(arrays: Mapping[str, Any]) -> int:
    """How many impacts there are, as far as that is to be seen before arrays are checked."""
    first = arrays.get("contact_velocity", arrays.get("velocity"))
    return len(first) if hasattr(first, "__len__") else 0


def resolve_arrow(
    record_batch: Any,
    law: LawLike = "plus",
    threads: int | None = None,
    rows: int | list[int] | None = None,
    *,
    certify: bool = True,
    keep: bool = True,
    progress: Progress = False,
    **settings: Any,
) -> Any:
    """Asks one law about every row of a record batch, a table or a data frame.

    Its columns are those of :func:`resolve`, as numbers or lists of one length. The caller's columns come back in front of
    the answers, all of them or, with ``keep=False``, those that are not of the problem. Answers are ``impulse``,
    ``contact_velocity`` (after), ``velocity`` (after), ``energy_change``, unless ``certify=False`` ``energy_available``,
    ``cone_margin``, ``separation_margin``, ``e_kinematic``, ``verdict``, and ``error``; where ``error`` is set, the others
    are null. The velocities that the caller gave are then called ``contact_velocity_before`` and ``velocity_before``.

    Out comes what went in: for a ``pyarrow.RecordBatch``, ``pyarrow.Table``, ``pandas.DataFrame`` or
    ``polars.DataFrame`` one of the same kind. For other objects with Arrow's PyCapsule interface it is a
    ``pyarrow.RecordBatch`` or, if they are streams, a ``pyarrow.Table``; without pyarrow, an object with that interface.
    """
    package = type(record_batch).__module__.partition(".")[0]
    given = record_batch
    if package == "pandas":
        import pyarrow

        # Knows the index, too, and finds it again on the way back.
        given = pyarrow.Table.from_pandas(record_batch)
    total = int(getattr(given, "num_rows", getattr(given, "height", 0)))
    with shown(progress, total, "impacts") as show:
        answer = _carom._batch_resolve_arrow(given, law, settings, threads, rows, certify, keep, show)
    if package == "polars":
        return type(record_batch)(answer)
    try:
        import pyarrow
    except ImportError:
        return answer
    if not hasattr(given, "__arrow_c_array__"):
        answered = pyarrow.table(answer)
        return answered.to_pandas() if package == "pandas" else answered
    return pyarrow.record_batch(answer)
