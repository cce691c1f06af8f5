from execgraph.options.v1 import options_pb2 as _options_pb2
from execgraph.report.v1 import report_pb2 as _report_pb2
from execgraph.v1 import interface_pb2 as _interface_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Format(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FORMAT_UNSPECIFIED: _ClassVar[Format]
    FORMAT_BINARY: _ClassVar[Format]
    FORMAT_JSON: _ClassVar[Format]
    FORMAT_TEXT: _ClassVar[Format]
    FORMAT_FRAME: _ClassVar[Format]
FORMAT_UNSPECIFIED: Format
FORMAT_BINARY: Format
FORMAT_JSON: Format
FORMAT_TEXT: Format
FORMAT_FRAME: Format

class Case(_message.Message):
    __slots__ = ("description", "body")
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    description: str
    body: CaseBody
    def __init__(self, description: _Optional[str] = ..., body: _Optional[_Union[CaseBody, _Mapping]] = ...) -> None: ...

class CaseBody(_message.Message):
    __slots__ = ("encode", "decode", "verify")
    ENCODE_FIELD_NUMBER: _ClassVar[int]
    DECODE_FIELD_NUMBER: _ClassVar[int]
    VERIFY_FIELD_NUMBER: _ClassVar[int]
    encode: EncodeCase
    decode: DecodeCase
    verify: VerifyCase
    def __init__(self, encode: _Optional[_Union[EncodeCase, _Mapping]] = ..., decode: _Optional[_Union[DecodeCase, _Mapping]] = ..., verify: _Optional[_Union[VerifyCase, _Mapping]] = ...) -> None: ...

class EncodeCase(_message.Message):
    __slots__ = ("root_message", "digest", "semantic_digest")
    ROOT_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    SEMANTIC_DIGEST_FIELD_NUMBER: _ClassVar[int]
    root_message: str
    digest: str
    semantic_digest: str
    def __init__(self, root_message: _Optional[str] = ..., digest: _Optional[str] = ..., semantic_digest: _Optional[str] = ...) -> None: ...

class DecodeCase(_message.Message):
    __slots__ = ("input", "format", "expectation", "canonicalize", "limits", "expected_kind")
    INPUT_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    EXPECTATION_FIELD_NUMBER: _ClassVar[int]
    CANONICALIZE_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_KIND_FIELD_NUMBER: _ClassVar[int]
    input: str
    format: Format
    expectation: Expectation
    canonicalize: bool
    limits: Limits
    expected_kind: str
    def __init__(self, input: _Optional[str] = ..., format: _Optional[_Union[Format, str]] = ..., expectation: _Optional[_Union[Expectation, _Mapping]] = ..., canonicalize: bool = ..., limits: _Optional[_Union[Limits, _Mapping]] = ..., expected_kind: _Optional[str] = ...) -> None: ...

class Expectation(_message.Message):
    __slots__ = ("error", "digest")
    ERROR_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    error: CodecError
    digest: str
    def __init__(self, error: _Optional[_Union[CodecError, _Mapping]] = ..., digest: _Optional[str] = ...) -> None: ...

class CodecError(_message.Message):
    __slots__ = ("code", "path", "byte_offset", "message")
    CODE_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    BYTE_OFFSET_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    code: str
    path: str
    byte_offset: int
    message: str
    def __init__(self, code: _Optional[str] = ..., path: _Optional[str] = ..., byte_offset: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...

class Limits(_message.Message):
    __slots__ = ("document_bytes", "message_depth", "json_depth", "string_bytes", "repeated_elements", "frame_bytes", "blob_bytes")
    DOCUMENT_BYTES_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_DEPTH_FIELD_NUMBER: _ClassVar[int]
    JSON_DEPTH_FIELD_NUMBER: _ClassVar[int]
    STRING_BYTES_FIELD_NUMBER: _ClassVar[int]
    REPEATED_ELEMENTS_FIELD_NUMBER: _ClassVar[int]
    FRAME_BYTES_FIELD_NUMBER: _ClassVar[int]
    BLOB_BYTES_FIELD_NUMBER: _ClassVar[int]
    document_bytes: int
    message_depth: int
    json_depth: int
    string_bytes: int
    repeated_elements: int
    frame_bytes: int
    blob_bytes: int
    def __init__(self, document_bytes: _Optional[int] = ..., message_depth: _Optional[int] = ..., json_depth: _Optional[int] = ..., string_bytes: _Optional[int] = ..., repeated_elements: _Optional[int] = ..., frame_bytes: _Optional[int] = ..., blob_bytes: _Optional[int] = ...) -> None: ...

class VerifyCase(_message.Message):
    __slots__ = ("verdict", "diagnostics", "offered", "limits", "passes", "unverified", "assumptions", "in_container", "targets", "readiness", "facts")
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    DIAGNOSTICS_FIELD_NUMBER: _ClassVar[int]
    OFFERED_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    PASSES_FIELD_NUMBER: _ClassVar[int]
    UNVERIFIED_FIELD_NUMBER: _ClassVar[int]
    ASSUMPTIONS_FIELD_NUMBER: _ClassVar[int]
    IN_CONTAINER_FIELD_NUMBER: _ClassVar[int]
    TARGETS_FIELD_NUMBER: _ClassVar[int]
    READINESS_FIELD_NUMBER: _ClassVar[int]
    FACTS_FIELD_NUMBER: _ClassVar[int]
    verdict: _report_pb2.Verdict
    diagnostics: _containers.RepeatedCompositeFieldContainer[ExpectedDiagnostic]
    offered: OfferedCapabilities
    limits: _containers.RepeatedCompositeFieldContainer[LimitOverride]
    passes: _containers.RepeatedScalarFieldContainer[str]
    unverified: _containers.RepeatedCompositeFieldContainer[ExpectedGap]
    assumptions: ExpectedAssumptions
    in_container: bool
    targets: _containers.RepeatedScalarFieldContainer[str]
    readiness: _containers.RepeatedCompositeFieldContainer[ExpectedReadiness]
    facts: _containers.RepeatedCompositeFieldContainer[StatedFacts]
    def __init__(self, verdict: _Optional[_Union[_report_pb2.Verdict, str]] = ..., diagnostics: _Optional[_Iterable[_Union[ExpectedDiagnostic, _Mapping]]] = ..., offered: _Optional[_Union[OfferedCapabilities, _Mapping]] = ..., limits: _Optional[_Iterable[_Union[LimitOverride, _Mapping]]] = ..., passes: _Optional[_Iterable[str]] = ..., unverified: _Optional[_Iterable[_Union[ExpectedGap, _Mapping]]] = ..., assumptions: _Optional[_Union[ExpectedAssumptions, _Mapping]] = ..., in_container: bool = ..., targets: _Optional[_Iterable[str]] = ..., readiness: _Optional[_Iterable[_Union[ExpectedReadiness, _Mapping]]] = ..., facts: _Optional[_Iterable[_Union[StatedFacts, _Mapping]]] = ...) -> None: ...

class StatedFacts(_message.Message):
    __slots__ = ("digest", "evidence", "source", "interface", "is_complete", "places", "aliases", "unknown")
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    INTERFACE_FIELD_NUMBER: _ClassVar[int]
    IS_COMPLETE_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    ALIASES_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_FIELD_NUMBER: _ClassVar[int]
    digest: str
    evidence: _interface_pb2.Evidence
    source: str
    interface: _interface_pb2.Interface
    is_complete: bool
    places: _containers.RepeatedCompositeFieldContainer[StatedPlace]
    aliases: _containers.RepeatedCompositeFieldContainer[StatedAlias]
    unknown: _containers.RepeatedCompositeFieldContainer[StatedUnknown]
    def __init__(self, digest: _Optional[str] = ..., evidence: _Optional[_Union[_interface_pb2.Evidence, str]] = ..., source: _Optional[str] = ..., interface: _Optional[_Union[_interface_pb2.Interface, _Mapping]] = ..., is_complete: bool = ..., places: _Optional[_Iterable[_Union[StatedPlace, _Mapping]]] = ..., aliases: _Optional[_Iterable[_Union[StatedAlias, _Mapping]]] = ..., unknown: _Optional[_Iterable[_Union[StatedUnknown, _Mapping]]] = ...) -> None: ...

class StatedPlace(_message.Message):
    __slots__ = ("entry", "slot", "group", "index", "space")
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    SPACE_FIELD_NUMBER: _ClassVar[int]
    entry: str
    slot: str
    group: int
    index: int
    space: str
    def __init__(self, entry: _Optional[str] = ..., slot: _Optional[str] = ..., group: _Optional[int] = ..., index: _Optional[int] = ..., space: _Optional[str] = ...) -> None: ...

class StatedAlias(_message.Message):
    __slots__ = ("entry", "alias", "slot")
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    ALIAS_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    entry: str
    alias: str
    slot: str
    def __init__(self, entry: _Optional[str] = ..., alias: _Optional[str] = ..., slot: _Optional[str] = ...) -> None: ...

class StatedUnknown(_message.Message):
    __slots__ = ("entry", "slot", "reason")
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    entry: str
    slot: str
    reason: str
    def __init__(self, entry: _Optional[str] = ..., slot: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class ExpectedReadiness(_message.Message):
    __slots__ = ("graph", "target", "readiness")
    GRAPH_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    READINESS_FIELD_NUMBER: _ClassVar[int]
    graph: str
    target: str
    readiness: _report_pb2.Readiness
    def __init__(self, graph: _Optional[str] = ..., target: _Optional[str] = ..., readiness: _Optional[_Union[_report_pb2.Readiness, str]] = ...) -> None: ...

class ExpectedGap(_message.Message):
    __slots__ = ("check", "path", "target")
    CHECK_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    check: str
    path: str
    target: str
    def __init__(self, check: _Optional[str] = ..., path: _Optional[str] = ..., target: _Optional[str] = ...) -> None: ...

class ExpectedAssumptions(_message.Message):
    __slots__ = ("codes",)
    CODES_FIELD_NUMBER: _ClassVar[int]
    codes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, codes: _Optional[_Iterable[str]] = ...) -> None: ...

class OfferedCapabilities(_message.Message):
    __slots__ = ("capabilities",)
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    capabilities: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, capabilities: _Optional[_Iterable[str]] = ...) -> None: ...

class LimitOverride(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: int
    def __init__(self, name: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...

class ExpectedDiagnostic(_message.Message):
    __slots__ = ("code", "severity", "path", "holds_under_assumption", "target")
    CODE_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    HOLDS_UNDER_ASSUMPTION_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    code: str
    severity: _report_pb2.Severity
    path: str
    holds_under_assumption: bool
    target: str
    def __init__(self, code: _Optional[str] = ..., severity: _Optional[_Union[_report_pb2.Severity, str]] = ..., path: _Optional[str] = ..., holds_under_assumption: bool = ..., target: _Optional[str] = ...) -> None: ...

class Request(_message.Message):
    __slots__ = ("input", "format", "root_message", "canonicalize", "limits", "expected_kind")
    INPUT_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    ROOT_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    CANONICALIZE_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_KIND_FIELD_NUMBER: _ClassVar[int]
    input: bytes
    format: Format
    root_message: str
    canonicalize: bool
    limits: Limits
    expected_kind: str
    def __init__(self, input: _Optional[bytes] = ..., format: _Optional[_Union[Format, str]] = ..., root_message: _Optional[str] = ..., canonicalize: bool = ..., limits: _Optional[_Union[Limits, _Mapping]] = ..., expected_kind: _Optional[str] = ...) -> None: ...

class Response(_message.Message):
    __slots__ = ("error", "document")
    ERROR_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    error: CodecError
    document: EncodedDocument
    def __init__(self, error: _Optional[_Union[CodecError, _Mapping]] = ..., document: _Optional[_Union[EncodedDocument, _Mapping]] = ...) -> None: ...

class EncodedDocument(_message.Message):
    __slots__ = ("binary", "json", "digest", "semantic_digest", "frame")
    BINARY_FIELD_NUMBER: _ClassVar[int]
    JSON_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    SEMANTIC_DIGEST_FIELD_NUMBER: _ClassVar[int]
    FRAME_FIELD_NUMBER: _ClassVar[int]
    binary: bytes
    json: bytes
    digest: str
    semantic_digest: str
    frame: bytes
    def __init__(self, binary: _Optional[bytes] = ..., json: _Optional[bytes] = ..., digest: _Optional[str] = ..., semantic_digest: _Optional[str] = ..., frame: _Optional[bytes] = ...) -> None: ...
