import sys

from interlock.author import GraphBuilder, full

graph = GraphBuilder("two-stage-sum", producer=("example-translator", "1.0"))
arena = graph.allocation("arena", 256, alignment=256)
samples = graph.input("samples", "u32", [1024])
partials = graph.temporary("partials", "u32", [8], allocation=arena, begins=["first"], ends=["second"])
total = graph.output("total", "u32")

slices, sums = graph.artifact("slice_totals"), graph.artifact("grand_total")
bound = {"reads": {"samples": samples}, "writes": {"partials": full(partials)}}
graph.dispatch("first", artifact=slices, entry="main", **bound, groups=[8], workgroup_size=[32])
graph.barrier("ready", partials, after=["first"])
bound = {"reads": {"partials": partials}, "writes": {"total": full(total)}}
graph.dispatch(
    "second", artifact=sums, entry="main", **bound, groups=[1], workgroup_size=[8], after=["ready"]
)
sys.stdout.buffer.write(graph.build().binary)
