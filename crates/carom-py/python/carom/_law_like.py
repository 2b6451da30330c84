"""What names a law."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carom._carom import Law
from carom._law_ids import LawId

LawLike = LawId | Law | Mapping[str, Any]
"""A law: its id, a row of :func:`carom.laws`, or a mapping of its id and settings."""
