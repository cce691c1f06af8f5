"""Writes the schedules in tests/fixtures/schedules from a folder of planned schedules.

    python tests/python/workloads/make_schedules.py FOLDER

The folder is one that `check_corpus` takes.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from workloads.corpus import Arena, read

TARGET = Path(__file__).resolve().parents[2] / "fixtures" / "schedules"

CHOSEN = {
    "layernorm": ("tinygrad/layernorm.metal.json", Arena.TENSORS, None),
    "softmax_rows": ("tinygrad/softmax_rows.wgsl.json", Arena.RANGES, None),
    "fft": ("tinygrad/fft.cuda.json", Arena.TENSORS, None),
    "mlp_train": ("tinygrad/mlp_train.metal.json", Arena.RANGES, None),
    "decode_layer": ("tinygrad/llama1b_decode.metal.json", Arena.RANGES, 18),
    "reduce_chain": ("iree/reduce_chain.graph.json", Arena.RANGES, None),
}
"""By the name of the graph: the file, what stands for planned memory, and how many nodes are kept."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    for name, (file, arena, kept) in CHOSEN.items():
        schedule = json.loads((folder / file).read_bytes())
        if kept is not None:
            schedule["nodes"] = schedule["nodes"][:kept]
            used = {argument["r"] for node in schedule["nodes"] for argument in node["args"]}
            programs = {node["program"] for node in schedule["nodes"]}
            schedule["resources"] = [r for r in schedule["resources"] if r["id"] in used]
            schedule["programs"] = {key: p for key, p in schedule["programs"].items() if key in programs}
        (document,) = read(schedule, arena, name)
        (TARGET / f"{name}.json").write_bytes(document.json())


if __name__ == "__main__":
    main()
