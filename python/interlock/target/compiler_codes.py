"""The codes of target compilers, with what each means and what to do about it."""

from __future__ import annotations

COMPILER_CODES: dict[str, str] = {
    "compiler.capability-not-offered": (
        "The code that a compiler made needs a capability that the profile does not offer. Choose a profile "
        "that does, or a kernel that does without."
    ),
    "compiler.constant-dropped": (
        "A dispatch sets a specialization constant, and the code that a compiler made has none: the value "
        "in it is the default. Write the value into the kernel, or compile for a target that keeps constants."
    ),
    "compiler.constant-mismatch": (
        "A dispatch sets a specialization constant with a value of another type than the code declares."
    ),
    "compiler.coordinate-mismatch": (
        "The code takes a slot at another coordinate than the graph or the package states."
    ),
    "compiler.crashed": (
        "A compiler ended with neither code nor a message that says why. The message has the last line "
        "that it printed."
    ),
    "compiler.failed": (
        "A compiler refused a kernel. The message has what the compiler said; line numbers are those of the "
        "kernel in the package."
    ),
    "compiler.include": (
        "A kernel includes a file. Only what is in the package is compiled, since nothing else is pinned by "
        "a digest. Preprocess the kernel before it is packed."
    ),
    "compiler.interface-contradicted": (
        "The code does not have the interface that the package declares for the kernel."
    ),
    "compiler.malformed-output": "What a compiler wrote is no code of the form that it should be.",
    "compiler.missing-entry": "The code that a compiler made does not have the entry that a dispatch runs.",
    "compiler.missing-library": (
        "A compiler needs a Python package that is not installed. `pip install crosstl==3.4.0` installs "
        "CrossTL."
    ),
    "compiler.missing-slot": "A dispatch binds a slot that the code does not have.",
    "compiler.missing-source": (
        "The package has no source of a kernel that the compiler reads. `docs/compiling.md` says which "
        "variants are sources."
    ),
    "compiler.missing-tool": (
        "The program that compiles is not there. Debian has `glslang-tools` for `glslangValidator`, and "
        "`spirv-tools` for `spirv-as`."
    ),
    "compiler.output-too-large": "What a compiler wrote is larger than the limit. It was stopped.",
    "compiler.slot-bound-twice": "A dispatch binds one slot of the code under two names.",
    "compiler.timeout": "A compiler did not end in time on a kernel, and was stopped.",
    "compiler.too-little-bound": "The code reads or writes more bytes of a slot than the dispatch binds.",
    "compiler.unknown-constant": "A dispatch sets a specialization constant that the code does not have.",
    "compiler.unknown-version": (
        "The program that compiles does not state its version, or one that is too old. The version is "
        "recorded in what is compiled, so it has to be known."
    ),
    "compiler.unset-inline-constants": "The code takes inline constants that the dispatch does not set.",
    "compiler.wrong-entry": (
        "A kernel in GLSL has the one entry `main`, and the dispatch runs another one. Map the logical entry "
        "to `main` in the entries of the variant."
    ),
    "compiler.wrong-target": "A compiler makes code for another target than the profile is for.",
    "module.claim-contradicted": (
        "A module claims slots or a workgroup size that its bytes do not have. Who trusts the claims binds "
        "the wrong things; make the module anew from its code."
    ),
    "module.shared-memory-understated": (
        "The code of a module takes more shared memory than its entry states, which is what the profile is "
        "compared with. State all that the code declares, and what the dispatch adds."
    ),
}
"""Code to meaning."""
