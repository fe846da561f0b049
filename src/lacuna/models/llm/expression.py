"""Calculate what a model wrote as a calculation, with numbers as texts write them."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from lacuna.quantities.arithmetic import asked_unit, time_between
from lacuna.quantities.find_quantities import Quantity, QuantityKind, find_quantities

LONGEST = 200
_SIGNS = str.maketrans("×·÷−–—", "**/---")
_SIGN = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})|\s*([-+*/()])\s*")
_BETWEEN = re.compile(r"[-+*/()\s]*")
_OPERATIONS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


@dataclass(frozen=True, slots=True)
class Operand:
    """A number of an expression, as it is written there."""

    text: str
    quantity: Quantity


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The result of an expression, and the numbers it was calculated from."""

    value: float
    operands: tuple[Operand, ...]


def evaluate_expression(expression: str, question: str = "") -> Evaluation | None:
    """The result of an expression; None where it is more than +, −, × and ÷ over numbers.

    The difference of two dates comes in the unit that the question asks for.

    >>> evaluate_expression("(1,250 + 30) × 2").value
    2560.0
    >>> evaluate_expression("12 March 1987 − 3 May 1950", "How many days was it?").value
    13462.0
    >>> evaluate_expression("the number of ships") is None
    True
    """
    # Signs stand apart, so that "1984-85" is a difference here and no range of years.
    apart = _SIGN.sub(
        lambda match: match[1] or f" {match[2]} ",
        expression.partition("=")[0].translate(_SIGNS),
    ).strip()
    if len(apart) > LONGEST:
        return None
    quantities = find_quantities(apart)
    if not quantities:
        return None
    operands = tuple(Operand(apart[one.start : one.end], one) for one in quantities)
    value = _time_between(apart, quantities, question)
    if value is None:
        value = _value(apart, quantities)
    return None if value is None else Evaluation(value, operands)


def _time_between(expression: str, quantities: tuple[Quantity, ...], question: str) -> float | None:
    if len(quantities) != 2 or expression[quantities[0].end : quantities[1].start].strip() != "-":
        return None
    later, earlier = (quantity.date for quantity in quantities)
    if later is None or earlier is None or not (later.month or earlier.month):
        return None
    if expression[: quantities[0].start].strip() or expression[quantities[1].end :].strip():
        return None
    return float(time_between(later, earlier, asked_unit(question))[0])


def _value(expression: str, quantities: tuple[Quantity, ...]) -> float | None:
    """The value by the rules of arithmetic; a part of something is written in per cent."""
    parts: list[str] = []
    reached = 0
    multiplies = "*" in expression or "/" in expression
    for quantity in quantities:
        parts.append(expression[reached : quantity.start])
        percent = quantity.kind is QuantityKind.PERCENT and multiplies
        parts.append(f"({quantity.value / 100 if percent else quantity.value!r})")
        reached = quantity.end
    parts.append(expression[reached:])
    if not all(_BETWEEN.fullmatch(part) for part in parts[::2]):
        return None
    try:
        return _result(ast.parse("".join(parts).strip(), mode="eval").body)
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return None


def _result(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=float(value)):
            return value
        case ast.BinOp(left, operation, right) if type(operation) in _OPERATIONS:
            return _OPERATIONS[type(operation)](_result(left), _result(right))
        case ast.UnaryOp(ast.USub(), inner):
            return -_result(inner)
        case _:  # (2)(3) would be a call
            raise ValueError("no arithmetic")
