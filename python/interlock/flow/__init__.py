"""What happens to the bytes of a graph, in every execution at once.

The walk follows one legal order of the nodes and keeps, for every range of bytes, the writes that reach it
and the reads since. Whatever is ordered is ordered transitively, so each access needs to be compared with
those only. Arms start from the same state and are joined; a body is walked once for each iteration that has
to be told apart. The rules turn what the walk meets into findings.
"""
