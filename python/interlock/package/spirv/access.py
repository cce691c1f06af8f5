"""What the functions that an entry point reaches do to each variable: through pointers, calls and images.

A pointer leads to *roots*: variables of the module, parameters of its function, or one of two pseudo roots.
Each function has a summary of what it does to its roots; a call maps the parameters of the callee to what
its arguments lead to. Callees come first; where functions call each other in a circle, summaries are
repeated until they no longer grow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from interlock.package.spirv.checks import wrong_kind
from interlock.package.spirv.effects import (
    ATOMIC_READ,
    ATOMIC_WRITE,
    FLAG,
    LOST,
    MENTIONED,
    READ,
    WRITE,
    Summary,
    TooMuchWorkError,
)
from interlock.package.spirv.errors import SpirvError
from interlock.package.spirv.grammar import operation_name
from interlock.package.spirv.pointers import EMPTY, PHYSICAL, UNKNOWN, Pointers, Roots
from interlock.package.spirv.shapes import ATOMICS, IMAGE_READS, Op
from interlock.package.spirv.types import OPAQUE, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from interlock.package.spirv.scan import Function, Scan


class Access:
    """The summaries of all functions that entry points reach."""

    def __init__(self, scan: Scan) -> None:
        self._scan = scan
        self._words = scan.words
        self._left = scan.limits.least_access_steps + scan.limits.access_steps_per_word * len(scan.words)
        self._pointers = Pointers(scan, self._spend)
        self._roots = self._pointers.roots
        self._summaries: dict[int, Summary] = {}
        self._positions = {
            parameter: place
            for function in scan.functions.values()
            for place, parameter in enumerate(function.parameters)
            if parameter
        }
        self.initial: dict[int, str] = {
            variable.initializer: "a variable is initialized with its address"
            for variable in scan.variables.values()
            if variable.initializer in scan.variables
        }
        """Variables whose address is in memory before any function runs, with the reason."""
        self.is_exhausted = False
        """Whether the work went beyond the limit; then nothing is known about any access."""
        try:
            self._run()
            for entry in scan.entries:  # several can share what is known of one function, and its modes
                self._spend(self.of(entry.function).weight() + len(scan.modes.get(entry.function, ())))
        except TooMuchWorkError:
            self.is_exhausted = True
            self._summaries.clear()

    def of(self, function: int) -> Summary:
        """Return the summary of the function of an entry point."""
        return self._summaries.get(function, Summary())

    def _run(self) -> None:
        order, is_recursive = self._order({entry.function: None for entry in self._scan.entries})
        before: list[int] = []
        while True:
            for function in order:
                self._summarize(function)
            sizes = [summary.size() for summary in self._summaries.values()]
            after = [sum(column) for column in zip(*sizes, strict=True)]
            if not is_recursive or after == before:
                return
            self._spend(after[1])
            before = after

    def _order(self, starts: Iterable[int]) -> tuple[list[Function], bool]:
        """Return the functions that are reached, callees first, and whether calls form a circle."""
        functions = self._scan.functions
        order: list[Function] = []
        state: dict[int, int] = {}
        is_recursive = False
        waiting = [(start, False) for start in starts]
        while waiting:
            ident, is_done = waiting.pop()
            if is_done:
                state[ident] = 2
                order.append(functions[ident])
                continue
            if ident in state:
                continue
            state[ident] = 1
            waiting.append((ident, True))
            for callee in self._callees(functions[ident]):
                if callee not in state:
                    waiting.append((callee, False))
                elif state[callee] == 1:
                    is_recursive = True
        return order, is_recursive

    def _callees(self, function: Function) -> list[int]:
        words, functions = self._words, self._scan.functions
        calls = [at for at in function.body if words[at] & 0xFFFF == Op.FUNCTION_CALL]
        for at in calls:
            if words[at + 3] not in functions:
                raise wrong_kind(words, at, words[at + 3], "a function")
        # Some instructions of extensions take a function and call it.
        named = sorted(each for each in (*function.plain, *function.strange) if each in functions)
        return list(dict.fromkeys([*(words[at + 3] for at in calls), *named]))

    # One function.

    def _summarize(self, function: Function) -> None:
        summary = self._summaries.setdefault(function.id, Summary())
        summary.is_grouped |= function.is_grouped
        pointers = self._pointers
        for parameter in function.parameters:
            if parameter:
                self._roots.setdefault(parameter, frozenset((parameter,)))
        words = self._words
        pointers.is_patient = True
        has_waited = False
        while True:
            pointers.has_grown = pointers.is_waiting = False
            self._spend(len(function.body))
            for at in function.body:
                self._STEPS[words[at] & 0xFFFF](self, summary, at)
            has_waited |= pointers.is_waiting
            if has_waited and not pointers.has_grown:
                # Whatever is still waited for is made by an instruction that is not followed.
                if not pointers.is_patient:
                    break
                pointers.is_patient = False
            elif not has_waited:
                break
        if function.is_open:
            self._touch(summary, frozenset((UNKNOWN,)), READ | WRITE)
        self._others(function, summary)

    def _spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise TooMuchWorkError

    def _others(self, function: Function, summary: Summary) -> None:
        """Take the instructions that do not have to do with memory, as far as pointers stand in them."""
        self._spend(len(function.plain) + len(function.used) + len(function.strange))
        roots, functions, variables = self._roots, self._scan.functions, self._scan.variables
        lost = [each for each in function.plain if roots.get(each)]
        if lost:
            names = self._pointers.users(function, lost)
            for each in lost:
                self._lose(
                    summary, roots[each], f"`{names.get(each, 'an instruction')}` computes with its address"
                )
        for each, at in function.strange.items():
            name = operation_name(self._words[at] & 0xFFFF)
            if roots.get(each):
                self._lose(summary, roots[each], f"an unknown instruction, {name}, may use it")
        for each in (*function.plain, *function.strange):
            if each in functions and each in self._summaries:
                self._merge(summary, self._summaries[each], ())
        effects = summary.effects
        for ids in (function.plain, function.used, function.strange):
            for each in ids:
                if each in variables:
                    effects[each] = effects.get(each, 0) | MENTIONED

    def _touch(self, summary: Summary, roots: Roots, bits: int) -> None:
        effects = summary.effects
        if len(roots) > 1:
            self._spend(len(roots))
        for root in roots:
            effects[root] = effects.get(root, 0) | bits

    def _lose(self, summary: Summary, roots: Roots, reason: str) -> None:
        self._spend(len(roots))
        for root in roots:
            if root not in (PHYSICAL, UNKNOWN):
                summary.effects[root] = summary.effects.get(root, 0) | LOST
                summary.reasons.setdefault(root, reason)

    # Instructions.

    def _pointer_of(self, place: int, at: int) -> Roots:
        return self._pointers.of(self._words[place], at)

    def _leads(self, ident: int, at: int) -> Roots:
        known = self._roots.get(ident)
        return self._pointers.awaited(ident, at) if known is None else known

    def _load(self, summary: Summary, at: int) -> None:
        words = self._words
        roots = self._pointer_of(at + 3, at)
        if words[at + 1] not in self._scan.types.pointerish:
            if roots:
                self._touch(summary, roots, READ)
                if words[at + 1] in self._scan.types.aggregates:
                    self._lose(summary, roots, "`OpLoad` loads it as part of an aggregate")
            return
        kind = self._scan.types.get(words[at + 1]).kind
        if kind in OPAQUE:
            # What is loaded is a handle: whoever uses it accesses the image behind it.
            self._pointers.put(words[at + 2], roots)
            if kind == Kind.OTHER:
                self._touch(summary, roots, READ)
            return
        self._touch(summary, roots, READ)
        # Whatever stored a logical pointer has lost its roots, so that nothing is left to know about it.
        self._pointers.put(words[at + 2], self._pointers.from_memory(words[at + 1]))

    def _store(self, summary: Summary, at: int) -> None:
        self._touch(summary, self._pointer_of(at + 1, at), WRITE)
        stored = self._roots.get(self._words[at + 2])
        if stored:
            self._lose(
                summary, stored, f"`{operation_name(self._words[at] & 0xFFFF)}` stores its address in memory"
            )

    def _copy_memory(self, summary: Summary, at: int) -> None:
        self._touch(summary, self._pointer_of(at + 1, at), WRITE)
        self._touch(summary, self._pointer_of(at + 2, at), READ)

    def _chain(self, _: Summary, at: int) -> None:
        self._pointers.put(self._words[at + 2], self._pointer_of(at + 3, at))

    def _untyped_chain(self, _: Summary, at: int) -> None:
        self._pointers.put(self._words[at + 2], self._pointer_of(at + 4, at))

    def _sampled_image(self, _: Summary, at: int) -> None:
        self._pointers.put_new(
            self._words[at + 2], self._pointer_of(at + 3, at) | self._pointer_of(at + 4, at)
        )

    def _image_read(self, summary: Summary, at: int) -> None:
        self._touch(summary, self._pointer_of(at + 3, at), READ)

    def _image_write(self, summary: Summary, at: int) -> None:
        self._touch(summary, self._pointer_of(at + 1, at), WRITE)

    def _atomic(self, summary: Summary, at: int) -> None:
        words = self._words
        opcode = words[at] & 0xFFFF
        summary.is_updating |= opcode != Op.ATOMIC_LOAD
        if opcode == Op.ATOMIC_STORE:
            self._touch(summary, self._pointer_of(at + 1, at), ATOMIC_WRITE)
            summary.atomics.add(self._pointers.type_of(words[at + 4]))
        elif opcode == Op.ATOMIC_FLAG_CLEAR:
            self._touch(summary, self._pointer_of(at + 1, at), ATOMIC_WRITE)
            summary.atomics.add(FLAG)
        elif opcode == Op.ATOMIC_LOAD:
            self._touch(summary, self._pointer_of(at + 3, at), ATOMIC_READ)
            summary.atomics.add(words[at + 1])
        else:
            self._touch(summary, self._pointer_of(at + 3, at), ATOMIC_READ | ATOMIC_WRITE)
            is_flag = self._scan.types.get(words[at + 1]).kind == Kind.BOOL
            summary.atomics.add(FLAG if is_flag else words[at + 1])

    def _join(self, _: Summary, at: int) -> None:
        """Take a selection or a phi of pointers: it leads wherever one of them leads."""
        words = self._words
        end = at + (words[at] >> 16)
        parts = words[at + 3 : end : 2] if words[at] & 0xFFFF == Op.PHI else words[at + 4 : end]
        found: set[int] = set()
        for part in parts:
            known = self._leads(part, at)
            self._spend(1 + len(known))
            found |= known
        self._pointers.put_new(words[at + 2], found)

    def _copy(self, _: Summary, at: int) -> None:
        words = self._words
        self._pointers.put(words[at + 2], self._leads(words[at + 3], at))

    def _made_from_integer(self, _: Summary, at: int) -> None:
        self._pointers.put(self._words[at + 2], self._pointers.from_integer(self._words[at + 1]))

    def _bitcast(self, summary: Summary, at: int) -> None:
        if self._roots.get(self._words[at + 3]) is None:
            self._made_from_integer(summary, at)
        else:
            self._copy(summary, at)

    def _nowhere(self, _: Summary, at: int) -> None:
        self._pointers.put(self._words[at + 2], EMPTY)

    def _variable(self, summary: Summary, at: int) -> None:
        words = self._words
        self._pointers.put(words[at + 2], EMPTY)
        for initializer in words[at + 4 : at + (words[at] >> 16)]:
            if self._roots.get(initializer):
                self._lose(summary, self._roots[initializer], "a variable is initialized with its address")

    def _returned(self, summary: Summary, at: int) -> None:
        known = self._leads(self._words[at + 1], at)
        self._spend(len(known))
        summary.returns |= known

    def _ext_inst(self, summary: Summary, at: int) -> None:
        if self._words[at] >> 16 < 7:
            message = "`OpExtInst` has no pointer to store its second result through, required is one"
            raise SpirvError("spirv.word-count", message, 4 * at)
        self._touch(summary, self._pointer_of(at + 6, at), WRITE)

    def _call(self, summary: Summary, at: int) -> None:
        words = self._words
        end = at + (words[at] >> 16)
        callee = self._scan.functions[words[at + 3]]
        arguments = words[at + 4 : end]
        if len(arguments) != len(callee.parameters):
            message = (
                f"`OpFunctionCall` has {len(arguments)} arguments, function %{callee.id} takes "
                f"{len(callee.parameters)}"
            )
            raise SpirvError("spirv.word-count", message, 4 * at)
        known = self._summaries.get(callee.id) or Summary()
        leads = tuple(
            self._leads(each, at) if parameter else EMPTY
            for each, parameter in zip(arguments, callee.parameters, strict=True)
        )
        self._merge(summary, known, leads)
        if words[at + 1] in self._scan.types.pointerish:
            found: set[int] = set()
            for root in known.returns:
                mapped = self._mapped(root, leads)
                self._spend(1 + len(mapped))
                found |= mapped
            self._pointers.put_new(words[at + 2], found)

    def _mapped(self, root: int, leads: tuple[Roots, ...]) -> Roots:
        place = self._positions.get(root)
        if place is None:
            return frozenset((root,))
        return leads[place] if place < len(leads) else EMPTY

    def _merge(self, summary: Summary, callee: Summary, leads: tuple[Roots, ...]) -> None:
        """Take what a callee does; its parameters lead to the roots given by position."""
        effects = summary.effects
        self._spend(callee.weight())
        for root, bits in list(callee.effects.items()):
            if root in self._positions:
                targets = self._mapped(root, leads)
                self._touch(summary, targets, bits & ~LOST)
                if bits & LOST:
                    self._lose(summary, targets, callee.reasons[root])
            else:
                effects[root] = effects.get(root, 0) | bits
                if bits & LOST:
                    summary.reasons.setdefault(root, callee.reasons[root])
        summary.atomics |= callee.atomics
        summary.is_updating |= callee.is_updating
        summary.is_grouped |= callee.is_grouped

    _STEPS: ClassVar[Mapping[int, Callable[[Access, Summary, int], None]]] = {
        **dict.fromkeys(ATOMICS, _atomic),
        **dict.fromkeys(IMAGE_READS, _image_read),
        Op.IMAGE_WRITE: _image_write,
        Op.FUNCTION_CALL: _call,
        Op.LOAD: _load,
        Op.STORE: _store,
        Op.COPY_MEMORY: _copy_memory,
        Op.COPY_MEMORY_SIZED: _copy_memory,
        Op.ACCESS_CHAIN: _chain,
        Op.IN_BOUNDS_ACCESS_CHAIN: _chain,
        Op.PTR_ACCESS_CHAIN: _chain,
        Op.IN_BOUNDS_PTR_ACCESS_CHAIN: _chain,
        Op.RAW_ACCESS_CHAIN: _chain,
        Op.IMAGE_TEXEL_POINTER: _chain,
        Op.IMAGE: _chain,
        Op.UNTYPED_ACCESS_CHAIN: _untyped_chain,
        Op.UNTYPED_IN_BOUNDS_ACCESS_CHAIN: _untyped_chain,
        Op.UNTYPED_PTR_ACCESS_CHAIN: _untyped_chain,
        Op.UNTYPED_IN_BOUNDS_PTR_ACCESS_CHAIN: _untyped_chain,
        Op.SAMPLED_IMAGE: _sampled_image,
        Op.SELECT: _join,
        Op.PHI: _join,
        Op.COPY_OBJECT: _copy,
        Op.BITCAST: _bitcast,
        Op.CONVERT_U_TO_PTR: _made_from_integer,
        Op.UNDEF: _nowhere,
        Op.CONSTANT_NULL: _nowhere,
        Op.VARIABLE: _variable,
        Op.UNTYPED_VARIABLE: _variable,
        Op.RETURN_VALUE: _returned,
        Op.EXT_INST: _ext_inst,
        Op.COOPERATIVE_MATRIX_LOAD: _image_read,
        Op.COOPERATIVE_MATRIX_LOAD_NV: _image_read,
        Op.COOPERATIVE_MATRIX_STORE: _store,
        Op.COOPERATIVE_MATRIX_STORE_NV: _store,
    }
