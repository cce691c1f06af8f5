"""Interchange with CrossTL's runtime execution graphs (`crosstl-runtime-execution-graph`, schema version 1).

`docs/crosstl.md` says how every field is mapped, what is kept beside the contract, and what is refused.
"""

from interlock.interop.crosstl.exporter import export_crosstl
from interlock.interop.crosstl.importer import CrossTLImport, import_crosstl

__all__ = ["CrossTLImport", "export_crosstl", "import_crosstl"]
