"""Folders of Parquet files as tasks: what is skipped, what is refused, and what one task leaves behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import carom

pa = pytest.importorskip("pyarrow")

import pyarrow.parquet as pq  # noqa: E402

from carom import _cluster  # noqa: E402
from impacts import read_answers, write_files  # noqa: E402

LAW: carom.LawId = "chatterjee-ruina"


def run(
    dataset: Any,
    out: Path | None,
    law: Any = LAW,
    rows: Any = None,
    by: str = "file",
    existing: str = "refuse",
    **settings: Any,
) -> Any:
    work = _cluster.plan(dataset, out, law, settings, rows=rows, by=by, existing=existing)
    return work.report([_cluster.do(task) for task in work.tasks])


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    write_files(tmp_path / "in", files=3, rows=100)
    return tmp_path / "in"


@pytest.mark.parametrize(("by", "count"), [("file", 3), ("row_group", 6)])
def test_each_input_has_one_output(inputs: Path, tmp_path: Path, by: str, count: int) -> None:
    report = run(inputs, tmp_path / "out", by=by)
    assert (len(report.files), report.rows, report.errors, report.skipped) == (count, 300, 0, 0)
    assert sorted((tmp_path / "out").iterdir()) == sorted(report.files)
    answers = read_answers(tmp_path / "out")
    assert answers.column("id").to_pylist() == list(range(300))
    direct = [
        carom.batch.resolve_arrow(batch, law=LAW, threads=1)
        for file in sorted(inputs.iterdir())
        for batch in pq.read_table(file).to_batches()
    ]
    whole = pa.Table.from_batches([pa.record_batch(batch) for batch in direct])
    for name in ("impulse", "contact_velocity"):
        assert answers.column(name).to_pylist() == whole.column(name).to_pylist()


def test_answers_go_beside_the_questions(inputs: Path) -> None:
    report = run(inputs, None)
    assert {file.parent for file in report.files} == {inputs.with_name("in-answers")}
    with pytest.raises(carom.InputError, match="out"):
        run(sorted(inputs.iterdir()), None)


def test_a_restart_does_what_is_missing(inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = run(inputs, out)
    kept = {file: file.stat().st_mtime_ns for file in first.files}
    first.files[1].unlink()
    (out / ".part-00.parquet.0.0.part").write_bytes(b"half")
    again = run(inputs, out)
    assert (again.rows, again.skipped, again.files) == (300, 2, first.files)
    assert [file.stat().st_mtime_ns == kept[file] for file in again.files] == [True, False, True]
    assert sorted(out.iterdir()) == sorted(first.files)
    assert run(inputs, out).skipped == 3


@pytest.mark.parametrize(
    "change",
    [
        {"law": "routh-stronge"},
        {"law": {"id": "routh-poisson", "phases": "first"}},
        {"law": "composite", "sigma": 0.25},
    ],
)
def test_other_laws_are_refused_or_recomputed(inputs: Path, tmp_path: Path, change: dict[str, Any]) -> None:
    out = tmp_path / "out"
    run(inputs, out)
    with pytest.raises(carom.InputError, match=r"out = .*part-00.parquet: was made with the law .*chatterjee-ruina"):
        run(inputs, out, **change)
    assert run(inputs, out).skipped == 3
    assert run(inputs, out, existing="recompute", **change).skipped == 0
    assert run(inputs, out, existing="recompute", **change).skipped == 3


def test_another_input_is_noticed(inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(inputs, out)
    write_files(tmp_path / "other", files=1, rows=100, seed=1)
    (tmp_path / "other" / "part-00.parquet").replace(inputs / "part-00.parquet")
    with pytest.raises(carom.InputError, match="another input"):
        run(inputs, out)
    (out / "part-00.parquet").write_bytes(b"not ours")
    with pytest.raises(carom.InputError, match="not written by"):
        run(inputs, out)
    assert run(inputs, out, existing="recompute").skipped == 2


def test_results_of_two_builds_do_not_mix(inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    assert run(inputs, out).skipped == 0
    monkeypatch.setattr(_cluster, "_build", lambda: "another")
    with pytest.raises(carom.InputError, match="another input or by another build of carom"):
        run(inputs, out)


def test_a_task_that_fails_leaves_nothing(inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("out of order")

    work = _cluster.plan(inputs, tmp_path / "out", LAW, {}, rows=None, by="file", existing="refuse")
    monkeypatch.setattr(carom.batch, "resolve_arrow", broken)
    with pytest.raises(RuntimeError):
        _cluster.do(work.tasks[0])
    assert list((tmp_path / "out").iterdir()) == []


def test_a_repeated_task_is_not_computed_again(inputs: Path, tmp_path: Path) -> None:
    work = _cluster.plan(inputs, tmp_path / "out", LAW, {}, rows=None, by="file", existing="refuse")
    first = _cluster.do(work.tasks[0])
    written = first.target.stat().st_mtime_ns
    assert _cluster.do(work.tasks[0]) == first and first.target.stat().st_mtime_ns == written


def test_files_without_rows_and_single_files(inputs: Path, tmp_path: Path) -> None:
    table = pq.read_table(inputs / "part-00.parquet")
    pq.write_table(table.slice(0, 0), inputs / "part-00.parquet")
    report = run(inputs, tmp_path / "out")
    assert report.rows == 200 and len(report.files) == 3
    assert pq.read_schema(report.files[0]).names == pq.read_schema(report.files[1]).names
    one = run(inputs / "part-01.parquet", tmp_path / "one")
    two = run([inputs / "part-01.parquet", inputs / "part-02.parquet"], tmp_path / "two")
    assert (one.rows, two.rows) == (100, 200)


def test_bad_arguments_are_named(inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.parquet").write_text("no columns here")
    cases: list[tuple[dict[str, Any], str]] = [
        ({"dataset": tmp_path / "nowhere.parquet"}, "dataset = .* no such file"),
        ({"dataset": tmp_path / "empty"}, "dataset = .* holds no .parquet"),
        ({"dataset": tmp_path / "text.parquet"}, "dataset = .* no Parquet file"),
        ({"dataset": [inputs / "part-00.parquet", inputs / "part-00.parquet"]}, "dataset = .* overwrite"),
        ({"out": inputs / "out"}, "out = .* inside the dataset"),
        ({"by": "row"}, "by = 'row'"),
        ({"existing": "keep"}, "existing = 'keep'"),
        ({"law": 3}, "law = 3"),
        ({"law": "no-such-law"}, "no-such-law"),
        ({"odd": object()}, "law = "),
    ]
    for change, words in cases:
        arguments: dict[str, Any] = {"dataset": inputs, "out": out, **change}
        with pytest.raises(carom.InputError, match=words):
            run(**arguments)
