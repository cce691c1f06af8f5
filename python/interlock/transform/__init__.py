"""Changes of documents: one document in, another out."""

from interlock.transform.apply_fix import apply_fix

__all__ = ["apply_fix"]
