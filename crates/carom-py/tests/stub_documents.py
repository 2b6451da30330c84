"""Documentation of the compiled half, written into its stub, so that editors show it."""

from __future__ import annotations

import ast
import inspect
from types import ModuleType
from typing import Any

_BACKSLASH = "\\"


def documented(stub: str, module: ModuleType) -> str:
    """The stub with the documentation that its classes, functions and attributes have in `module`."""
    lines = stub.splitlines(keepends=True)
    # From the end, so that places further up stay where they are.
    for node, thing in reversed(list(_documentable(ast.parse(stub), module))):
        first, indent = node.body[0], " " * (node.col_offset + 4)
        text = _quoted(inspect.cleandoc(thing.__doc__), indent)
        is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        end = first.end_lineno if is_text else None
        if isinstance(node, ast.ClassDef) and end is None:
            # Decorators stand above the statement's own line.
            above = min([first.lineno, *(line.lineno for line in getattr(first, "decorator_list", []))]) - 1
            lines[above:above] = [text]
        else:
            head = lines[first.lineno - 1][: first.col_offset].rstrip()
            lines[first.lineno - 1 : first.end_lineno] = [f"{head}\n" if head else "", text]
    return "".join(lines)


def _documentable(tree: ast.Module, module: ModuleType) -> Any:
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
            thing = getattr(module, node.name)
            if thing.__doc__:
                yield node, thing
            if isinstance(node, ast.ClassDef):
                for part in node.body:
                    if isinstance(part, ast.FunctionDef) and not part.name.startswith("_"):
                        yield part, getattr(thing, part.name)


def _quoted(text: str, indent: str) -> str:
    assert '"""' not in text and _BACKSLASH not in text
    body = text.replace("\n", f"\n{indent}") + (f"\n{indent}" if "\n" in text or text.endswith('"') else "")
    lines = f'{indent}"""{body}"""\n'.split("\n")
    return "\n".join(line.rstrip() for line in lines)
