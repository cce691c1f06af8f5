"""The cases of tests/conformance, and the implementations that answer them.

Every implementation is asked the same way: a `Request` of `execgraph.conformance.v1` in, a `Response` out.
Python is called directly, C++ over the pipe of `interlock-cpp conformance`.
"""

from __future__ import annotations

import os
import struct
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Self, cast

from google.protobuf import text_format

import execgraph_model.execgraph.v1 as model
from execgraph.conformance.v1 import conformance_pb2
from execgraph.v1 import envelope_pb2, graph_pb2, module_pb2, package_pb2, payload_pb2
from interlock.codec import Encoding, decode
from interlock.diagnostic import Evidence
from interlock.document import Document
from interlock.errors import CodecError, InterlockError
from interlock.limits import DEFAULT_LIMITS, Limits
from interlock.package.container import Container
from interlock.package.facts import ModuleFacts, Place
from interlock.rules.context import Context, Surroundings

if TYPE_CHECKING:
    from types import TracebackType

    from google.protobuf.message import Message

ROOT = Path(__file__).resolve().parent.parent
CONFORMANCE = ROOT / "tests" / "conformance"
GOLDEN_BINARY = "document.binpb"
GOLDEN_JSON = "document.json"
SOURCE = "document.txtpb"

ROOTS: tuple[type[Message], ...] = (
    graph_pb2.ExecutionGraph,
    package_pb2.Package,
    module_pb2.TargetModuleBundle,
    payload_pb2.TargetPayload,
    envelope_pb2.Envelope,
)

_ENCODINGS = {
    conformance_pb2.FORMAT_UNSPECIFIED: None,
    conformance_pb2.FORMAT_BINARY: Encoding.BINARY,
    conformance_pb2.FORMAT_JSON: Encoding.JSON,
    conformance_pb2.FORMAT_TEXT: Encoding.TEXT,
}

Answer = Callable[[conformance_pb2.Request], conformance_pb2.Response]


@dataclass(frozen=True, slots=True)
class Case:
    """One directory with a `case.txtpb`; its id is its path below tests/conformance."""

    id: str
    folder: Path
    proto: conformance_pb2.Case

    @property
    def kind(self) -> str:
        """What is asked: `encode`, `decode` or `verify`."""
        return self.proto.body.WhichOneof("kind") or ""

    def request(self) -> conformance_pb2.Request:
        """Return what a decode case asks."""
        case = self.proto.body.decode
        return conformance_pb2.Request(
            input=(self.folder / case.input).read_bytes(),
            format=case.format,
            canonicalize=case.canonicalize,
            expected_kind=case.expected_kind,
            limits=case.limits if case.HasField("limits") else None,
        )


def read_case(folder: Path) -> Case:
    """Read one case; everything `case.txtpb` says must be known to the schema."""
    proto = text_format.Parse((folder / "case.txtpb").read_text(encoding="utf-8"), conformance_pb2.Case())
    return Case(folder.relative_to(CONFORMANCE).as_posix(), folder, proto)


def walk(kind: str) -> list[Case]:
    """Return all cases of one kind, ordered by id."""
    return [read_case(path.parent) for path in sorted((CONFORMANCE / kind).rglob("case.txtpb"))]


def verified_document(case: Case) -> Document:
    """Return what a verify case judges. The graphs of a package that have no source lie beside it."""
    document = decode((case.folder / SOURCE).read_bytes(), encoding=Encoding.TEXT)
    package = document.message
    if not isinstance(package, package_pb2.Package):
        return document
    apart = [graph for graph in package.graphs if not graph.HasField("source")]
    for graph in apart:
        text = (case.folder / f"{graph.id}.graph.txtpb").read_bytes()
        graph.source.embedded = decode(
            text, encoding=Encoding.TEXT, root_message="execgraph.v1.ExecutionGraph"
        ).binary
    return Document.from_message(package) if apart else document


def surroundings_of(case: Case) -> Surroundings:
    """Return what the package of a verify case is judged against."""
    from interlock.package.blobs import folder_blobs  # noqa: PLC0415  (packages only)
    from interlock.package.paths import Root  # noqa: PLC0415  (as above)

    stated = case.proto.body.verify
    container = None
    if stated.in_container:
        declared: dict[str, tuple[ModuleFacts, ...]] = {}
        for facts in stated.facts:
            declared[facts.digest] = (*declared.get(facts.digest, ()), _module_facts(facts))
        blobs = folder_blobs(Root.at(case.folder), DEFAULT_LIMITS)
        container = Container("folder", case.id, None, blobs, declared)
    return Surroundings(container, set(stated.targets) or None)


def _module_facts(facts: conformance_pb2.StatedFacts) -> ModuleFacts:
    return ModuleFacts(
        facts.interface,
        Evidence(facts.evidence),
        facts.source,
        places={(each.entry, each.slot): Place(each.group, each.index, each.space) for each in facts.places},
        aliases={(each.entry, each.alias): each.slot for each in facts.aliases},
        is_complete=facts.is_complete,
        unknown={(each.entry, each.slot): each.reason for each in facts.unknown},
    )


def limits_of(proto: conformance_pb2.Limits) -> Limits:
    """Return the limits of reading that a request states."""
    return replace(DEFAULT_LIMITS, **{field.name: value for field, value in proto.ListFields()})


def answer_in_python(request: conformance_pb2.Request) -> conformance_pb2.Response:
    """Answer like a conformance tool, with the Python codec."""
    if request.format == conformance_pb2.FORMAT_FRAME:
        return _answer_frame(request)
    try:
        document = decode(
            request.input,
            encoding=_ENCODINGS[request.format],
            expected_kind=request.expected_kind or None,
            canonicalize=request.canonicalize,
            limits=limits_of(request.limits),
            root_message=request.root_message or None,
        )
    except CodecError as refusal:
        return refused(refusal)
    return conformance_pb2.Response(document=_encoded(document))


