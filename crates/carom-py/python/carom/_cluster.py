"""What the adapters of clusters share: a folder of Parquet files as tasks, and one task from file to file.

A task is idempotent. It writes to a name of its own and renames at the end, so that an output is whole or absent, and
two workers on the same task leave one and the same file. Each output carries a fingerprint of its input, law, settings
and build of carom, by which a restart knows what is finished.
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

import pyarrow
import pyarrow.parquet as parquet

import carom
import carom.batch
from carom._carom import _build
from carom._refusal import refused

#: A Parquet file, a folder of them, or several files.
Dataset = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

# Rows handed to the kernel at once: enough to hide the price of a call, little enough for any worker's memory.
_ROWS = 65_536
_FINGERPRINT, _LAW, _SOURCE = b"carom.fingerprint", b"carom.law", b"carom.source"


@dataclass(frozen=True)
class Task:
    """One input, a file or one of its row groups, and where its answers go."""

    source: Path
    row_group: int | None
    target: Path
    law: dict[str, Any]
    rows: int | list[int] | None
    fingerprint: str


@dataclass(frozen=True)
class Done:
    """What became of a task."""

    target: Path
    """Its output."""
    rows: int
    """Rows in it."""
    errors: int
    """Rows in it whose column ``error`` says why they have no answer."""


@dataclass(frozen=True)
class Report:
    """What a run left in its folder."""

    files: tuple[Path, ...]
    """All outputs, in the order of their inputs."""
    rows: int
    """Rows in all of them."""
    errors: int
    """Rows whose column ``error`` says why they have no answer."""
    skipped: int
    """Outputs that an earlier run had finished."""


_Task = TypeVar("_Task")


@dataclass(frozen=True)
class Plan(Generic[_Task]):
    """Tasks still to do, and what is done already."""

    out: Path
    tasks: tuple[_Task, ...]
    done: tuple[Done, ...]
    order: tuple[Path, ...]

    def report(self, finished: Iterable[Done]) -> Report:
        """Closes the run; what a killed worker left half written goes."""
        remove_parts(self.out)
        by_target = {done.target: done for done in (*self.done, *finished)}
        all_done = [by_target[target] for target in self.order]
        return Report(
            files=self.order,
            rows=sum(done.rows for done in all_done),
            errors=sum(done.errors for done in all_done),
            skipped=len(self.done),
        )


def _beside(dataset: Dataset) -> Path:
    """Where answers go if nobody says: next to what they answer."""
    if not isinstance(dataset, (str, os.PathLike)):
        raise refused("out", "None", "required where `dataset` is a list of files")
    source = Path(dataset).absolute()
    return source.with_name(f"{source.stem}-answers")


def plan(
    dataset: Dataset,
    out: str | os.PathLike[str] | None,
    law: Any,
    settings: dict[str, Any],
    *,
    rows: int | list[int] | None,
    by: str,
    existing: str,
) -> Plan[Task]:
    """Splits `dataset` into tasks whose outputs go into the folder `out`; arguments as in ``carom.dask.resolve``."""
    if by not in ("file", "row_group"):
        raise refused("by", repr(by), "must be 'file' or 'row_group'")
    if existing not in ("refuse", "recompute"):
        raise refused("existing", repr(existing), "must be 'refuse' or 'recompute'")
    folder = (_beside(dataset) if out is None else Path(out)).absolute()
    if isinstance(law, carom.Law):
        law = law.id
    if not isinstance(law, (str, Mapping)):
        raise refused("law", repr(law), "must be a law's id, a Law, or a mapping of its id and settings")
    whole_law = {**({"id": law} if isinstance(law, str) else law), **settings}
    todo: list[Task] = []
    done: list[Done] = []
    order: list[Path] = []
    for source, name in _inputs(dataset, folder):
        footer = _footer(source)
        groups = range(parquet.read_metadata(source).num_row_groups) if by == "row_group" else [None]
        for group in groups:
            target = folder / (name if group is None else Path(name).with_suffix(f".{group:05}.parquet"))
            fingerprint = _fingerprint(whole_law, rows, footer, group)
            order.append(target)
            if _is_whole(target, fingerprint):
                done.append(_count(target))
            elif target.exists() and existing == "refuse":
                raise _foreign(target, whole_law)
            else:
                todo.append(Task(source, group, target, whole_law, rows, fingerprint))
    folder.mkdir(parents=True, exist_ok=True)
    remove_parts(folder)
    if todo:
        # A law or a column that cannot work is refused here, and not by the first worker.
        with parquet.ParquetFile(todo[0].source) as first:
            for batch in islice(first.iter_batches(1), 1):
                _resolved(batch, todo[0])
    return Plan(folder, tuple(todo), tuple(done), tuple(order))


def do(task: Task) -> Done:
    """Answers one task, on one thread; one that was answered already is only counted.

    A cluster repeats tasks whose worker has died, also those that were finished and whose `Done` died with the worker.
    """
    if _is_whole(task.target, task.fingerprint):
        return _count(task.target)
    task.target.parent.mkdir(parents=True, exist_ok=True)
    part = task.target.with_name(f".{task.target.name}.{uuid.uuid4().hex}.{os.getpid()}.part")
    rows = errors = 0
    writer = None
    try:
        for answers in _answers(task):
            if writer is None:
                metadata = {
                    **(answers.schema.metadata or {}),
                    _FINGERPRINT: task.fingerprint.encode(),
                    _LAW: json.dumps(task.law).encode(),
                    _SOURCE: task.source.name.encode(),
                }
                writer = parquet.ParquetWriter(part, answers.schema.with_metadata(metadata))
            writer.write_batch(answers.replace_schema_metadata(writer.schema.metadata))
            rows += answers.num_rows
            errors += answers.num_rows - answers.column("error").null_count
        if writer is not None:
            writer.close()
        with open(part, "rb") as written:
            os.fsync(written.fileno())
        os.replace(part, task.target)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
    return Done(task.target, rows, errors)


def remove_parts(folder: Path) -> None:
    """Removes what interrupted tasks have left in `folder`."""
    for part in folder.rglob(".*.part"):
        with suppress(FileNotFoundError):
            part.unlink()


def _answers(task: Task) -> Iterator[pyarrow.RecordBatch]:
    with parquet.ParquetFile(task.source) as file:
        groups = list(range(file.num_row_groups)) if task.row_group is None else [task.row_group]
        empty = True
        for batch in file.iter_batches(_ROWS, row_groups=groups):
            empty = False
            yield _resolved(batch, task)
        if empty:
            # An input without rows has an output without rows, with the same columns as others.
            yield _resolved(pyarrow.RecordBatch.from_pylist([], file.schema_arrow), task)


def _resolved(batch: pyarrow.RecordBatch, task: Task) -> pyarrow.RecordBatch:
    return carom.batch.resolve_arrow(batch, law=task.law, threads=1, rows=task.rows, keep=False)


def _inputs(dataset: Dataset, out: Path) -> list[tuple[Path, str]]:
    """Input files in a fixed order, each with the name of its output relative to the folder of outputs."""
    if isinstance(dataset, (str, os.PathLike)):
        root = Path(dataset).absolute()
        if root.is_dir():
            if out == root or root in out.parents:
                raise refused("out", out, f"lies inside the dataset {root}; outputs would become inputs")
            found = [(file, str(file.relative_to(root))) for file in sorted(root.rglob("*.parquet"))]
            if not found:
                raise refused("dataset", root, "the folder holds no .parquet files")
            return found
        files = [root]
    else:
        files = [Path(file).absolute() for file in dataset]
    names: set[str] = set()
    for file in files:
        if not file.is_file():
            raise refused("dataset", file, "there is no such file")
        if file.name in names or file.parent == out:
            raise refused("dataset", file, "its output would overwrite another file")
        names.add(file.name)
    return [(file, file.name) for file in files]


def _footer(source: Path) -> str:
    """A hash of the Parquet footer: schema, sizes and statistics of all columns, without reading the data."""
    with open(source, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - 8, 0))
        tail = file.read(8)
        if len(tail) < 8 or tail[4:] != b"PAR1":
            raise refused("dataset", source, "is no Parquet file")
        length = int.from_bytes(tail[:4], "little")
        file.seek(max(size - 8 - length, 0))
        return hashlib.sha256(file.read(length)).hexdigest()


def _fingerprint(law: dict[str, Any], rows: object, footer: str, group: int | None) -> str:
    try:
        what = json.dumps([carom.__version__, _build(), law, rows, footer, group], sort_keys=True)
    except TypeError as error:
        raise refused("law", law, f"settings must be numbers, texts and lists of them ({error})") from error
    return hashlib.sha256(what.encode()).hexdigest()


def _is_whole(target: Path, fingerprint: str) -> bool:
    return target.exists() and _metadata(target).get(_FINGERPRINT) == fingerprint.encode()


def _metadata(target: Path) -> dict[bytes, bytes]:
    try:
        return parquet.read_schema(target).metadata or {}
    except (OSError, pyarrow.ArrowInvalid):
        return {}


def _foreign(target: Path, law: dict[str, Any]) -> carom.BadProblem:
    stored = _metadata(target).get(_LAW, b"").decode()
    if not stored:
        why = "was not written by this function"
    elif stored == json.dumps(law):
        why = "was made from another input or by another build of carom"
    else:
        why = f"was made with the law {stored}, not {json.dumps(law)}"
    return refused("out", target, f"{why}; give another folder, or existing='recompute' to replace it")


def _count(target: Path) -> Done:
    errors = parquet.read_table(target, columns=["error"]).column("error")
    return Done(target, len(errors), len(errors) - errors.null_count)
