"""Compilers that translate kernels with CrossTL: to HLSL, MSL, GLSL and SPIR-V assembly.

CrossTL is an optional dependency, the extra ``crosstl``. It runs in a process of its own, so
that what it prints, how long it takes and what it allocates stays there. See ``docs/compiling.md``.
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from execgraph.v1 import blob_pb2, profile_pb2
from interlock.errors import InterlockError
from interlock.graph.realization import Dispatches
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.package.tool_run import run_tool
from interlock.target.compiler import CompileOptions, compile_launch_groups
from interlock.target.crosstl_facts import facts_of, with_source_names, workgroup_of
from interlock.target.emitted_code import Launch
from interlock.target.errors import EmissionError, UnsupportedError
from interlock.target.groups import indexed
from interlock.target.lowering import EmittedModule, TypedBytes
from interlock.target.sources import SOURCE_TARGET, choose_sources, included

if TYPE_CHECKING:
    from collections.abc import Mapping

    from execgraph.v1 import package_pb2
    from interlock.document import Document
    from interlock.package.facts import ModuleFacts
    from interlock.package.spirv.reader import SpirvModule
    from interlock.target.compiler import KernelPackage
    from interlock.target.lowering import GroupLowering
    from interlock.target.sealed import SealedDocument

ASSEMBLER: Final = "spirv-as"
SECONDS: Final = 120.0
"""How long one kernel may take."""

_WORKER: Final = Path(__file__).with_name("crosstl_worker.py")
_PRODUCT_BYTES: Final = 64 << 20
_RESULT_BYTES: Final = 16 << 20


class Output(NamedTuple):
    """What a translation for a target is: the format of payloads, the content type, the suffix of files.

    ``keeps_constants`` tells whether a runtime can set specialization constants of it. GLSL for OpenGL
    declares them for compilers to SPIR-V only, and HLSL has none.
    """

    format: str
    content_type: str
    suffix: str
    keeps_constants: bool


OUTPUTS: Final[Mapping[str, Output]] = {
    "directx": Output("directx-source", "hlsl", ".hlsl", keeps_constants=False),
    "metal": Output("metal-source", "msl", ".metal", keeps_constants=True),
    "opengl": Output("opengl-source", "glsl", ".comp", keeps_constants=False),
    "vulkan": Output("vulkan-assembly", "spirv-assembly", ".spvasm", keeps_constants=True),
}
"""The targets that are translated for."""


class _Language(NamedTuple):
    """What CrossTL calls a source language, and the suffix of its files."""

    name: str
    suffix: str


_LANGUAGES: Final[Mapping[str, _Language]] = {
    "crossgl": _Language("cgl", ".cgl"),
    "glsl": _Language("opengl", ".comp"),
    "hlsl": _Language("directx", ".hlsl"),
    "msl": _Language("metal", ".metal"),
    "cuda-source": _Language("cuda", ".cu"),
    "hip-source": _Language("hip", ".hip"),
    "spirv-assembly": _Language("vulkan", ".spvasm"),
}
"""The content types that are sources, the one that is preferred first."""


class _Translation(NamedTuple):
    """A translation: the text, the entry in it, what it takes, and what its source takes.

    ``module`` is the module that it is, where its bytes could be read; else the facts are what CrossTL says.
    """

    code: bytes
    entry: str
    facts: ModuleFacts
    source: ModuleFacts | None
    module: SpirvModule | None


@dataclass(frozen=True)
class CrosstlCompiler:
    """Translates kernels with CrossTL. It is a `TargetCompiler`.

    Attributes:
        profile: The profile to compile for; its target is one of `OUTPUTS`.
        variants: The names of the variants to compile, by artifact, where there are several sources.
        assembler: The program through which interfaces of SPIR-V assembly are read.
        keep_sources: Whether modules keep the source that they were made from as their semantic form.
        seconds: How long one kernel may take.
        limits: Bounds on what may be judged.
    """

    profile: profile_pb2.TargetProfile
    variants: Mapping[str, str] = field(default_factory=dict)
    assembler: str = ASSEMBLER
    keep_sources: bool = False
    seconds: float = SECONDS
    limits: Limits = DEFAULT_LIMITS

    @property
    def output(self) -> Output:
        """What translations are.

        Raises:
            UnsupportedError: ``compiler.wrong-target``.
        """
        found = OUTPUTS.get(self.profile.target)
        if found is None:
            known = ", ".join(f"`{each}`" for each in OUTPUTS)
            text = f"the profile `{self.profile.identity}` is for `{self.profile.target}`; there are {known}"
            raise UnsupportedError.of("compiler.wrong-target", text)
        return found

    @property
    def format(self) -> blob_pb2.ContentType:
        """The format of every payload.

        Raises:
            UnsupportedError: ``compiler.wrong-target``.
        """
        return blob_pb2.ContentType(identity=self.output.format, version=1)

    @cached_property
    def version(self) -> str:
        """The version of CrossTL.

        Raises:
            EmissionError: ``compiler.missing-library``.
        """
        from importlib import metadata  # noqa: PLC0415  (start-up)

        try:
            return metadata.version("crosstl")
        except metadata.PackageNotFoundError:
            text = "CrossTL is not installed; `pip install crosstl==3.4.0` installs it"
            raise EmissionError.of("compiler.missing-library", text) from None

    def compile(self, graph: Document, package: KernelPackage) -> SealedDocument:
        """Return the payload of a graph. The same input and the same CrossTL give the same bytes.

        Raises:
            UnsupportedError: ``compiler.wrong-target`` or ``compiler.constant-dropped``.
            InvalidArtifactError: The graph or the package cannot be compiled as they are.
            EmissionError: CrossTL is not there or failed, or what it made does not fit the graph: the codes
                ``compiler.*`` and ``emission.*``.
            PayloadError, BundleError: What came of it breaks a rule.
        """
        output = self.output
        wanted = f"a source that CrossTL reads ({', '.join(f'`{each} 1`' for each in _LANGUAGES)})"
        dispatches = Dispatches(indexed(graph, self.limits))
        sources = choose_sources(graph, package, _rank, wanted, self.variants)
        translations: dict[tuple[str, str], _Translation] = {}

        def emit(lowering: GroupLowering, profile: profile_pb2.TargetProfile) -> EmittedModule:
            launch = Launch(lowering, dispatches, sources.artifacts[lowering.programs[0].artifact])
            key = launch.program.digest, launch.program.target_entry
            if key not in translations:
                translations[key] = self._translated(launch, output)
            return self._emitted(launch, translations[key], output, profile)

        options = CompileOptions(SOURCE_TARGET, producer=("crosstl", self.version), limits=self.limits)
        return compile_launch_groups(graph, sources, self.format, self.profile, emit, options=options)

    def _translated(self, launch: Launch, output: Output) -> _Translation:
        program = launch.program
        language = _LANGUAGES[program.code.identity]
        directive = included(program.code.data)
        if directive:
            launch.refuse("compiler.include", f"the kernel `{program.artifact}` has `{directive}`")
        source, product = f"kernel{language.suffix}", f"translation{output.suffix}"
        with tempfile.TemporaryDirectory(prefix="interlock-") as folder:
            Path(folder, source).write_bytes(program.code.data)
            command = [sys.executable, "-s", "-P", str(_WORKER)]
            done = run_tool(
                [*command, source, language.name, self.profile.target, product, "result.json"],
                folder,
                seconds=self.seconds,
                product=product,
                product_bytes=min(_PRODUCT_BYTES, self.limits.blob_bytes),
                environment={"PYTHONHASHSEED": "0", "HOME": folder},
            )
            if done.stopped == "timeout":
                text = f"CrossTL did not end within {self.seconds:g} seconds on `{program.artifact}`"
                launch.refuse("compiler.timeout", text)
            if done.stopped == "output":
                launch.refuse("compiler.output-too-large", "CrossTL wrote more than may be read")
            said = _result(Path(folder, "result.json"))
            if not done.ok or said is None:
                last = (done.printed.strip().splitlines() or ["it said nothing"])[-1][:200]
                text = f"CrossTL ended with the exit code {done.code} on `{program.artifact}`: {last}"
                launch.refuse("compiler.crashed", text)
            if said.get("error") is not None:
                launch.refuse(
                    "compiler.failed", f"CrossTL refuses `{program.artifact}`: {said['error']}"[:600]
                )
            code = Path(folder, product).read_bytes()
        module = self._assembled(launch, code) if self.profile.target == "vulkan" else None
        facts = self._facts(launch, said) if module is None else module.facts()
        entry = self._entry(launch, facts)
        read = facts_of(said.get("source"), language.name)
        return _Translation(code, entry, with_source_names(facts, entry, read), read, module)

    def _facts(self, launch: Launch, said: Mapping[str, Any]) -> ModuleFacts:
        """Return what a translation takes, as CrossTL says."""
        found = facts_of(said.get("target"), self.profile.target)
        if found is None or not found.interface.entries:
            text = f"CrossTL does not say what its translation of `{launch.program.artifact}` takes"
            launch.refuse("compiler.malformed-output", text)
        return found

    def _assembled(self, launch: Launch, code: bytes) -> SpirvModule:
        """Return the module that a translation is, read through an assembler."""
        import shutil  # noqa: PLC0415
        from pathlib import Path  # noqa: PLC0415  (for this target only)

        from interlock.package.spirv.assembly import assemble  # noqa: PLC0415
        from interlock.package.spirv.errors import DEFAULT_SPIRV_LIMITS  # noqa: PLC0415
        from interlock.package.spirv.reader import read_spirv  # noqa: PLC0415

        found = shutil.which(self.assembler)
        if found is None:
            text = f"there is no program `{self.assembler}`, by which SPIR-V assembly is read"
            raise EmissionError.of("compiler.missing-tool", text)
        try:
            return read_spirv(assemble(code, str(Path(found).absolute()), DEFAULT_SPIRV_LIMITS))
        except InterlockError as error:
            said = error.diagnostics[0]
            text = f"what CrossTL wrote is no SPIR-V assembly: {said.message} (`{said.code}`)"
            launch.refuse("compiler.malformed-output", text)

    def _entry(self, launch: Launch, facts: ModuleFacts) -> str:
        """Return the name of the entry in a translation: the only one, or the one named as in the source."""
        names = [each.name for each in facts.interface.entries]
        wanted = launch.program.target_entry
        if len(names) == 1:
            return names[0]
        if wanted not in names:
            there = ", ".join(f"`{each}`" for each in names) or "none"
            text = f"the translation has no entry `{wanted}`; it has {there}"
            launch.refuse("compiler.missing-entry", text)
        return wanted

    def _emitted(
        self, launch: Launch, made: _Translation, output: Output, profile: profile_pb2.TargetProfile
    ) -> EmittedModule:
        values = _check_constants(launch, made, keeps_constants=output.keeps_constants)
        module = made.module
        slots = launch.slots(made.facts, made.entry, proven=module is not None, placed=False)
        entry = next(each for each in made.facts.interface.entries if each.name == made.entry)
        launch.check_capabilities(list(entry.required_capabilities), profile)
        size = workgroup_of(made.facts, made.entry)
        return EmittedModule(
            made.entry,
            TypedBytes(output.content_type, 1, made.code),
            semantic=launch.program.code if self.keep_sources else None,
            slots=slots,
            workgroup_size=size if module is None else module.workgroup_size(made.entry, values),
            static_shared_bytes=None if module is None else module.shared_bytes(made.entry, values),
        )


def _check_constants(
    launch: Launch, made: _Translation, *, keeps_constants: bool
) -> Mapping[int, int | bool]:
    """Return the values of constants by number; refuse constants that the translation does not have.

    One that it does not have, but whose value is the default in the source, makes no difference.

    Raises:
        UnsupportedError: ``compiler.constant-dropped``.
        EmissionError: ``compiler.constant-mismatch``.
    """
    constants = made.facts.interface.constants if keeps_constants else ()
    kept = {each.name for each in constants}
    numbers = {each.constant_id for each in constants if each.HasField("constant_id")}
    defaults = {
        each.name: each for each in (made.source.interface.constants if made.source is not None else ())
    }
    dropped = set()
    for each in launch.program.constants:
        if each.name in kept or (each.constant_id is not None and each.constant_id in numbers):
            continue
        known = defaults.get(each.name)
        if known is None or not known.HasField("default_value"):
            is_default = each.from_default  # the package says so, and nobody else says anything
        else:
            is_default = (known.default_value.element, known.default_value.bits) == (each.element, each.bits)
        if not is_default:
            dropped.add(each.name or str(each.constant_id))
    if dropped:
        names = ", ".join(f"`{each}`" for each in sorted(dropped))
        text = f"the translation has the default of {names}, where the dispatch has another value"
        launch.refuse("compiler.constant-dropped", text, kind=UnsupportedError)
    return launch.check_constants(made.facts) if kept else {}


def _rank(variant: package_pb2.Variant) -> int | None:
    kind = variant.content_type
    names = list(_LANGUAGES)
    return names.index(kind.identity) if kind.identity in names and kind.version == 1 else None


def _result(path: Path) -> dict[str, Any] | None:
    """Return what the worker said; None if it said nothing that can be used."""
    try:
        if path.stat().st_size > _RESULT_BYTES:
            return None
        said = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None
