"""Progress of long work: a bar of tqdm where it is installed, otherwise a line on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from carom._refusal import refused

#: Whether to show progress: no, yes, or by a function that is told how many pieces are done, and how many there are.
Progress = bool | Callable[[int, int], object]


@contextmanager
def shown(progress: Progress, total: int, what: str) -> Iterator[Callable[[int], object] | None]:
    """What to tell how many of `total` pieces are done; it is told that all are when the work has ended well."""
    if progress is False:
        yield None
        return
    if progress is not True and not callable(progress):
        raise refused("progress", repr(progress), "must be True, False, or a function of (done, total)")
    show, close = (_to(progress, total), _nothing) if callable(progress) else _bar(total, what)
    try:
        yield show
        show(total)
    finally:
        close()


def _to(progress: Callable[[int, int], object], total: int) -> Callable[[int], object]:
    return lambda done: progress(done, total)


def _nothing() -> None:
    pass


def _bar(total: int, what: str) -> tuple[Callable[[int], object], Callable[[], object]]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _line(total, what)
    bar: Any = tqdm(total=total, unit=f" {what}")
    return (lambda done: bar.update(done - bar.n)), bar.close


def _line(total: int, what: str) -> tuple[Callable[[int], object], Callable[[], object]]:
    """One line, written over again and again."""

    def show(done: int) -> None:
        part = 100 * done // total if total else 100
        print(f"\r{part:3} % {done} of {total} {what}", end="", file=sys.stderr, flush=True)

    return show, lambda: print(file=sys.stderr)


@contextmanager
def shown_after(total: int, what: str, seconds: float = 1.0) -> Iterator[Callable[[int], object] | None]:
    """A bar that appears after a second, where a person may be looking: on a terminal, or in a notebook."""
    if not (sys.stderr.isatty() or "ipykernel" in sys.modules):
        yield None
        return
    begin, bar = time.monotonic(), None

    def show(done: int) -> None:
        nonlocal bar
        if bar is None and time.monotonic() - begin >= seconds:
            bar = _bar(total, what)
        if bar is not None:
            bar[0](done)

    try:
        yield show
        if bar is not None:
            bar[0](total)
    finally:
        if bar is not None:
            bar[1]()
