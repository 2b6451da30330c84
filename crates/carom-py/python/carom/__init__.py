"""Rigid-body impacts: every law, exact and certified.

Bodies touch and approach; carom says with which velocities they leave, under every law of the literature, and certifies
each answer or says where it is not physical. SI units throughout. The contact normal points from body A to body B, the
contact velocity is that of B minus that of A (``u_n < 0`` approaches), impulses act on B, and components stand normal
first.

>>> import carom
>>> out = carom.resolve([1.0], [[1.0]], [-1.0], e=0.5)
>>> print(out.velocity, out.certificate.verdict)
[0.5] permissible
"""

from carom import batch, ensembles
from carom._carom import (
    Certificate,
    Figure,
    Law,
    Outcome,
    Problem,
    Region,
    Scene,
    __version__,
    certify,
    laws,
    load,
    plot,
    region,
    resolve,
    resolve_contact,
)
from carom._compare import Comparison, compare
from carom._errors import (
    BadProblem,
    BadSetting,
    CaromError,
    InputError,
    LimitError,
    NoAnswer,
    NoSolution,
    NotApplicable,
    NotConverged,
    ParseError,
    UnknownLaw,
)
from carom._law_ids import LawId
from carom._motion import Moment, Motion, simulate
from carom._states import States

__all__ = [
    "BadProblem",
    "BadSetting",
    "CaromError",
    "Certificate",
    "Comparison",
    "Figure",
    "InputError",
    "Law",
    "LawId",
    "LimitError",
    "Moment",
    "Motion",
    "NoAnswer",
    "NoSolution",
    "NotApplicable",
    "NotConverged",
    "Outcome",
    "ParseError",
    "Problem",
    "Region",
    "Scene",
    "States",
    "UnknownLaw",
    "__version__",
    "batch",
    "certify",
    "compare",
    "ensembles",
    "laws",
    "load",
    "plot",
    "region",
    "resolve",
    "resolve_contact",
    "simulate",
]
