"""Motions of the reference file, from Python and from the command line: the same bits, and the same refusals.

That these are right is tested in Rust.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import carom
import numpy as np


def bits(value: Any) -> list[float]:
    return [float(x) for x in np.ravel(value)]


def test_motions_are_those_of_the_command_line(repository: Path) -> None:
    text = (repository / "golden/motions.ndjson").read_text(encoding="utf-8")
    command = [sys.executable, "-m", "carom", "simulate", "--ndjson"]
    run = subprocess.run(command, input=text, capture_output=True, text=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    asked = [json.loads(line) for line in text.splitlines()]
    assert len(asked) == len(answers) > 50
    refused = 0
    for line, answer in zip(asked, answers, strict=True):
        name = line["id"]
        assert answer["id"] == name
        try:
            motion = carom.simulate(line["scene"], at=line["at"] or [0.0])
        except carom.CaromError as error:
            assert answer["error"] == {"kind": error.kind, "message": str(error)}, name
            refused += 1
            continue
        for key in ("ledger", "end", "notes"):
            assert getattr(motion, key) == answer[key], (name, key)
        assert motion.event_list == answer["events"], name
        # Keeping steps takes slopes between stages, and nothing else.
        assert {**motion.effort, "slopes": 0} == {**answer["effort"], "slopes": 0}, name
        ended = motion.end["reason"] in ("duration", "rest")
        samples = [sample for sample in answer["samples"] if ended or sample["t"] <= motion.end["t"]]
        for k, sample in enumerate(samples):
            assert motion.t[k] == sample["t"]
            for body, state in sample["bodies"].items():
                for quantity, value in state.items():
                    assert bits(getattr(motion, quantity)[body][k]) == bits(value), (name, body, quantity)
            for kind, value in sample["energy"].items():
                assert getattr(motion.energy, kind)[k] == value, (name, kind)
        again = motion.at(motion.t)
        assert again.positions.tobytes() == motion.positions.tobytes(), name
        assert again.velocities.tobytes() == motion.velocities.tobytes(), name
    assert refused == 4
