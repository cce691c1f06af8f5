"""Rules about artifacts: graphs find the variants they run, and these are the bytes they should be."""

from __future__ import annotations

from interlock.rules.artifact import blobs, selection

RULES = (*selection.RULES, *blobs.RULES)
