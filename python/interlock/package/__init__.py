"""Packages: containers behind one interface, and what they say about the interfaces of kernels."""
