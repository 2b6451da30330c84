"""The script `carom` that comes with the package: the command line, by its compiled half."""

from __future__ import annotations

import sys

from carom._carom import _main


def main() -> None:
    """Runs the command line with the arguments of this process, and ends it with its exit status."""
    sys.exit(_main(["carom", *sys.argv[1:]]))
