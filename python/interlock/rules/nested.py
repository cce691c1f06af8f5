"""Rules about documents that target code holds in bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.rules.model import Finding, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interlock.rules.context import Context

HOLDERS = frozenset({"TargetPayload", "Envelope"})
"""The kinds of documents that hold others in bytes."""
READABLE = ("nested.unreadable",)
"""What has to be in order before anything in nested documents can be judged."""
REALIZED = (*READABLE, "payload.graph-mismatch")
"""What has to be in order before a payload can be judged beside its graph."""


@rule("nested.digest-mismatch", kinds=HOLDERS)
def digest_mismatch(context: Context) -> Iterator[Finding]:
    r"""The digest beside a nested document is not that of its bytes.

    What it checks:
        The digest that a payload states of its bundle, and an envelope of its graph and its payloads, is
        the SHA-256 of the bytes it stands beside.

    Why:
        The digest is what others name the nested document by. One that does not fit the bytes belongs to
        something else.

    Bad example:
        bundle {
          digest: "sha256:0000000000000000000000000000000000000000000000000000000000000000"
          body: "\n\r\010\003\020\001*\007draft-1"
        }

    Good example:
        bundle {
          digest: "sha256:3ba67f95e9cf424ea694849107840a2c3f0fc3cf9dc27f7ba1d16d9523862d1d"
          body: "\n\r\010\003\020\001*\007draft-1"
        }
    """
    for held in context.held:
        if held.digest != held.actual_digest:
            yield Finding(
                held.path.field("digest"),
                f"the digest is `{held.digest}`; that of the {held.kind} beside it is {held.actual_digest}",
            )


@rule("nested.unreadable", kinds=HOLDERS)
def unreadable(context: Context) -> Iterator[Finding]:
    r"""A nested document cannot be read, or is of another kind.

    What it checks:
        The bytes of every nested document are a canonical document of the kind that belongs there.

    Why:
        What cannot be read cannot be judged, and nothing is taken on trust because something sound is around
        it.

    Bad example:
        bundle {
          digest: "sha256:6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
          body: "\000"
        }

    Good example:
        bundle {
          digest: "sha256:3ba67f95e9cf424ea694849107840a2c3f0fc3cf9dc27f7ba1d16d9523862d1d"
          body: "\n\r\010\003\020\001*\007draft-1"
        }
    """
    for held in context.held:
        if held.error is not None:
            said = held.error.diagnostics[0]
            inner = str(said.path)
            where = f" at `{inner}`" if inner else ""
            yield Finding(held.inside, f"it is no readable {held.kind}: `{said.code}`{where}: {said.message}")


RULES = (digest_mismatch, unreadable)
