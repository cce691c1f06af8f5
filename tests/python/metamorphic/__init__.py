"""Changes of a graph that must not change its verdict, or must."""
