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
from typing import Any

import numpy as np
import numpy.typing as npt

from carom import _carom
from carom._refusal import refused

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


def resolve(
    arrays: Mapping[str, Any],
    law: str | Mapping[str, Any] = "plus",
    threads: int | None = None,
    certify: bool = False,
    out: Answers | None = None,
    **settings: Any,
) -> Answers:
    """Asks one law about N impacts.

    Parameters
    ----------
    arrays : mapping
        In contact space ``delassus`` (N, R, R) and ``contact_velocity`` (N, R); in generalized coordinates ``mass``
        (N, f, f) or (N, f), ``jacobian`` (N, R, f), ``velocity`` (N, f), and optionally ``bilateral`` (N, b, f) and
        ``drive`` (N, R). Besides ``mu``, ``e``, ``e_t``: one number, (N,), or (N, k) for k contacts; ``e`` is required.
        ``rows``: how many rows each contact owns, an int or k of them; by default R // k if one of the former is (N, k),
        otherwise 3.
    law : str or dict
        A law's id, or a dict with ``id`` and settings; further settings as keywords.
    threads : int
        By default as many as there are cores.
    certify : bool
        Judge every answer, too. For one contact that costs far more than the answer itself.
    out : Answers
        Those of an earlier batch of the same shape, whose arrays are written over: batch after batch then needs fresh
        memory once only. They are in C order, or in F order as ``delassus`` and ``contact_velocity``.

    Raises
    ------
    BadProblem
        An array does not fit to the others; it is named. What is wrong with a row's own numbers stands in ``error``.
    """
    if out is not None and not isinstance(out, Answers):
        raise refused("out", type(out).__name__, "must be the Answers of an earlier batch")
    columns = _carom._batch_resolve(dict(arrays), law, settings, threads, certify, None if out is None else vars(out))
    verdict = columns.pop("verdict", None)
    return Answers(
        verdict=None if verdict is None else _VERDICTS[verdict],
        velocity=columns.pop("velocity", None),
        **columns,
    )


def impulses(
    arrays: Mapping[str, Any],
    law: str | Mapping[str, Any] = "plus",
    threads: int | None = None,
    out: Floats | None = None,
    **settings: Any,
) -> Floats:
    """The impulses alone of :func:`resolve`, (N, R) [N·s]: an eighth less time for laws of a few nanoseconds.

    They are written to ``out``, if it is given. Impacts without an answer are NaN; :func:`resolve` says why.
    """
    return _carom._batch_impulses(dict(arrays), law, settings, threads, out)


def resolve_arrow(
    record_batch: Any,
    law: str | Mapping[str, Any] = "plus",
    threads: int | None = None,
    rows: int | list[int] | None = None,
    **settings: Any,
) -> Any:
    """Asks one law about every row of a record batch.

    The batch is any object with Arrow's PyCapsule interface (pyarrow, polars, nanoarrow, ...). Its columns are those of
    :func:`resolve`, as numbers or lists of one length; others pass through. Out come ``impulse``, ``contact_velocity``
    (after), ``velocity``, ``energy_change``, ``energy_available``, ``cone_margin``, ``separation_margin``,
    ``e_kinematic``, ``verdict`` and ``error``; where ``error`` is set, the others are null. With pyarrow installed the
    answer is a ``pyarrow.RecordBatch``, otherwise an object with the PyCapsule interface.
    """
    answer = _carom._batch_resolve_arrow(record_batch, law, settings, threads, rows)
    try:
        import pyarrow
    except ImportError:
        return answer
    return pyarrow.record_batch(answer)
