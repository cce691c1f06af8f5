"""The codes of reading SPIR-V modules, with what each means."""

from __future__ import annotations

_LIMIT = " The reader stops before it allocates or computes in proportion to it."

SPIRV_CODES: dict[str, str] = {
    "limit.spirv-bound": (
        "The header of a SPIR-V module states more ids than the limit `bound`, which is the universal limit"
        " of SPIR-V unless the caller says otherwise." + _LIMIT
    ),
    "limit.spirv-bytes": "A SPIR-V module is larger than the limit `module_bytes`." + _LIMIT,
    "limit.spirv-name": (
        "The name of an entry point of a SPIR-V module is longer than the limit `name_characters`." + _LIMIT
    ),
    "limit.spirv-nesting": (
        "Types of a SPIR-V module nest deeper than the limit `type_nesting`, which is that of SPIR-V for"
        " structures unless the caller says otherwise." + _LIMIT
    ),
    "limit.spirv-slots": (
        "The entry points of a SPIR-V module, and the variables in the slots that each has, are more together"
        " than the limit `slots`." + _LIMIT
    ),
    "spirv.assembler-failed": (
        "The assembler that was named refuses a text of SPIR-V assembly; the message is the first that it"
        " prints. Assemble the text by hand to see all of them."
    ),
    "spirv.bad-array-length": (
        "The length of an array type is no constant integer of at least 1, so that nothing can be said about"
        " the size of what holds it."
    ),
    "spirv.bad-bound": "The header of a SPIR-V module states a bound of 0, but every id is below the bound.",
    "spirv.bad-literal": (
        "A literal of an instruction is not what the instruction demands: the width of a type, the number of"
        " components of a vector, the words of a constant, the index of a member."
    ),
    "spirv.conflicting-decoration": (
        "One thing is decorated twice, with two values, by a decoration that it can have once: two bindings"
        " of one variable, two offsets of one member."
    ),
    "spirv.duplicate-entry": "Two entry points of one execution model have the same name.",
    "spirv.duplicate-id": "Two instructions define the same id.",
    "spirv.duplicate-memory-model": "A module has a second `OpMemoryModel`.",
    "spirv.forward-reference": (
        "An instruction uses an id before it is defined, where SPIR-V demands the definition first: a type"
        " out of types, a constant out of constants, a variable of a type."
    ),
    "spirv.id-out-of-bound": "An id is not below the bound that the header states.",
    "spirv.id-zero": "An id is 0, which is no id.",
    "spirv.invalid-utf8": "A string of an instruction is not UTF-8.",
    "spirv.misplaced-instruction": (
        "An instruction stands where it must not: the body of a function outside of one, a function within"
        " another, or the module ends within a function."
    ),
    "spirv.missing-memory-model": "A module has no `OpMemoryModel`, which every module has once.",
    "spirv.not-whole-words": "The size of a module is not a multiple of four bytes.",
    "spirv.size-overflow": "An offset, stride or length makes something larger than 2^64 - 1 bytes.",
    "spirv.too-short": "The input is shorter than the five words of the header of a SPIR-V module.",
    "spirv.truncated-instruction": (
        "An instruction is longer than what is left of the module: the module is cut off, or its word count"
        " is wrong."
    ),
    "spirv.type-cycle": (
        "A type is made of itself. Types may only meet themselves behind a pointer that is declared forward."
    ),
    "spirv.undefined-id": "An instruction uses an id that nothing in the module defines.",
    "spirv.unknown-schema": "The last word of the header, reserved for an instruction schema, is not 0.",
    "spirv.unknown-version": (
        "The header states a version of SPIR-V that this reader does not know: it knows 1.0 to 1.6."
    ),
    "spirv.unterminated-string": "A string runs to the end of its instruction without a zero byte.",
    "spirv.word-count": "An instruction has fewer or more words than its opcode allows.",
    "spirv.wrong-id-kind": (
        "An id stands for something else than the instruction demands: no type where a type has to be, no"
        " pointer where memory is accessed, no function where one is called."
    ),
    "spirv.wrong-magic": (
        "The input does not begin with the magic number of SPIR-V, 0x07230203, in either byte order."
    ),
    "spirv.zero-word-count": "An instruction states a length of 0 words; what follows it cannot be found.",
}
"""Code to meaning. Every one of them is an error that ends the reading of a module."""
