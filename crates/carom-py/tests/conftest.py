"""Where things stand."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

# Shells switch Ctrl-C off for what runs in the background, and children inherit that. Tests of it must hear it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the repository."""
    return Path(__file__).parents[3]
