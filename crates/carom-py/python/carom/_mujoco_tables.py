"""Friction and restitution of MuJoCo's contacts and limits: one for all, by table, or by a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mujoco
import numpy as np

from carom._engine import Restitution, is_number, is_restitution
from carom._refusal import refused, unknown

#: A geom by its name or its id.
Geom = str | int
#: A property of contacts: one for all; a table by pair of geoms, in either order, with the rest under ``"default"``;
#: or a function of the ``mujoco.MjContact``.
ByContact = Restitution | Mapping[Any, Any] | Callable[[Any], Any]
#: A property of limits: one for all, or a table by name of joint or tendon with the rest under ``"default"``.
ByLimit = Restitution | Mapping[str, Any]


def by_contact(
    model: mujoco.MjModel, argument: str, given: Any, accepts: Callable[[object], bool], default: Any
) -> Callable[[Any, int], Any]:
    """What `given` says of a contact, found from ``data.contact`` and an index."""
    if given is None:
        return lambda contacts, index: default
    if accepts(given):
        return lambda contacts, index: given
    if is_number(given):
        raise refused(argument, given, "must be at least 0")
    if callable(given):
        return lambda contacts, index: _checked(argument, given(contacts[index]), accepts)
    if not isinstance(given, Mapping):
        raise refused(argument, repr(given), "must be a number, a table by pair of geoms, or a function of the contact")
    table: dict[frozenset[int], Any] = {}
    for key, value in given.items():
        if key != "default":
            pair = _pair(model, argument, key)
            if table.setdefault(pair, value) != value:
                raise refused(argument, repr(key), "the pair stands twice, with different values")
        _checked(f"{argument}[{key!r}]", value, accepts)
    rest = given.get("default", default)
    return lambda contacts, index: table.get(frozenset(contacts.geom[index].tolist()), rest)


def _pair(model: mujoco.MjModel, argument: str, key: object) -> frozenset[int]:
    if not isinstance(key, tuple) or len(key) != 2:
        raise refused(argument, repr(key), "keys are pairs of geoms, or 'default'")
    pair = frozenset(_geom(model, argument, geom) for geom in key)
    if len(pair) != 2:
        raise refused(argument, repr(key), "is one geom twice")
    return pair


def _geom(model: mujoco.MjModel, argument: str, geom: Geom) -> int:
    if isinstance(geom, str):
        found = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, geom)
        if found < 0:
            raise unknown(argument, "geom", geom, (model.geom(i).name for i in range(model.ngeom)))
        return int(found)
    if not isinstance(geom, (int, np.integer)) or not 0 <= geom < model.ngeom:
        raise refused(argument, repr(geom), f"a geom is a name, or an id from 0 to {model.ngeom - 1}")
    return int(geom)


def by_limit(model: mujoco.MjModel, given: Any) -> Callable[[tuple[str, int]], Any]:
    """What `given` says of a limit, found from ``("joint", id)`` or ``("tendon", id)``."""
    if is_restitution(given):
        return lambda source: given
    if not isinstance(given, Mapping):
        raise refused("e_limit", repr(given), "must be a number, or a table by name of joint or tendon")
    names: dict[str, list[tuple[str, int]]] = {}
    for index in range(model.njnt):
        names.setdefault(model.joint(index).name, []).append(("joint", index))
    for index in range(model.ntendon):
        names.setdefault(model.tendon(index).name, []).append(("tendon", index))
    table: dict[tuple[str, int], Any] = {}
    for name, value in given.items():
        _checked(f"e_limit[{name!r}]", value, is_restitution)
        if name == "default":
            continue
        if name not in names:
            raise unknown("e_limit", "joint or tendon", name, names)
        if len(names[name]) > 1:
            raise refused("e_limit", repr(name), "is a joint and a tendon of the model; give one of them another name")
        table[names[name][0]] = value
    rest = given.get("default", 0.0)
    return lambda source: table.get(source, rest)


def _checked(argument: str, value: Any, accepts: Callable[[object], bool]) -> Any:
    if not accepts(value):
        raise refused(argument, repr(value), "must be a coefficient")
    return value
