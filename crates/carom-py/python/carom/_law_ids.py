"""Ids of all laws, for type checkers and editors: written by `cargo xtask docs`."""

from typing import Literal

LawId = Literal[
    "frictionless",
    "chatterjee-ruina",
    "bilinear",
    "routh-poisson",
    "routh-stronge",
    "routh-newton",
    "whittaker",
    "smith",
    "brach",
    "pfeiffer-glocker",
    "anitescu-potra",
    "composite",
    "permissible-spherical",
    "permissible-projected",
    "newton-equality",
    "newton",
    "poisson",
    "moreau",
    "max-dissipation",
    "mosterman",
    "sequential",
    "generalized-reflections",
    "lzb",
    "newton-coulomb",
    "poisson-coulomb",
    "plus",
    "plus-exact",
    "stiff-limit",
]
