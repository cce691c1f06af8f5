"""Suggested fixes, and what applies them."""
