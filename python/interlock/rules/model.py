"""What a rule is: a function that judges, and the facts about it that everybody else derives from.

A rule yields findings and gaps. A gap is a place the rule could not judge because something else is wrong
there, which another rule reports; the rule then stays silent about the place, and the place counts as not
checked.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from interlock.diagnostic import ROOT, ByteSpan, Fix, NamedElement, Path, Related, Severity

if TYPE_CHECKING:
    from interlock.rules.context import Context

RULE_SET = 1
"""The version of the set of rules; it rises when a released rule judges otherwise or a rule is added."""

GRAPH = frozenset({"ExecutionGraph"})
"""The kinds of documents that hold a graph's elements themselves."""
PACKAGE = frozenset({"Package"})
"""The kind of documents that hold artifacts and the graphs that run them."""
ANY_KIND = frozenset({"ExecutionGraph", "Package", "TargetModuleBundle", "TargetPayload", "Envelope"})

SECTIONS = ("What it checks", "Why", "Bad example", "Good example")


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of a rule, which adds its own code and severity."""

    path: Path
    message: str
    elements: tuple[NamedElement, ...] = ()
    bytes_concerned: tuple[ByteSpan, ...] = ()
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    holds_under_assumption: bool = False
    target: str = ""


@dataclass(frozen=True, slots=True)
class Gap:
    """A place that a rule could not judge, and why."""

    reason: str
    path: Path = ROOT
    target: str = ""


Check: TypeAlias = Callable[["Context"], Iterable[Finding | Gap]]


def _always(_: Context) -> bool:
    return True


@dataclass(frozen=True)
class Rule:
    """One rule. Its documentation is the docstring of its function.

    Attributes:
        code: The stable code of its findings: the family, a dot, and the name of what is bad.
        severity: The severity of its findings.
        needs: Codes of rules that have to find nothing for this rule to run.
        kinds: The kinds of documents it judges.
        since: The version of the set of rules that introduced it.
        asked: Tells whether the caller asked for what it judges.
        check: The function.
    """

    code: str
    severity: Severity
    check: Check = field(repr=False)
    needs: tuple[str, ...] = ()
    kinds: frozenset[str] = GRAPH
    since: int = RULE_SET
    asked: Callable[[Context], bool] = field(default=_always, repr=False)

    @property
    def family(self) -> str:
        """The part of the code before the dot."""
        return self.code.partition(".")[0]

    @cached_property
    def documentation(self) -> str:
        """The docstring of the function, without its indentation."""
        return inspect.cleandoc(self.check.__doc__ or "")

    @property
    def summary(self) -> str:
        """What is wrong where the rule finds something, in one sentence."""
        return self.documentation.partition("\n\n")[0].replace("\n", " ")

    @cached_property
    def sections(self) -> dict[str, str]:
        """The sections of the documentation, by title; those of `SECTIONS` are there in this order."""
        parts = re.split(r"(?m)^([A-Z][A-Za-z ]+):\n", self.documentation.partition("\n\n")[2])
        return {
            title: inspect.cleandoc("\n" + body) for title, body in zip(parts[1::2], parts[2::2], strict=True)
        }

    @property
    def page(self) -> str:
        """The page of the rule, in Markdown."""
        lines = [f"# `{self.code}`", "", self.summary, ""]
        lines += ["| severity | family | since rule set | judges |", "| --- | --- | --- | --- |"]
        kinds = ", ".join(f"`{kind}`" for kind in sorted(self.kinds))
        lines += [f"| {self.severity.name.lower()} | {self.family} | {self.since} | {kinds} |", ""]
        for title, body in self.sections.items():
            is_example = title.endswith("example")
            lines += [f"## {title}", "", *(["```textproto", body, "```"] if is_example else [body]), ""]
        if self.needs:
            lines += [
                "## What has to be in order first",
                "",
                "Not checked while there are findings of " + ", ".join(f"`{n}`" for n in self.needs) + ".",
                "",
            ]
        return "\n".join(lines)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, such as ``2 places``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def rule(
    code: str,
    *,
    severity: Severity = Severity.ERROR,
    needs: tuple[str, ...] = (),
    kinds: frozenset[str] = GRAPH,
    since: int = 1,
    asked: Callable[[Context], bool] = _always,
) -> Callable[[Check], Rule]:
    """Make a rule of the function that follows. The families list their rules themselves."""

    def make(check: Check) -> Rule:
        return Rule(code, severity, check, needs, kinds, since, asked)

    return make
