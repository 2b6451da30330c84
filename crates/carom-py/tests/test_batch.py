"""Many impacts at once: the same answers as one by one, and refusals that name what is wrong."""

from __future__ import annotations

import doctest
import os
import signal
import threading
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import carom
import carom.batch


def contacts(count: int, seed: int = 0) -> dict[str, np.ndarray]:
    """One contact in space each, of all kinds."""
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(count, 3, 4))
    velocity = rng.normal(size=(count, 3))
    velocity[:, 0] = -np.abs(velocity[:, 0])
    return {
        "delassus": a @ a.transpose(0, 2, 1),
        "contact_velocity": velocity,
        "mu": rng.uniform(0, 1, count),
        "e": rng.uniform(0, 1, count),
    }


def mechanisms(count: int, seed: int = 1) -> dict[str, Any]:
    """Bodies of six coordinates on two contacts each, one coordinate held."""
    rng = np.random.default_rng(seed)
    jacobian = rng.normal(size=(count, 6, 6))
    return {
        "mass": rng.uniform(0.5, 2, (count, 6)),
        "jacobian": jacobian,
        "velocity": rng.normal(size=(count, 6)),
        "bilateral": np.tile(np.eye(6)[:1], (count, 1, 1)),
        "mu": rng.uniform(0, 1, (count, 2)),
        "e": rng.uniform(0, 1, (count, 2)),
    }


def columns(answers: carom.batch.Answers) -> list[bytes]:
    names = ["impulse", "contact_velocity", "velocity", "energy_change", "cone_margin", "e_kinematic"]
    return [x.tobytes() for x in (getattr(answers, name) for name in names) if x is not None]


@pytest.mark.parametrize("law", ["chatterjee-ruina", "routh-stronge", "plus"])
@pytest.mark.parametrize("certify", [False, True])
def test_any_number_of_threads_gives_the_same_bits(law: carom.LawId, certify: bool) -> None:
    arrays = contacts(3000)
    one = carom.batch.resolve(arrays, law, threads=1, certify=certify)
    for threads in [2, 3, 7, None]:
        many = carom.batch.resolve(arrays, law, threads=threads, certify=certify)
        assert columns(one) == columns(many)
        assert list(one.error) == list(many.error)


@pytest.mark.parametrize("law", ["chatterjee-ruina", "routh-stronge", "smith"])
def test_rows_are_what_a_single_contact_gives(law: carom.LawId) -> None:
    arrays = contacts(200)
    answers = carom.batch.resolve(arrays, law, certify=True)
    assert answers.velocity is None
    for i in range(200):
        alone = carom.resolve_contact(
            arrays["delassus"][i],
            arrays["contact_velocity"][i],
            mu=arrays["mu"][i],
            e=arrays["e"][i],
            law=law,
        )
        assert alone.impulse.tobytes() == answers.impulse[i].tobytes()
        assert alone.contact_velocity.tobytes() == answers.contact_velocity[i].tobytes()
        assert alone.energy_change == answers.energy_change[i]
        assert answers.verdict is not None and answers.energy_available is not None
        assert alone.certificate.verdict == answers.verdict[i]
        assert alone.certificate.energy_available == answers.energy_available[i]


def test_rows_are_what_a_single_mechanism_gives() -> None:
    arrays = mechanisms(50)
    answers = carom.batch.resolve(arrays, "plus", certify=True)
    assert answers.velocity is not None and answers.velocity.shape == (50, 6)
    for i in np.flatnonzero(answers.answered):
        one = {name: x[i] for name, x in arrays.items()}
        alone = carom.resolve(**one, law="plus")
        assert alone.velocity.tobytes() == answers.velocity[i].tobytes()
        assert alone.impulse.tobytes() == answers.impulse[i].tobytes()
    assert answers.answered.sum() > 40


