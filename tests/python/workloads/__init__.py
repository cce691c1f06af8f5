"""Graphs of real operations and models, as inputs for the proof.

The builders follow the kernels that the array library MLX launches for its larger operations: how many there
are, over which buffers, in which order and with which grids, all computed from sizes. `corpus` reads
schedules that other compilers planned. None of it runs anything.
"""
