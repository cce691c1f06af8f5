"""One walk over the words of a module: what it declares, and where its functions touch memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from interlock.package.spirv.checks import check_ids, misframed, wrong_kind
from interlock.package.spirv.constants import Constants
from interlock.package.spirv.decorations import Decorations
from interlock.package.spirv.errors import SpirvError
from interlock.package.spirv.grammar import operation_name
from interlock.package.spirv.shapes import SHAPES, SUBGROUP_OPERATIONS, UNFOLLOWED, Op
from interlock.package.spirv.types import Kind, Types
from interlock.package.spirv.words import HEADER_WORDS, read_string

if TYPE_CHECKING:
    from collections.abc import Callable

    from interlock.package.spirv.errors import SpirvLimits
    from interlock.package.spirv.words import Words

_GLSL = "GLSL.std.450"
_GLSL_WRITERS = frozenset({35, 51})
"""Modf and Frexp store their second result through a pointer."""
_SUBGROUP = 3
"""The scope of a subgroup."""
_WITHOUT_EFFECT = ("NonSemantic.", "OpenCL.DebugInfo.", "DebugInfo")


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """An `OpEntryPoint`: its name, execution model, function, interface, and its first word."""

    name: str
    model: int
    function: int
    interface: frozenset[int]
    at: int


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the module. Pointee and initializer are 0 where there is none."""

    id: int
    type: int
    storage_class: int
    pointee: int
    initializer: int


@dataclass(slots=True)
class Function:
    """A function.

    Attributes:
        id: Its id.
        at: Its first word.
        result_type: What it returns.
        parameters: Its parameters by position; 0 for those that are neither pointers nor opaque.
        body: The first words of the instructions that have to do with memory.
        plain: Ids that other instructions compute with.
        used: Ids that instructions which have to do with memory name.
        strange: Ids that instructions nobody knows may name, with the first word of one of them.
        is_grouped: Whether it has operations of subgroups.
        is_open: Whether it runs code that cannot be followed.
    """

    id: int
    at: int
    result_type: int
    parameters: list[int] = field(default_factory=list)
    body: list[int] = field(default_factory=list)
    plain: set[int] = field(default_factory=set)
    used: set[int] = field(default_factory=set)
    strange: dict[int, int] = field(default_factory=dict)
    is_grouped: bool = False
    is_open: bool = False


