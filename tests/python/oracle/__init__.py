"""A brute-force judge of execution graphs: the definitions of docs/execution-semantics.md, executed.

`model` reads a graph, `executions` enumerates what may happen, `judge` decides what of it is wrong;
`generate` makes up graphs and `compare` holds a verifier against the judge. Nothing here is shared with the
rules of `interlock`.
"""
