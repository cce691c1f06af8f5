"""The codes of what keeps a check from running to its end, as they stand in the reason of a gap."""

from __future__ import annotations

GAP_CODES: dict[str, str] = {
    "limit.proof-work": (
        "The proof of order, visibility and content takes more steps than the limit `proof_work`. "
        "What rests on it is unverified, which never counts as passed. Raise the limit, or split the graph."
    ),
}
"""Code to meaning."""
