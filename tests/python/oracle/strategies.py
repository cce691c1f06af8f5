"""Hypothesis strategies over the same graphs that the fast generator makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import reject
from hypothesis import strategies as st

from .executions import TooManyError
from .generate import generate

if TYPE_CHECKING:
    from .model import Graph


@st.composite
def graphs(draw: st.DrawFn, *, nodes: int = 12) -> Graph:
    """Draw a graph of up to a number of nodes, repairs not counted."""
    rng = draw(st.randoms(note_method_calls=False, use_true_random=False))
    try:
        return generate(rng, nodes=nodes)
    except TooManyError:
        reject()
