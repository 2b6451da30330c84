"""Why there is no answer: one class for each kind of refusal, with the messages of the command line."""

from __future__ import annotations

from typing import Any, ClassVar


class CaromError(Exception):
    """Anything that carom refuses. The message says what is wrong and what would be right."""

    kind: ClassVar[str] = "error"
    """The class of error, as streaming answers write it."""

    _fields: ClassVar[tuple[str, ...]] = ()

    def __init__(self, message: str, *values: Any) -> None:
        # All arguments stay in `args`, so that errors travel between processes.
        super().__init__(message, *values)
        for name, value in zip(self._fields, values, strict=True):
            setattr(self, name, value)

    def __str__(self) -> str:
        return str(self.args[0])


class InputError(CaromError, ValueError):
    """The question is at fault."""


class BadProblem(InputError):
    """A number of the problem, or an argument, is not acceptable."""

    kind = "bad_problem"
    _fields = ("field", "value", "reason")
    field: str
    """Which one, as in ``mass[0][1]`` or ``contacts[2].mu``."""
    value: str
    """The offending value, as text."""
    reason: str
    """What is wrong with it and what would be right."""


class UnknownLaw(InputError):
    """No law has this id."""

    kind = "unknown_law"
    _fields = ("id", "suggestion")
    id: str
    suggestion: str | None


class BadSetting(InputError):
    """A law's setting is unknown or out of range."""

    kind = "bad_setting"
    _fields = ("law", "setting", "reason")
    law: str
    setting: str
    reason: str


class ParseError(InputError):
    """A file is no JSON or TOML."""

    kind = "parse"


class NoAnswer(CaromError):
    """The question is fine, and the law has no answer to it."""


class NotApplicable(NoAnswer):
    """The law is not defined for problems of this class."""

    kind = "not_applicable"
    _fields = ("law", "reason")
    law: str
    reason: str


class NoSolution(NoAnswer):
    """The law is defined here, but its equations have no solution."""

    kind = "no_solution"
    _fields = ("law", "reason")
    law: str
    reason: str


class NotConverged(NoAnswer):
    """An iteration ended without reaching its tolerance. What it had found is not returned."""

    kind = "not_converged"
    _fields = ("law", "residual", "iterations")
    law: str
    residual: float
    iterations: int


class LimitError(CaromError):
    """A size or number is beyond a limit."""

    kind = "limit"


# People catch `carom.BadProblem` and should read that name.
for _class in list(globals().values()):
    if isinstance(_class, type) and issubclass(_class, CaromError):
        _class.__module__ = "carom"
