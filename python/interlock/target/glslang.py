"""A compiler for Vulkan: kernels in GLSL become SPIR-V, through glslang's command-line program.

The interface of every module is read from the bytes that were emitted, never from what the source or the
package says; both are held against it. See ``docs/compiling.md``.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from execgraph.v1 import blob_pb2, profile_pb2
from interlock.errors import InterlockError
from interlock.graph.realization import Dispatches
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.package.spirv.reader import read_spirv
from interlock.package.tool_run import run_tool
from interlock.target.code_rules import require_code_fits
from interlock.target.compiler import CompileOptions, compile_launch_groups
from interlock.target.emitted_code import Launch
from interlock.target.errors import EmissionError, UnsupportedError
from interlock.target.groups import indexed
from interlock.target.lowering import EmittedModule, TypedBytes
from interlock.target.sources import SOURCE_TARGET, choose_sources, included

if TYPE_CHECKING:
    from collections.abc import Mapping

    from execgraph.v1 import package_pb2
    from interlock.document import Document
    from interlock.package.spirv.reader import SpirvModule
    from interlock.target.compiler import KernelPackage
    from interlock.target.lowering import GroupLowering
    from interlock.target.sealed import SealedDocument

FORMAT: Final = ("vulkan-module", 1)
"""The format of the payloads: every module is SPIR-V for Vulkan."""
PROGRAM: Final = "glslangValidator"
SECONDS: Final = 60.0
"""How long one kernel may take."""

_ENTRY: Final = "main"
_SOURCE_TARGETS: Final = ("vulkan", "opengl")
_VERSION: Final = re.compile(r"^Glslang Version:\s*(?:\d+:)?((\d+)\.\d+\.\d+\S*)", re.MULTILINE)
_OLDEST: Final = 11
_VERSION_SECONDS: Final = 10.0
_PROFILE_VERSION: Final = re.compile(r"vulkan-1\.([0-4])(?:-|$)")
_NEWEST_ENVIRONMENT: Final = 3
"""The newest minor version of Vulkan that every glslang since 11 compiles for."""
_ROADMAPS: Final = {"vulkan-roadmap-2022": "vulkan1.3"}
_MODULE_BYTES: Final = 64 << 20


def environment_of(profile: profile_pb2.TargetProfile) -> str:
    """Return what a profile makes of glslang's option ``--target-env``, such as ``vulkan1.1``.

    The version stands in the names of the profiles that come along. SPIR-V for an older version runs on a
    newer one, so a profile of another name gets ``vulkan1.0``.
    """
    found = _PROFILE_VERSION.match(profile.identity)
    minor = min(int(found[1]), _NEWEST_ENVIRONMENT) if found is not None else 0
    return _ROADMAPS.get(profile.identity, f"vulkan1.{minor}")


@dataclass(frozen=True)
class GlslangCompiler:
    """Compiles kernels in GLSL to SPIR-V. It is a `TargetCompiler`.

    Attributes:
        profile: The profile to compile for; its target is ``vulkan``.
        program: The program, looked up on PATH, or its path.
        environment: The option ``--target-env``; empty for what `environment_of` says.
        variants: The names of the variants to compile, by artifact, where there are several sources.
        keep_sources: Whether modules keep the GLSL that they were made from as their semantic form.
        seconds: How long one kernel may take.
        limits: Bounds on what may be judged.
    """

    profile: profile_pb2.TargetProfile
    program: str = PROGRAM
    environment: str = ""
    variants: Mapping[str, str] = field(default_factory=dict)
    keep_sources: bool = False
    seconds: float = SECONDS
    limits: Limits = DEFAULT_LIMITS

    @property
    def format(self) -> blob_pb2.ContentType:
        """The format of every payload."""
        return blob_pb2.ContentType(identity=FORMAT[0], version=FORMAT[1])

    @cached_property
    def path(self) -> str:
        """The path of the program.

        Raises:
            EmissionError: ``compiler.missing-tool``.
        """
        found = shutil.which(self.program)
        if found is None:
            text = f"there is no program `{self.program}`; Debian has it in `glslang-tools`"
            raise EmissionError.of("compiler.missing-tool", text)
        return str(Path(found).absolute())

    @cached_property
    def version(self) -> str:
        """The version that the program states, such as ``12.0.0``.

        Raises:
            EmissionError: ``compiler.missing-tool`` or ``compiler.unknown-version``.
        """
        with tempfile.TemporaryDirectory(prefix="interlock-") as folder:
            done = run_tool([self.path, "--version"], folder, seconds=_VERSION_SECONDS)
        found = _VERSION.search(done.printed) if not done.stopped else None
        if found is None or int(found[2]) < _OLDEST:
            stated = "no version" if found is None else f"the version `{found[1]}`"
            text = f"`{self.program}` states {stated}; required is glslang {_OLDEST} or newer"
            raise EmissionError.of("compiler.unknown-version", text)
        return found[1]

    def compile(self, graph: Document, package: KernelPackage) -> SealedDocument:
        """Return the payload of a graph. The same input and the same program give the same bytes.

        Raises:
            UnsupportedError: ``compiler.wrong-target``.
            InvalidArtifactError: The graph or the package cannot be compiled as they are.
            EmissionError: The program is not there or failed, or what it made does not fit the graph: the
                codes ``compiler.*`` and ``emission.*``, and those of the rules on packages.
            PayloadError, BundleError: What came of it breaks a rule.
        """
        if self.profile.target != "vulkan":
            text = (
                f"glslang compiles for `vulkan`; the profile `{self.profile.identity}` is for "
                f"{self.profile.target}"
            )
            raise UnsupportedError.of("compiler.wrong-target", text)
        wanted = "GLSL (`glsl 1`, for `vulkan` or `opengl`)"
        dispatches = Dispatches(indexed(graph, self.limits))
        sources = choose_sources(graph, package, _rank, wanted, self.variants)
        modules: dict[str, bytes] = {}

        def emit(lowering: GroupLowering, profile: profile_pb2.TargetProfile) -> EmittedModule:
            launch = Launch(lowering, dispatches, sources.artifacts[lowering.programs[0].artifact])
            digest = launch.program.digest
            if digest not in modules:
                modules[digest] = self._compiled(launch)
            return self._emitted(launch, modules[digest], profile)

        options = CompileOptions(SOURCE_TARGET, producer=("glslang", self.version), limits=self.limits)
        payload = compile_launch_groups(graph, sources, self.format, self.profile, emit, options=options)
        require_code_fits(graph, payload, self.limits)
        return payload

    def _compiled(self, launch: Launch) -> bytes:
        """Return the SPIR-V of a kernel."""
        program = launch.program
        if program.target_entry != _ENTRY:
            text = f"GLSL has the one entry `{_ENTRY}`; the dispatch runs `{program.target_entry}`"
            launch.refuse("compiler.wrong-entry", text)
        directive = included(program.code.data)
        if directive:
            launch.refuse("compiler.include", f"the kernel `{program.artifact}` has `{directive}`")
        environment = self.environment or environment_of(self.profile)
        with tempfile.TemporaryDirectory(prefix="interlock-") as folder:
            Path(folder, "kernel.comp").write_bytes(program.code.data)
            # Names within the folder only: no path of this machine can reach the module or a message.
            arguments = ["-S", "comp", "--target-env", environment, "-o", "kernel.spv", "kernel.comp"]
            done = run_tool(
                [self.path, *arguments],
                folder,
                seconds=self.seconds,
                product="kernel.spv",
                product_bytes=min(_MODULE_BYTES, self.limits.blob_bytes),
            )
            product = Path(folder, "kernel.spv")
            if done.stopped == "timeout":
                text = f"`{self.program}` did not end within {self.seconds:g} seconds on `{program.artifact}`"
                launch.refuse("compiler.timeout", text)
            if done.stopped == "output":
                launch.refuse("compiler.output-too-large", f"`{self.program}` wrote more than may be read")
            if not done.ok:
                launch.refuse(*_failure(self.program, program.artifact, done.code, done.printed))
            if not product.is_file():
                launch.refuse("compiler.malformed-output", f"`{self.program}` wrote no module")
            return product.read_bytes()

    def _emitted(self, launch: Launch, code: bytes, profile: profile_pb2.TargetProfile) -> EmittedModule:
        module = self._read(launch, code)
        facts = module.facts()
        values = launch.check_constants(facts)
        slots = launch.slots(facts, _ENTRY, proven=True, placed=True)
        launch.check_capabilities(list(facts.interface.entries[0].required_capabilities), profile)
        source = launch.program.code if self.keep_sources else None
        return EmittedModule(
            _ENTRY,
            TypedBytes("spirv", 1, code),
            semantic=source,
            slots=slots,
            workgroup_size=module.workgroup_size(_ENTRY, values),
            static_shared_bytes=module.shared_bytes(_ENTRY, values),
        )

    def _read(self, launch: Launch, code: bytes) -> SpirvModule:
        try:
            return read_spirv(code)
        except InterlockError as error:
            said = error.diagnostics[0]
            text = f"what `{self.program}` wrote is no SPIR-V module: {said.message} (`{said.code}`)"
            launch.refuse("compiler.malformed-output", text)


def _rank(variant: package_pb2.Variant) -> int | None:
    kind = variant.content_type
    if (kind.identity, kind.version) != ("glsl", 1) or variant.target not in _SOURCE_TARGETS:
        return None
    return _SOURCE_TARGETS.index(variant.target)


def _failure(program: str, artifact: str, code: int, printed: str) -> tuple[str, str]:
    """Return the code and the sentence for a program that failed."""
    lines = [line.strip() for line in printed.splitlines()]
    said = [line for line in lines if line.startswith("ERROR:")] or [line for line in lines if line]
    said = [line for line in said if line != "kernel.comp"]
    if code < 0 or not said:
        tail = f": {lines[-1][:200]}" if lines and lines[-1] else ""
        return "compiler.crashed", f"`{program}` ended with the exit code {code} on `{artifact}`{tail}"
    first = said[0].removeprefix("ERROR:").strip().replace("kernel.comp", artifact)
    more = f" (and {len(said) - 1} more lines)" if len(said) > 1 else ""
    return "compiler.failed", f"`{program}` refuses `{artifact}`: {first[:400]}{more}"
