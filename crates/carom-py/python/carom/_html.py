"""What notebooks show of carom's objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from carom import Certificate, Motion, Outcome, Problem, Region
    from carom.batch import Answers

# Longer tables are cut; the arrays themselves are not.
_MOST_ROWS = 12
_COLOURS = {"permissible": "#2a7f3f", "boundary": "#2a7f3f", "violates": "#b3261e"}


def outcome(of: Outcome) -> str:
    """The law, the verdict, contacts before and after, velocities, notes."""
    certificate = of.certificate
    parts = [_heading(f"Outcome of {of.law['id']}"), _verdict(certificate)]
    # The verdict knows how many contacts there are, but not how many rows each of them has.
    rows = zip(of.impulse, of.contact_velocity, strict=True)
    parts.append(_table(["row", "impulse [N·s]", "u⁺ [m/s]"], [[k, p, u] for k, (p, u) in enumerate(rows)]))
    bodies = of.bodies
    if bodies:
        lines = [[name, motion["velocity"], motion["angular_velocity"]] for name, motion in bodies.items()]
        parts.append(_table(["body", "velocity [m/s]", "angular velocity [rad/s]"], lines))
    elif "velocity" in (answer := of.to_dict()):
        parts.append(_table(["coordinate", "velocity"], list(enumerate(answer["velocity"]))))
    parts.extend(f"<p>{escape(note)}</p>" for note in of.notes)
    return _div(parts)


def certificate(of: Certificate) -> str:
    """The verdict and every margin."""
    margins: list[Sequence[Any]] = [
        ["energy change [J]", of.energy_change],
        ["energy available [J]", of.energy_available],
        ["cone margin [N·s]", of.cone_margin],
        ["smallest normal impulse [N·s]", of.normal_margin],
        ["smallest separation speed [m/s]", of.separation_margin],
        ["momentum residual [1]", of.momentum_residual],
        ["bilateral residual [m/s]", of.bilateral_residual],
    ]
    contacts = list(enumerate(of.e_kinematic))
    failures = [
        [
            failure["inequality"],
            " ".join(f"{place} {failure[place]}" for place in ("contact", "island") if place in failure),
            failure["margin"],
        ]
        for failure in of.failures
    ]
    return _div(
        [
            _heading("Certificate"),
            _verdict(of),
            _table(["", "value"], margins),
            _table(["contact", "restitution observed [1]"], contacts),
            _table(["fails", "where", "margin"], failures) if failures else "",
            *(f"<p>{escape(note)}</p>" for note in of.notes),
        ]
    )


def problem(of: Problem) -> str:
    """The title and the contacts."""
    ends, start = [], 0
    for rows in of.rows:
        ends.append((start, start + rows))
        start += rows
    velocity = of.contact_velocity
    lines = [
        [k, rows, mu, e, velocity[first:last]]
        for k, (rows, mu, e, (first, last)) in enumerate(zip(of.rows, of.mu, of.e, ends, strict=True))
    ]
    parts = [_heading(of.title or "Problem")]
    if of.description:
        parts.append(f"<p>{escape(of.description)}</p>")
    parts.append(_table(["contact", "rows", "mu [1]", "e [1]", "u⁻ [m/s]"], lines))
    return _div(parts)


def region(of: Region) -> str:
    """The picture of one contact's region, with the impulses of laws in it; of several contacts there is none."""
    from carom import CaromError, plot

    posed = of.problem
    parts = [_heading(repr(of).strip("<>"))]
    if len(posed) == 1 and posed.rows[0] > 1:
        try:
            parts.append(plot(posed).svg)
        except CaromError as error:
            parts.append(f"<p>{escape(str(error))}</p>")
    return _div(parts)


def answers(of: Answers) -> str:
    """How many were answered and with which verdicts, and the first of them."""
    failed = len(of.failures)
    counts = {"answered": len(of) - failed, "without an answer": failed}
    if of.verdict is not None:
        counts |= {word: int((of.verdict == word).sum()) for word in _COLOURS}
    lines = [[k, of.impulse[k], of.contact_velocity[k], of.energy_change[k]] for k in range(min(len(of), _MOST_ROWS))]
    parts = [
        _heading(f"Answers to {len(of)} impacts"),
        _table(["", "impacts"], [[word, count] for word, count in counts.items() if count]),
        _table(["impact", "impulse [N·s]", "u⁺ [m/s]", "energy change [J]"], lines, more=len(of) - len(lines)),
    ]
    parts.extend(f"<p>{row}: {escape(text)}</p>" for row, text in of.failures[:_MOST_ROWS])
    return _div(parts)


def motion(of: Motion) -> str:
    """How it ended, the ledger, the first events: what is shown of a motion that took long."""
    ledger: list[Sequence[Any]] = [[f"{name} [J]", value] for name, value in of.ledger.items()]
    events = [[event["t"], event["kind"], event["energy_change"]] for event in of.event_list]
    parts = [
        _heading(repr(of).strip("<>")),
        "<p><code>player()</code> gives the page that plays it, as HTML.</p>",
        _table(["ledger", ""], ledger),
        _table(["t [s]", "event", "energy change [J]"], events),
    ]
    parts.extend(f"<p>{escape(note)}</p>" for note in of.notes)
    return _div(parts)


def _div(parts: Iterable[str]) -> str:
    return f"<div>{''.join(parts)}</div>"


def _heading(text: str) -> str:
    return f"<p><strong>{escape(text)}</strong></p>"


def _verdict(of: Certificate) -> str:
    words = escape(" ".join([of.verdict, *of.violations]))
    return f'<p style="color:{_COLOURS[of.verdict]}">{words}, energy change {of.energy_change:.6g} J</p>'


def _table(head: Sequence[str], lines: Sequence[Sequence[Any]], more: int = 0) -> str:
    shown = lines[:_MOST_ROWS]
    more += len(lines) - len(shown)
    cells = "".join(f"<th>{escape(word)}</th>" for word in head)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(x)}</td>' for x in line)}</tr>" for line in shown)
    rest = f'<tr><td colspan="{len(head)}">and {more} more</td></tr>' if more else ""
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}{rest}</tbody></table>"


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, (str, int)):
        return escape(str(value))
    if isinstance(value, float):
        return f"{value:.6g}"
    return ", ".join(f"{x:.6g}" for x in value[:_MOST_ROWS]) + (" …" if len(value) > _MOST_ROWS else "")
