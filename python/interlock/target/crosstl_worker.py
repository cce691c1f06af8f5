"""Translates one kernel with CrossTL, in a process of its own, and writes what became of it as JSON.

    crosstl_worker.py SOURCE SOURCE_LANGUAGE TARGET PRODUCT RESULT

It imports nothing of Interlock. `interlock.target.crosstl` starts it, bounds its time, memory and output, and
reads the two files it writes: PRODUCT is the translation, RESULT a JSON object with `error` (a sentence, or
null), `source` and `target` (CrossTL's reflection of the interfaces, or null).
"""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any


def main() -> int:
    """Run the command line."""
    source, language, target, product, result = sys.argv[1:]
    logging.disable(logging.CRITICAL)
    found: dict[str, Any] = {"error": None, "source": None, "target": None}
    try:
        import crosstl  # noqa: PLC0415  (its failure is an answer too)
        from crosstl.project import reflect_target_host_interface  # noqa: PLC0415

        # Formatting calls whatever formatter is installed, so that the result would depend on the machine.
        code = crosstl.translate(source, target, format_output=False, source_backend=language)
        with Path(product).open("w", encoding="utf-8", newline="") as stream:
            stream.write(code)
        found["target"] = reflect_target_host_interface(Path(product), target=target)
        found["source"] = reflect_target_host_interface(Path(source), target=language)
    except Exception as error:  # noqa: BLE001  (whatever a translator raises on input that nobody vouches for)
        text = " ".join(str(error).split()) or "it said nothing"
        found["error"] = f"{type(error).__name__}: {text[:1000]}"
    Path(result).write_text(json.dumps(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