@pytest.mark.parametrize(("arrays", "law"), [(contacts(300), "chatterjee-ruina"), (mechanisms(20), "plus")])
@pytest.mark.parametrize("certify", [False, True])
def test_answers_are_written_over_those_of_an_earlier_batch(arrays: dict[str, Any], law: carom.LawId, certify: bool) -> None:
    other = {**arrays, "e": 0.25, "mu": arrays["mu"].copy()}
    other["mu"][3] = -1
    first = carom.batch.resolve(arrays, law, certify=certify)
    again = carom.batch.resolve(other, law, certify=certify, out=first)
    fresh = carom.batch.resolve(other, law, certify=certify)
    assert again.impulse is first.impulse and again.energy_change is first.energy_change
    assert again.velocity is first.velocity and again.e_kinematic is first.e_kinematic
    assert columns(again) == columns(fresh)
    assert list(again.error) == list(fresh.error) and again.error[3] is not None
    # What is missing there is new.
    judged = carom.batch.resolve(arrays, law, certify=True, out=carom.batch.resolve(arrays, law))
    assert columns(judged) == columns(carom.batch.resolve(arrays, law, certify=True))


@pytest.mark.parametrize("arrays", [contacts(300), mechanisms(20)])
@pytest.mark.parametrize("law", ["chatterjee-ruina", "routh-stronge", "newton"])
def test_impulses_alone_are_those_of_the_whole_answer(arrays: dict[str, Any], law: carom.LawId) -> None:
    arrays = {**arrays, "mu": arrays["mu"].copy()}
    arrays["mu"][3] = -1
    if "mass" in arrays and law != "newton":
        arrays |= {"jacobian": arrays["jacobian"][:, :3], "mu": arrays["mu"][:, :1], "e": arrays["e"][:, :1]}
    whole = carom.batch.resolve(arrays, law)
    alone = carom.batch.impulses(arrays, law, threads=2)
    assert alone.tobytes() == whole.impulse.tobytes() and np.isnan(alone[3]).all()
    assert carom.batch.impulses(arrays, law, out=alone) is alone
    with pytest.raises(carom.BadProblem, match=r"^out = an array of shape \(2, 2\)"):
        carom.batch.impulses(arrays, law, out=np.zeros((2, 2)))


def test_arrays_that_cannot_be_written_over_are_named() -> None:
    arrays = contacts(50)
    good = carom.batch.resolve(arrays, "smith")
    locked = good.energy_change.copy()
    locked.flags.writeable = False
    bad: list[tuple[str, Any, str]] = [
        ("impulse", np.zeros((49, 3)), r"\(49, 3\).*\(50, 3\)"),
        ("impulse", np.zeros((3, 50)).T, "C order"),
        ("impulse", np.zeros((50, 3), dtype=np.float32), "float64"),
        ("impulse", "large", "str"),
        ("contact_velocity", good.impulse, "share no memory"),
        ("contact_velocity", arrays["contact_velocity"], "share no memory"),
        ("energy_change", locked, "writeable"),
    ]
    for name, value, reason in bad:
        with pytest.raises(carom.BadProblem, match=reason) as caught:
            carom.batch.resolve(arrays, "smith", out=replace(good, **{name: value}))
        assert str(caught.value).startswith("out") and name in str(caught.value)
    with pytest.raises(carom.BadProblem, match="^out = dict"):
        carom.batch.resolve(arrays, "smith", out={})  # type: ignore[arg-type]


def test_rows_without_an_answer_say_why_and_the_others_go_on() -> None:
    arrays = contacts(300)
    arrays["contact_velocity"][17, 1] = np.nan
    arrays["delassus"][130, 1, 0] += 1
    arrays["mu"][200] = -0.5
    answers = carom.batch.resolve(arrays, "chatterjee-ruina", certify=True)
    assert list(np.flatnonzero(~answers.answered)) == [17, 130, 200]
    assert answers.error[17].startswith("bad_problem: contact_velocity[1] = NaN")
    assert "delassus[1][0]" in answers.error[130]
    assert "contacts[0].mu = -0.5" in answers.error[200]
    assert np.isnan(answers.impulse[[17, 130, 200]]).all()
    assert np.isfinite(answers.impulse[answers.answered]).all()
    assert answers.verdict is not None
    assert list(answers.verdict[[17, 130, 200]]) == [None] * 3


def test_settings_and_tables_are_laws() -> None:
    arrays = contacts(20)
    half = carom.batch.resolve(arrays, "composite", sigma=0.25)
    same = carom.batch.resolve(arrays, {"id": "composite", "sigma": 0.25})
    other = carom.batch.resolve(arrays, "composite", sigma=0.75)
    assert columns(half) == columns(same) != columns(other)


