"""Keyword options that several methods share: refused where mistyped, and listed in the signature."""

from __future__ import annotations

import inspect
from difflib import get_close_matches
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

P = ParamSpec("P")
R = TypeVar("R")


class _Absent:
    """The default of an option that states nothing where it is absent."""

    def __repr__(self) -> str:
        return "<absent>"


def takes(options: type) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator of methods whose last parameter is `**options: Unpack[options]`, a `TypedDict`.

    Such a method raises TypeError, with what may have been meant, for a keyword it does not take.
    """

    def decorate(method: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(method)
        stated = list(signature.parameters.values())[:-1]
        listed = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=_Absent(),
                annotation=getattr(annotation, "__forward_arg__", annotation),
            )
            for name, annotation in options.__annotations__.items()
        ]
        known = [parameter.name for parameter in (*stated[1:], *listed)]

        @wraps(method)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            unknown = [name for name in kwargs if name not in known]
            if unknown:
                raise TypeError(_refusal(f"{type(args[0]).__name__}.{method.__name__}()", unknown, known))
            return method(*args, **kwargs)

        cast("Any", checked).__signature__ = signature.replace(parameters=[*stated, *listed])
        return checked

    return decorate


def _refusal(method: str, unknown: Iterable[str], known: list[str]) -> str:
    meant = {name: get_close_matches(name, known, n=1) for name in unknown}
    text = " and ".join(
        f"no option `{name}`" + (f" (did you mean `{close[0]}`?)" if close else "")
        for name, close in meant.items()
    )
    if all(meant.values()):
        return f"{method} has {text}"
    return f"{method} has {text}; it takes {', '.join(f'`{name}`' for name in known)}"
