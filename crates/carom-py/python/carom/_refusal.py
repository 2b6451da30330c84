"""Refusals of arguments, worded as the library words them: ``field = value: reason``."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from carom._errors import BadProblem


def refused(field: str, value: object, reason: str) -> BadProblem:
    """The error for an argument, or a part of it, that is not acceptable."""
    return BadProblem(f"{field} = {value}: {reason}", field, str(value), reason)


def unknown(field: str, what: str, name: object, known: Iterable[str]) -> BadProblem:
    """The error for a name that the engine's model does not have, with the nearest one that it has."""
    near = difflib.get_close_matches(str(name), list(known), n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return refused(field, repr(name), f"the model has no {what} of this name{hint}")