def test_layouts_and_types_of_arrays_do_not_matter() -> None:
    arrays = contacts(100)
    expected = columns(carom.batch.resolve(arrays, "routh-poisson"))
    strided = {name: np.repeat(x, 2, axis=0)[::2] for name, x in arrays.items()}
    assert not strided["delassus"].flags.c_contiguous
    fortran = {name: np.asfortranarray(x) for name, x in arrays.items()}
    lists = {name: x.tolist() for name, x in arrays.items()}
    for other in [strided, fortran, lists]:
        assert columns(carom.batch.resolve(other, "routh-poisson")) == expected
    whole = {"delassus": np.eye(3, dtype=int)[None], "contact_velocity": np.array([[-1, 1, 0]]), "e": 1}
    assert carom.batch.resolve(whole, "chatterjee-ruina").contact_velocity[0, 0] == 1.0


def mixed(count: int) -> dict[str, Any]:
    """Contacts that the fast path answers, and those it must not: separating, asymmetric, invalid."""
    arrays = contacts(count)
    w = arrays["delassus"]
    arrays["delassus"] = 0.5 * (w + w.transpose(0, 2, 1))
    arrays["contact_velocity"][3::9, 0] *= -1
    arrays["contact_velocity"][5::50, 1] = np.nan
    arrays["delassus"][2::7, 2, 1] = np.nextafter(arrays["delassus"][2::7, 1, 2], np.inf)
    arrays["delassus"][7::60, 1, 0] += 1
    arrays["delassus"][8::60, 2, 2] = -1
    arrays["mu"][4::70] = -1
    arrays["e_t"] = np.linspace(-1, 1, count)
    return arrays


def by_component(arrays: dict[str, Any]) -> dict[str, Any]:
    return {name: np.asfortranarray(x) if np.ndim(x) > 1 else x for name, x in arrays.items()}


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 5000])
@pytest.mark.parametrize("law", ["chatterjee-ruina", "routh-stronge"])
@pytest.mark.parametrize("common", [{}, {"mu": 0.5, "e": 0.25, "e_t": 0.0}])
def test_components_give_the_bits_of_rows(count: int, law: carom.LawId, common: dict[str, float]) -> None:
    rows = {**mixed(count), **common}
    components = by_component(rows)
    assert components["delassus"].flags.f_contiguous
    assert components["delassus"].flags.c_contiguous == (count == 0)
    expected = carom.batch.resolve(rows, law)
    assert expected.impulse.flags.c_contiguous
    for threads in [1, 2, 3]:
        answers = carom.batch.resolve(components, law, threads=threads)
        assert answers.impulse.flags.f_contiguous and answers.contact_velocity.flags.f_contiguous
        assert columns(answers) == columns(expected)
        assert answers.failures == expected.failures
        impulses = carom.batch.impulses(components, law, threads=threads)
        assert impulses.flags.f_contiguous and impulses.tobytes() == expected.impulse.tobytes()
    if count == 5000:
        texts = " ".join(text for _, text in expected.failures)
        assert "contact_velocity[1] = NaN" in texts and "delassus[1][0]" in texts
        assert ("contacts[0].mu = -1" in texts) == (not common)


def test_components_are_read_and_written_where_they_are() -> None:
    rows = mixed(300)
    components = by_component(rows)
    expected = carom.batch.resolve(rows, "chatterjee-ruina")
    first = carom.batch.resolve(components, "chatterjee-ruina")
    first.impulse.fill(9)
    first.contact_velocity.fill(9)
    again = carom.batch.resolve(components, "chatterjee-ruina", out=first)
    assert again.impulse is first.impulse and again.contact_velocity is first.contact_velocity
    assert columns(again) == columns(expected)
    assert carom.batch.impulses(components, "chatterjee-ruina", out=first.impulse) is first.impulse
    assert first.impulse.tobytes() == expected.impulse.tobytes()
    # Parts of larger arrays, and components in the order of rows, have no gaps within components either.
    larger = {name: np.asfortranarray(np.concatenate([x, x]))[:300] for name, x in rows.items()}
    stacked = {**components, "delassus": np.moveaxis(np.moveaxis(rows["delassus"], 0, -1).copy(), -1, 0)}
    for other in [larger, stacked]:
        assert not other["delassus"].flags.f_contiguous and not other["delassus"].flags.c_contiguous
        answers = carom.batch.resolve(other, "chatterjee-ruina")
        assert answers.impulse.flags.f_contiguous and columns(answers) == columns(expected)
        assert answers.failures == expected.failures