class Scan:
    """What the walk gathers. Everything is by id."""

    def __init__(self, words: Words, limits: SpirvLimits) -> None:
        self.words = words.words
        self.raw = words.raw
        self.header = words
        self.limits = limits
        self.capabilities: set[int] = set()
        self.extensions: list[str] = []
        self.imports: dict[int, str] = {}
        self.memory_model: tuple[int, int] | None = None
        self.names: dict[int, str] = {}
        self.member_names: dict[int, dict[int, str]] = {}
        self.entries: list[EntryPoint] = []
        self.modes: dict[int, list[tuple[int, tuple[int, ...], int]]] = {}
        self.variables: dict[int, Variable] = {}
        self.functions: dict[int, Function] = {}
        self.nowhere: set[int] = set()
        """Null and undefined pointers of the module."""
        self.strange: set[int] = set()
        """Words of instructions nobody knows: they may define these ids."""
        self.decorations = Decorations(self.words)
        self.constants = Constants(self.words, self.decorations, self.strange)
        self.types = Types(self.words, self.constants, limits, self.strange)
        self.constants.bind(self.types)
        self._function: Function | None = None
        self._plain: list[int] = []
        self._used: list[int] = []
        self._named: set[int] = set()
        self._results: list[int] = []
        self._result_types: set[int] = set()
        self._walk()
        self._finish()

    def _walk(self) -> None:  # noqa: PLR0912, PLR0915 - one loop, its calls would cost more than its work
        words = self.words
        total = len(words)
        shapes = SHAPES
        grouped = SUBGROUP_OPERATIONS
        results, result_types = self._results, self._result_types
        plain, used = self._plain, self._used
        pointerish = self.types.pointerish
        at = HEADER_WORDS
        while at < total:
            head = words[at]
            opcode = head & 0xFFFF
            end = at + (head >> 16)
            shape = shapes.get(opcode)
            if shape is None:
                if not at < end <= total:
                    raise misframed(words, at)
                self._strange(at, end)
                at = end
                continue
            role, least, most, result, has_type, first, tail = shape
            if end > total or not least <= end - at <= most:
                raise misframed(words, at)
            if result:
                results.append(words[at + result])
                if has_type:
                    result_types.add(words[at + 1])
            ids = words[at + 1 : at + first] if first else words[at + 1 : end]
            if tail:
                ids += words[at + tail : end]
            if role == 2:
                role = 1 if words[at + 1] in pointerish else 0
            if role == 0:
                plain += ids
                if self._function is None:
                    if result and has_type:
                        self.constants.add_opaque(words[at + 2])
                elif opcode in grouped:
                    self._function.is_grouped = True
                elif opcode in UNFOLLOWED:
                    self._function.is_open = True
            elif role == 1:
                function = self._function
                if function is None:
                    raise _misplaced(opcode, at, "outside of a function")
                function.body.append(at)
                used += ids
                if opcode in grouped:
                    function.is_grouped = True
            elif role == 3:
                used += ids
            elif role == 4:
                used += ids
                self.types.add(opcode, at, end)
            elif role == 5:
                used += ids
                self.constants.add(opcode, at, end)
            else:
                self._HANDLERS[opcode](self, opcode, at, end, ids)
            at = end

    def _strange(self, at: int, end: int) -> None:
        operands = self.words[at + 1 : end]
        self.strange.update(operands)
        if self._function is None:
            self.types.pointerish.update(operands)
        else:
            for operand in operands:
                self._function.strange.setdefault(operand, at)

    def _finish(self) -> None:
        if self._function is not None:
            message = f"the module ends within function %{self._function.id}, which needs an `OpFunctionEnd`"
            raise SpirvError("spirv.misplaced-instruction", message, 4 * self._function.at)
        self._named.update(self._plain, self._used)
        check_ids(self.header, self._named, self._results, self._result_types, self.types.by_id, self.strange)
        if self.memory_model is None:
            message = "the module has no `OpMemoryModel`, required is one"
            raise SpirvError("spirv.missing-memory-model", message)
        self._check_entries()
        for target, member in self.decorations.member_uses():
            of = self.types.by_id.get(target)
            if of is None or of.kind != Kind.STRUCT or member >= len(of.members):
                if target in self.strange:
                    continue
                known = len(of.members) if of is not None and of.kind == Kind.STRUCT else 0
                message = f"member {member} of %{target} is decorated, which has {known} members"
                raise SpirvError("spirv.bad-literal", message)

    def _check_entries(self) -> None:
        seen = set()
        functions = set()
        for entry in self.entries:
            if entry.function not in self.functions:
                raise wrong_kind(self.words, entry.at, entry.function, "a function")
            functions.add(entry.function)
            if (entry.name, entry.model) in seen:
                message = f"there are two entry points `{entry.name}` of execution model {entry.model}"
                raise SpirvError("spirv.duplicate-entry", message, 4 * entry.at)
            seen.add((entry.name, entry.model))
        for target, modes in self.modes.items():
            if target not in functions:
                raise wrong_kind(self.words, modes[0][2], target, "the function of an entry point")

    # Instructions with a method of their own.

    def _note(self, _opcode: int, at: int, end: int, ids: list[int]) -> None:
        """Debugging names, extensions and capabilities."""
        words = self.words
        self._named.update(ids)
        opcode = words[at] & 0xFFFF
        name = operation_name(opcode)
        if opcode == Op.NAME:
            text = read_string(self.raw, at + 2, end, at, name)[0]
            if len(text) <= self.limits.name_characters:
                self.names.setdefault(words[at + 1], text)
        elif opcode == Op.MEMBER_NAME:
            text = read_string(self.raw, at + 3, end, at, name)[0]
            if len(text) <= self.limits.name_characters:
                self.member_names.setdefault(words[at + 1], {}).setdefault(words[at + 2], text)
        elif opcode == Op.EXTENSION:
            self.extensions.append(read_string(self.raw, at + 1, end, at, name)[0])
        elif opcode == Op.EXT_INST_IMPORT:
            self.imports[words[at + 1]] = read_string(self.raw, at + 2, end, at, name)[0]
        elif opcode == Op.CAPABILITY:
            self.capabilities.add(words[at + 1])
        else:
            if self.memory_model is not None:
                raise SpirvError("spirv.duplicate-memory-model", "there is a second `OpMemoryModel`", 4 * at)
            self.memory_model = words[at + 1], words[at + 2]

    def _entry_point(self, _opcode: int, at: int, end: int, _ids: list[int]) -> None:
        words = self.words
        name, place = read_string(self.raw, at + 3, end, at, "OpEntryPoint")
        if len(name) > self.limits.name_characters:
            most = self.limits.name_characters
            message = f"the name of an entry point has {len(name)} characters, at most {most} are read"
            raise SpirvError("limit.spirv-name", message, 4 * at)
        interface = frozenset(words[place:end])
        self._named.add(words[at + 2])
        self._named.update(interface)
        self.entries.append(EntryPoint(name, words[at + 1], words[at + 2], interface, at))

    def _execution_mode(self, _opcode: int, at: int, end: int, ids: list[int]) -> None:
        self._named.update(ids)
        mode = self.words[at + 2], tuple(self.words[at + 3 : end]), at
        self.modes.setdefault(self.words[at + 1], []).append(mode)

    def _decorate(self, opcode: int, at: int, end: int, ids: list[int]) -> None:
        self._named.update(ids)
        if opcode == Op.DECORATE:
            self.decorations.add(at, end)
        elif opcode == Op.MEMBER_DECORATE:
            self.decorations.add_member(at, end)
        elif opcode == Op.GROUP_DECORATE:
            self.decorations.add_group(at, end)
        else:
            self.decorations.add_member_group(at, end)

    def _value(self, opcode: int, at: int, end: int, ids: list[int]) -> None:
        """Undefined and zero values: of pointers too, which then lead nowhere."""
        self._used += ids
        if self._function is None:
            if self.words[at + 1] in self.types.pointerish:
                self.nowhere.add(self.words[at + 2])
            if opcode == Op.CONSTANT_NULL:
                self.constants.add(opcode, at, end)
            else:
                self.constants.add_opaque(self.words[at + 2])
        elif self.words[at + 1] in self.types.pointerish:
            self._function.body.append(at)

    def _variable(self, opcode: int, at: int, end: int, ids: list[int]) -> None:
        words = self.words
        if self._function is not None:
            self._used += ids
            self._function.body.append(at)
            return
        self._named.update(ids)
        of = self.types.by_id.get(words[at + 1])
        result, storage_class = words[at + 2], words[at + 3]
        if of is None or of.kind not in (Kind.POINTER, Kind.UNTYPED_POINTER):
            if words[at + 1] not in self.strange:
                raise wrong_kind(words, at, words[at + 1], "a pointer type")
            pointee = initializer = 0
        elif opcode == Op.UNTYPED_VARIABLE:
            pointee = words[at + 4] if end > at + 4 else 0
            initializer = words[at + 5] if end > at + 5 else 0
        else:
            pointee = of.inner
            initializer = words[at + 4] if end > at + 4 else 0
        self.variables.setdefault(
            result, Variable(result, words[at + 1], storage_class, pointee, initializer)
        )
        self.constants.add_opaque(result)

    def _begin_function(self, opcode: int, at: int, _end: int, ids: list[int]) -> None:
        if self._function is not None:
            raise _misplaced(opcode, at, f"within function %{self._function.id}")
        self._named.update(self._plain, self._used, ids)
        self._plain.clear()
        self._used.clear()
        self._function = Function(self.words[at + 2], at, self.words[at + 1])

    def _parameter(self, opcode: int, at: int, _end: int, ids: list[int]) -> None:
        if self._function is None:
            raise _misplaced(opcode, at, "outside of a function")
        self._named.update(ids)
        is_followed = self.words[at + 1] in self.types.pointerish
        self._function.parameters.append(self.words[at + 2] if is_followed else 0)

    def _end_function(self, opcode: int, at: int, _end: int, _ids: list[int]) -> None:
        function = self._function
        if function is None:
            raise _misplaced(opcode, at, "outside of a function")
        function.plain = set(self._plain)
        function.used = set(self._used)
        self._named.update(function.plain, function.used)
        self._plain.clear()
        self._used.clear()
        self.functions.setdefault(function.id, function)
        self._function = None

    def _return_value(self, opcode: int, at: int, _end: int, ids: list[int]) -> None:
        if self._function is None:
            raise _misplaced(opcode, at, "outside of a function")
        if self._function.result_type in self.types.pointerish:
            self._function.body.append(at)
            self._used += ids
        else:
            self._plain += ids

    def _control_barrier(self, _opcode: int, at: int, _end: int, ids: list[int]) -> None:
        self._plain += ids
        if self._function is not None and self.constants.values.get(self.words[at + 1]) == _SUBGROUP:
            self._function.is_grouped = True

    def _ext_inst(self, _opcode: int, at: int, _end: int, ids: list[int]) -> None:
        library = self.imports.get(self.words[at + 3], "")
        if library.startswith(_WITHOUT_EFFECT):
            self._named.update(ids)
        elif library == _GLSL and self.words[at + 4] in _GLSL_WRITERS and self._function is not None:
            self._function.body.append(at)
            self._used += ids
        else:
            self._plain += ids

    _HANDLERS: ClassVar[dict[int, Callable[[Scan, int, int, int, list[int]], None]]] = {
        Op.UNDEF: _value,
        Op.CONSTANT_NULL: _value,
        Op.NAME: _note,
        Op.MEMBER_NAME: _note,
        Op.EXTENSION: _note,
        Op.EXT_INST_IMPORT: _note,
        Op.CAPABILITY: _note,
        Op.MEMORY_MODEL: _note,
        Op.EXT_INST: _ext_inst,
        Op.ENTRY_POINT: _entry_point,
        Op.EXECUTION_MODE: _execution_mode,
        Op.EXECUTION_MODE_ID: _execution_mode,
        Op.FUNCTION: _begin_function,
        Op.FUNCTION_PARAMETER: _parameter,
        Op.FUNCTION_END: _end_function,
        Op.VARIABLE: _variable,
        Op.UNTYPED_VARIABLE: _variable,
        Op.DECORATE: _decorate,
        Op.MEMBER_DECORATE: _decorate,
        Op.GROUP_DECORATE: _decorate,
        Op.GROUP_MEMBER_DECORATE: _decorate,
        Op.RETURN_VALUE: _return_value,
        Op.CONTROL_BARRIER: _control_barrier,
    }


def _misplaced(opcode: int, at: int, where: str) -> SpirvError:
    message = f"`{operation_name(opcode)}` stands {where}, where it must not"
    return SpirvError("spirv.misplaced-instruction", message, 4 * at)
