"""Frozen values to JSON and back, driven by their type hints.

One codec for every noun, so that a field added to `core.model` is stored without a change here. Times are written in
UTC with microseconds; tuples as lists; enums as their value. Decoding is by the declared type: a missing field takes
its default, an unknown one is refused, since dropping it would lose what a newer version recorded.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from core.audit import stamp
from core.errors import BadInput, Misconfigured

T = TypeVar("T")


def to_json(value: Any) -> str:
    """The JSON text of a dataclass, a tuple of them, or plain JSON data.

    Raises:
        BadInput: it holds something that JSON cannot carry (NaN, an object of another kind).
    """
    try:
        return json.dumps(_plain(value), separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        msg = f"this value cannot be stored: {error}"
        raise BadInput(msg) from error


def from_json(kind: type[T], text: str) -> T:
    """The value of type `kind` that `to_json` made `text` from; `kind` may be a generic such as `tuple[Root, ...]`.

    Raises:
        Misconfigured: the text does not fit the type.
    """
    try:
        value: T = _decoder(cast("Hashable", kind))(json.loads(text))
    except (AttributeError, TypeError, ValueError, KeyError) as error:
        name = getattr(kind, "__name__", str(kind))
        msg = f"a stored {name} cannot be read ({error}): written by another version, or damaged"
        raise Misconfigured(msg) from error
    return value


def to_plain(value: Any) -> Any:
    """The same as plain JSON data: what `to_json` writes, before it is text.

    Raises:
        BadInput: it holds something that JSON cannot carry.
    """
    try:
        return _plain(value)
    except TypeError as error:
        msg = f"this value cannot be written: {error}"
        raise BadInput(msg) from error


def from_plain(kind: type[T], value: Any) -> T:
    """The value of type `kind` that `to_plain` made `value` from.

    Raises:
        BadInput: the data does not fit the type: it came from outside, so that is its sender's to mend.
    """
    try:
        made: T = _decoder(cast("Hashable", kind))(value)
    except (AttributeError, TypeError, ValueError, KeyError) as error:
        name = getattr(kind, "__name__", str(kind))
        msg = f"this is no {name}: {error}"
        raise BadInput(msg) from error
    return made


def _plain(value: Any) -> Any:
    if isinstance(value, StrEnum):
        return value.value
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, datetime):
        return stamp(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {_key(key): _plain(item) for key, item in value.items()}
    msg = f"{type(value).__name__} is not JSON"
    raise TypeError(msg)


def _key(key: Any) -> str:
    if isinstance(key, str):
        return str(key)
    msg = f"a JSON object's keys are strings, not {type(key).__name__}"
    raise TypeError(msg)


def _same(value: Any) -> Any:
    return value


@cache
def _decoder(kind: Any) -> Callable[[Any], Any]:
    """The function that turns parsed JSON into a value of `kind`; built once a type."""
    origin = get_origin(kind)
    if origin in {Union, types.UnionType}:
        return _optional(kind)
    if origin is tuple:
        return _tuple(kind)
    if origin is dict or kind is Any:
        return _same
    if isinstance(kind, type):
        return _plain_type(kind)
    msg = f"the codec does not know {kind}: teach it before storing one"
    raise Misconfigured(msg)


def _plain_type(kind: type) -> Callable[[Any], Any]:
    if is_dataclass(kind):
        return _dataclass(kind)
    if issubclass(kind, StrEnum):
        return kind
    if kind is datetime:
        return datetime.fromisoformat
    return _float if kind is float else _exactly(kind)


def _optional(kind: Any) -> Callable[[Any], Any]:
    inner = [part for part in get_args(kind) if part is not type(None)]
    if len(inner) != 1:
        msg = f"the codec reads X | None, not {kind}"
        raise Misconfigured(msg)
    decode = _decoder(inner[0])
    return lambda value: None if value is None else decode(value)


def _tuple(kind: Any) -> Callable[[Any], Any]:
    """Any number of one type, `tuple[X, ...]`, or one of each, `tuple[X, Y]`."""
    args = get_args(kind)
    if args[1:] == (Ellipsis,):
        decode = _decoder(args[0])
        return lambda value: tuple(decode(item) for item in value)
    decoders = [_decoder(arg) for arg in args]
    return lambda value: tuple(decode(item) for decode, item in zip(decoders, value, strict=True))


def _dataclass(kind: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    decoders = {field.name: _decoder(hints[field.name]) for field in fields(kind)}

    def decode(value: Any) -> Any:
        return kind(**{name: decoders[name](item) for name, item in value.items()})

    return decode


def _exactly(kind: type) -> Callable[[Any], Any]:
    def decode(value: Any) -> Any:
        if type(value) is not kind:
            msg = f"expected {kind.__name__}, found {type(value).__name__}"
            raise TypeError(msg)
        return value

    return decode


def _float(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        msg = f"expected a number, found {type(value).__name__}"
        raise TypeError(msg)
    return float(value)