def test_more_components_than_may_be_copied_are_no_trouble() -> None:
    # All components are the same memory, which nobody touches: `out` is refused first.
    rows = 2**27 // 3 + 1
    zeros = np.zeros(rows)
    huge = {
        "delassus": np.lib.stride_tricks.as_strided(zeros, (rows, 3, 3), (8, 0, 0)),
        "contact_velocity": np.lib.stride_tricks.as_strided(zeros, (rows, 3), (8, 0)),
        "e": 0.5,
    }
    with pytest.raises(carom.BadProblem, match=r"^out = an array of shape \(2, 2\)"):
        carom.batch.impulses(huge, "chatterjee-ruina", out=np.zeros((2, 2), order="F"))
    with pytest.raises(carom.LimitError, match="contact_velocity|delassus"):
        carom.batch.impulses(huge, "chatterjee-ruina", out=np.zeros((2, 2)))
    with pytest.raises(carom.LimitError, match="contact_velocity|delassus"):
        carom.batch.impulses({**huge, "rows": 1}, "newton")


@pytest.mark.parametrize("law", ["chatterjee-ruina", "plus"])
def test_components_are_certified_as_rows_are(law: carom.LawId) -> None:
    rows = mixed(200)
    components = by_component(rows)
    expected = carom.batch.resolve(rows, law, certify=True)
    uncertified = carom.batch.resolve(components, law)
    answers = carom.batch.resolve(components, law, certify=True, out=uncertified)
    assert answers.impulse is uncertified.impulse and answers.impulse.flags.f_contiguous
    assert columns(answers) == columns(expected) and answers.failures == expected.failures
    assert answers.verdict is not None and expected.verdict is not None
    assert list(answers.verdict) == list(expected.verdict)


def test_arrays_of_both_orders_are_answered_in_rows() -> None:
    rows = mixed(100)
    components = by_component(rows)
    expected = carom.batch.resolve(rows, "chatterjee-ruina")
    for name in ["delassus", "contact_velocity"]:
        answers = carom.batch.resolve({**rows, name: components[name]}, "chatterjee-ruina")
        assert answers.impulse.flags.c_contiguous and columns(answers) == columns(expected)
    # Answers in rows are written over even so.
    out = carom.batch.resolve(rows, "chatterjee-ruina")
    answers = carom.batch.resolve(components, "chatterjee-ruina", out=out)
    assert answers.impulse is out.impulse and columns(answers) == columns(expected)
    assert carom.batch.impulses(components, "chatterjee-ruina", out=out.impulse) is out.impulse
    half = replace(out, impulse=np.asfortranarray(out.impulse))
    with pytest.raises(carom.BadProblem, match=r"^out.impulse = .*C order"):
        carom.batch.resolve(components, "chatterjee-ruina", out=half)
    short = carom.batch.resolve(by_component(mixed(99)), "chatterjee-ruina")
    with pytest.raises(carom.BadProblem, match=r"^out.impulse = .*\(99, 3\).* F order of shape \(100, 3\)"):
        carom.batch.resolve(components, "chatterjee-ruina", out=short)


@pytest.mark.parametrize("rows", [1, 2, [1, 2]])
def test_other_contacts_in_any_order_are_answered_in_rows(rows: Any) -> None:
    size = int(np.sum(rows))
    arrays = contacts(50)
    part: dict[str, Any] = {
        "delassus": arrays["delassus"][:, :size, :size].copy(),
        "contact_velocity": arrays["contact_velocity"][:, :size].copy(),
        "e": 0.5,
    }
    law: carom.LawId = "newton" if rows == [1, 2] else "chatterjee-ruina"
    answers = carom.batch.resolve({**by_component(part), "rows": rows}, law)
    assert answers.impulse.flags.c_contiguous and answers.answered.all()
    assert columns(answers) == columns(carom.batch.resolve({**part, "rows": rows}, law))