def _answer_frame(request: conformance_pb2.Request) -> conformance_pb2.Response:
    """Read a frame with all rules, and write it anew."""
    from interlock.target.sealed import decode_sealed  # noqa: PLC0415  (frames only)

    try:
        sealed = decode_sealed(
            request.input, kind=request.expected_kind or None, limits=limits_of(request.limits)
        )
    except InterlockError as refusal:
        return refused(refusal)
    encoded = _encoded(sealed.document)
    encoded.frame = sealed.binary()
    return conformance_pb2.Response(document=encoded)


def answer_without_rules(request: conformance_pb2.Request) -> conformance_pb2.Response:
    """Answer like a conformance tool that knows no rules, as that of C++ does.

    A frame is read in every step but that of the rules; anything else is read as ever.
    """
    answer = answer_in_python(request)
    if request.format != conformance_pb2.FORMAT_FRAME or answer.error.code not in _rule_codes():
        return answer
    from interlock.target.errors import FrameError  # noqa: PLC0415  (frames only)
    from interlock.target.frame import open_frame, split_blobs  # noqa: PLC0415  (as above)
    from interlock.target.sealed import references_of  # noqa: PLC0415  (as above)

    limits = limits_of(request.limits)
    frame = open_frame(request.input, request.expected_kind or None, limits)
    document = decode(frame.body, encoding=Encoding.BINARY, limits=limits)
    try:
        split_blobs(references_of(Context(document.message, document.kind, limits)), frame.rest, limits)
    except FrameError as refusal:
        return refused(refusal)
    encoded = _encoded(document)
    encoded.frame = request.input
    return conformance_pb2.Response(document=encoded)


@cache
def _rule_codes() -> frozenset[str]:
    """Return what frames are refused for by rules alone."""
    from interlock.rules import limit  # noqa: PLC0415  (as above)
    from interlock.target.judging import RULES  # noqa: PLC0415  (as above)

    codes = {rule.code for rule in (*limit.RULES, *RULES)}
    return frozenset(codes | {"limit.proof-work"}) - {"nested.digest-mismatch"}


def refused(refusal: InterlockError) -> conformance_pb2.Response:
    """Answer with the first thing that is wrong."""
    return conformance_pb2.Response(
        error=conformance_pb2.CodecError(
            code=refusal.code,
            path=str(refusal.path),
            byte_offset=refusal.byte_offset,
            message=refusal.diagnostics[0].message,
        )
    )


def _encoded(document: Document) -> conformance_pb2.EncodedDocument:
    return conformance_pb2.EncodedDocument(
        binary=document.binary,
        json=document.json(),
        digest=document.digest,
        semantic_digest=document.semantic_digest,
    )


def verdict(response: conformance_pb2.Response) -> conformance_pb2.Response:
    """Return a response without the sentence, in which implementations may differ."""
    copy = conformance_pb2.Response()
    copy.CopyFrom(response)
    if copy.HasField("error"):
        copy.error.ClearField("message")
    return copy


def cpp_tool() -> Path:
    """Return the path of `interlock-cpp`, wherever it should be."""
    named = os.environ.get("INTERLOCK_CPP")
    return (ROOT / named) if named else ROOT / "build" / "dev" / "bin" / "interlock-cpp"


class CppTool:
    """A running `interlock-cpp conformance`: a little-endian 32-bit length and a message each way."""

    def __init__(self, tool: Path) -> None:
        self._process = subprocess.Popen([tool, "conformance"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        # Pipes were asked for, so they are there.
        self._questions = cast("IO[bytes]", self._process.stdin)
        self._answers = cast("IO[bytes]", self._process.stdout)

    def __call__(self, request: conformance_pb2.Request) -> conformance_pb2.Response:
        """Answer one request.

        Raises:
            RuntimeError: The tool ended instead of answering.
        """
        body = request.SerializeToString()
        try:
            self._questions.write(struct.pack("<I", len(body)) + body)
            self._questions.flush()
            prefix = self._answers.read(4)
        except BrokenPipeError:
            prefix = b""
        if len(prefix) != 4:
            raise RuntimeError(f"interlock-cpp ended with exit code {self._process.wait()} on {request!r}")
        (length,) = struct.unpack("<I", prefix)
        return conformance_pb2.Response.FromString(self._answers.read(length))

    def kill(self) -> None:
        """End the tool, whatever it is doing."""
        self._process.kill()
        self._questions.close()
        self._answers.close()
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._questions.close()
        self._answers.close()
        self._process.wait()


def root_class(name: str) -> type[Message]:
    """Return the generated class of a root message, by its full name."""
    return next(root for root in ROOTS if root.DESCRIPTOR.full_name == name)


def encode_with_betterproto(name: str, binary: bytes) -> bytes:
    """Decode canonical binary with the betterproto2 classes and encode it again."""
    message = getattr(model, name.removeprefix("execgraph.v1."))
    return bytes(message.parse(binary))


def encode_with_buf(name: str, data: bytes, form: str) -> bytes:
    """Encode a document, given as `binpb`, `json` or `txtpb`, with `buf convert`; it needs no network."""
    done = subprocess.run(
        [
            ROOT / ".tools" / "venv" / "bin" / "buf",
            "convert",
            ROOT / "gen" / "descriptors" / "execgraph.binpb",
            f"--type={name}",
            f"--from=-#format={form}",
            "--to=-#format=binpb",
        ],
        input=data,
        stdout=subprocess.PIPE,
        check=True,
    )
    return done.stdout
