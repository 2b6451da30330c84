"""Ensembles as tasks for clusters: each a range of points of a design, each leaves one file.

What holds of :mod:`carom._cluster` holds here: a task is idempotent, an output is whole or absent, and carries a fingerprint
of scene, design, law and build by which a restart knows what is finished.
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet

import carom
from carom import _carom
from carom._carom import Scene, _build
from carom._cluster import _FINGERPRINT, _LAW, Done, Plan, _count, _foreign, _is_whole, remove_parts
from carom._refusal import refused
from carom.ensembles import Design, ended, spelled


@dataclass(frozen=True)
class Points:
    """Some points of an ensemble, and where their rows go."""

    scene: Scene
    design: dict[str, Any]
    count: int | None
    seed: int
    law: dict[str, Any] | None
    duration: float | None
    first: int
    end: int
    target: Path
    fingerprint: str


def plan(
    scene: Scene,
    design: Design,
    out: str | os.PathLike[str],
    *,
    count: int | None,
    seed: int,
    law: Any,
    settings: dict[str, Any],
    duration: float | None,
    rows: int,
    existing: str,
) -> Plan[Points]:
    """Splits an ensemble into tasks of so many rows; arguments as in ``carom.dask.simulate``."""
    if existing not in ("refuse", "recompute"):
        raise refused("existing", repr(existing), "must be 'refuse' or 'recompute'")
    if rows < 1:
        raise refused("rows", rows, "must be at least 1")
    if isinstance(law, carom.Law):
        law = law.id
    named = scene.law if law is None else law
    whole_law = {**({"id": named} if isinstance(named, str) else named or {}), **settings} or None
    said = _plain(spelled(scene, design))
    # Scene, design and law are refused here, and not by the first worker.
    points = _carom._ensemble(scene, said, count, seed, whole_law, None, duration, 1, (0, 0), None)["points"]
    folder = Path(out).absolute()
    todo: list[Points] = []
    done: list[Done] = []
    order: list[Path] = []
    for k, first in enumerate(range(0, points, rows)):
        end = min(first + rows, points)
        target = folder / f"motions.{k:05}.parquet"
        what = [carom.__version__, _build(), scene.to_dict(), said, count, seed, whole_law, duration, first, end]
        fingerprint = hashlib.sha256(json.dumps(what, default=float).encode()).hexdigest()
        order.append(target)
        if _is_whole(target, fingerprint):
            done.append(_count(target))
        elif target.exists() and existing == "refuse":
            raise _foreign(target, whole_law or {})
        else:
            todo.append(Points(scene, said, count, seed, whole_law, duration, first, end, target, fingerprint))
    folder.mkdir(parents=True, exist_ok=True)
    remove_parts(folder)
    return Plan(folder, tuple(todo), tuple(done), tuple(order))


def do(task: Points) -> Done:
    """Follows the motions of one task, on one thread; one that was done already is only counted."""
    if _is_whole(task.target, task.fingerprint):
        return _count(task.target)
    answer = _carom._ensemble(
        task.scene, task.design, task.count, task.seed, task.law, None, task.duration, 1, (task.first, task.end), None
    )
    table = ended(task.scene, answer).to_arrow()
    marks = {_FINGERPRINT: task.fingerprint.encode(), _LAW: json.dumps(task.law or {}).encode()}
    table = table.replace_schema_metadata({**(table.schema.metadata or {}), **marks})
    task.target.parent.mkdir(parents=True, exist_ok=True)
    part = task.target.with_name(f".{task.target.name}.{uuid.uuid4().hex}.{os.getpid()}.part")
    try:
        parquet.write_table(table, part)
        with open(part, "rb") as written:
            os.fsync(written.fileno())
        os.replace(part, task.target)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
    return Done(task.target, table.num_rows, table.num_rows - table.column("error").null_count)


def _plain(design: dict[str, Any]) -> dict[str, Any]:
    """Arrays as lists, which travel and have fingerprints."""
    return {name: values.tolist() if isinstance(values, np.ndarray) else values for name, values in design.items()}