def test_arrays_without_rows_have_answers_without_rows() -> None:
    empty = {"delassus": np.empty((0, 3, 3)), "contact_velocity": np.empty((0, 3)), "e": 0.5}
    answers = carom.batch.resolve(empty, "plus", certify=True)
    assert len(answers) == 0 and answers.impulse.shape == (0, 3)
    assert answers.e_kinematic is not None and answers.e_kinematic.shape == (0, 1)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"delassus": np.ones((10, 3))}, "delassus"),
        ({"delassus": np.ones((10, 2, 2))}, "delassus"),
        ({"contact_velocity": np.ones(10)}, "contact_velocity"),
        ({"contact_velocity": np.ones((10, 3), dtype=complex)}, "contact_velocity"),
        ({"contact_velocity": np.full((10, 3), "a")}, "contact_velocity"),
        ({"contact_velocity": None}, "contact_velocity"),
        ({"mu": np.ones(9)}, "mu"),
        ({"mu": np.ones((10, 2))}, "rows"),
        ({"mu": np.ones((10, 1, 1))}, "mu"),
        ({"e": None}, "e"),
        ({"e": "bouncy"}, "e"),
        ({"rows": 4}, "rows"),
        ({"rows": [2, 2]}, "rows"),
        ({"mass": np.ones((10, 3))}, "arrays"),
        ({"frictoin": 1.0}, "frictoin"),
    ],
)
def test_bad_arrays_are_refused_by_name(change: dict[str, Any], field: str) -> None:
    with pytest.raises(carom.BadProblem) as caught:
        carom.batch.resolve({**contacts(10), **change}, "chatterjee-ruina")
    assert caught.value.field == field


@pytest.mark.parametrize("threads", [0, -1])
def test_threads_are_at_least_one(threads: int) -> None:
    with pytest.raises(carom.BadProblem, match="threads"):
        carom.batch.resolve(contacts(2), "chatterjee-ruina", threads=threads)


def test_more_rows_than_memory_are_refused() -> None:
    rows = 2**31
    huge = {
        "delassus": np.broadcast_to(np.eye(3), (rows, 3, 3)),
        "contact_velocity": np.broadcast_to(np.array([-1.0, 0, 0]), (rows, 3)),
        "e": 0.5,
    }
    with pytest.raises(carom.LimitError, match="contact_velocity"):
        carom.batch.resolve(huge, "chatterjee-ruina")


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX does")
def test_ctrl_c_ends_a_batch() -> None:
    arrays = contacts(200_000)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100):
            carom.batch.resolve(arrays, "routh-stronge", certify=True)
    assert time.monotonic() - begin < 30


def test_small_batches_are_answered_at_once() -> None:
    arrays = contacts(961)
    carom.batch.resolve(arrays, "chatterjee-ruina")
    seconds = []
    for _ in range(50):
        begin = time.perf_counter()
        carom.batch.resolve(arrays, "chatterjee-ruina")
        seconds.append(time.perf_counter() - begin)
    # Some hundredths of a millisecond; with other threads, which were waited for, it was more than five.
    assert sorted(seconds)[25] < 0.004


def test_examples_run() -> None:
    pytest.importorskip("pandas")
    result = doctest.testmod(carom.batch)
    assert result.attempted > 10 and result.failed == 0


def test_answers_as_a_frame() -> None:
    pandas = pytest.importorskip("pandas")
    arrays = contacts(20)
    arrays["mu"][3] = -1
    answers = carom.batch.resolve(arrays, "smith", certify=True)
    frame = answers.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 20
    assert list(frame.columns) == [
        "impulse[0]", "impulse[1]", "impulse[2]", "contact_velocity[0]", "contact_velocity[1]", "contact_velocity[2]",
        "energy_change", "energy_available", "cone_margin", "separation_margin", "e_kinematic[0]", "verdict", "error",
    ]  # fmt: skip
    np.testing.assert_array_equal(frame["impulse[1]"], answers.impulse[:, 1])
    assert frame["error"][3].startswith("bad_problem") and frame["error"].notna().sum() == 1
    several = carom.batch.resolve(mechanisms(5), "plus").to_pandas()
    assert "velocity[5]" in several.columns and "verdict" not in several.columns


class TestArrow:
    pa = pytest.importorskip("pyarrow")

    def batch(self, arrays: dict[str, np.ndarray]) -> Any:
        pa = self.pa
        lists = {
            name: pa.FixedSizeListArray.from_arrays(x.ravel(), x[0].size) if x.ndim > 1 else pa.array(x)
            for name, x in arrays.items()
        }
        return pa.record_batch({"id": pa.array(range(len(arrays["e"]))), **lists})

    def test_record_batches_answer_like_arrays(self) -> None:
        arrays = contacts(50)
        answers = carom.batch.resolve(arrays, "smith", certify=True)
        given = self.batch(arrays)
        table = carom.batch.resolve_arrow(given, "smith", threads=2)
        assert isinstance(table, self.pa.RecordBatch)
        new = [
            "impulse", "contact_velocity", "energy_change", "energy_available", "cone_margin", "separation_margin",
            "e_kinematic", "verdict", "error",
        ]  # fmt: skip
        assert table.schema.names == ["id", "delassus", "contact_velocity_before", "mu", "e", *new]
        for before, after in zip(given.columns, table.columns, strict=False):
            assert before.equals(after)
        assert np.array_equal(np.array(table["impulse"].to_pylist()), answers.impulse)
        assert answers.verdict is not None
        assert table["verdict"].to_pylist() == list(answers.verdict)
        assert table["error"].null_count == 50
        assert carom.batch.resolve_arrow(given, "smith", keep=False).schema.names == ["id", *new]

    def test_tables_of_several_pieces(self) -> None:
        pa = self.pa
        given = self.batch(contacts(50))
        whole = carom.batch.resolve_arrow(given, "smith")
        pieces = pa.Table.from_batches([given.slice(0, 20), given.slice(20, 0), given.slice(20)])
        for table in (pieces, pa.table(given), pieces.to_reader()):
            answer = carom.batch.resolve_arrow(table, "smith")
            assert isinstance(answer, pa.Table) and answer.equals(pa.table(whole))
        assert carom.batch.resolve_arrow(pieces.slice(0, 0), "smith").num_rows == 0

    def test_judgement_is_optional(self) -> None:
        given = self.batch(contacts(50))
        bare = carom.batch.resolve_arrow(given, "smith", certify=False)
        assert bare.schema.names[5:] == ["impulse", "contact_velocity", "energy_change", "error"]
        assert bare["impulse"].equals(carom.batch.resolve_arrow(given, "smith")["impulse"])

    def test_frames_of_pandas(self) -> None:
        pandas = pytest.importorskip("pandas")
        arrays = contacts(6)
        frame = pandas.DataFrame(
            {
                "name": list("abcdef"),
                "delassus": [w.ravel() for w in arrays["delassus"]],
                "contact_velocity": list(arrays["contact_velocity"]),
                "mu": np.float32(0.25),
                "e": [0, 1, 0, 1, 0, 1],
            },
            index=[10, 20, 30, 40, 50, 60],
        )
        answer = carom.batch.resolve_arrow(frame, "smith")
        assert isinstance(answer, pandas.DataFrame) and list(answer.index) == list(frame.index)
        assert list(answer["name"]) == list("abcdef") and list(answer["e"]) == [0, 1, 0, 1, 0, 1]
        wanted = carom.batch.resolve(arrays | {"mu": 0.25, "e": np.array([0.0, 1.0] * 3)}, "smith")
        np.testing.assert_array_equal(np.stack(answer["impulse"]), wanted.impulse)
        np.testing.assert_array_equal(np.stack(answer["contact_velocity_before"]), arrays["contact_velocity"])
        assert answer["error"].isna().all()

    def test_frames_of_polars(self) -> None:
        polars = pytest.importorskip("polars")
        given = self.batch(contacts(50))
        answer = carom.batch.resolve_arrow(polars.DataFrame(given), "smith")
        assert isinstance(answer, polars.DataFrame)
        assert answer["impulse"].to_list() == carom.batch.resolve_arrow(given, "smith")["impulse"].to_pylist()

    def test_names_that_answers_have_are_refused(self) -> None:
        answer = carom.batch.resolve_arrow(self.batch(contacts(5)), "smith")
        with pytest.raises(carom.BadProblem, match="impulse = a column: answers have a column of this name"):
            carom.batch.resolve_arrow(answer, "smith")

    def test_errors_leave_nulls(self) -> None:
        arrays = contacts(5)
        arrays["mu"][3] = -1
        table = carom.batch.resolve_arrow(self.batch(arrays), "smith")
        assert [x is None for x in table["impulse"].to_pylist()] == [False, False, False, True, False]
        assert "contacts[0].mu = -1" in table["error"][3].as_py()

    def test_wrong_columns_are_refused_by_name(self) -> None:
        wrong = self.batch(contacts(5)).set_column(3, "mu", self.pa.array(["a"] * 5))
        with pytest.raises(carom.BadProblem) as caught:
            carom.batch.resolve_arrow(wrong, "smith")
        assert caught.value.field == "mu"
