from execgraph.options.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Severity(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEVERITY_UNSPECIFIED: _ClassVar[Severity]
    SEVERITY_ERROR: _ClassVar[Severity]
    SEVERITY_WARNING: _ClassVar[Severity]
    SEVERITY_NOTE: _ClassVar[Severity]

class Verdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERDICT_UNSPECIFIED: _ClassVar[Verdict]
    VERDICT_SOUND: _ClassVar[Verdict]
    VERDICT_UNSOUND: _ClassVar[Verdict]
    VERDICT_UNVERIFIED: _ClassVar[Verdict]
    VERDICT_UNREADABLE: _ClassVar[Verdict]
    VERDICT_NOT_JUDGED: _ClassVar[Verdict]

class Outcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTCOME_UNSPECIFIED: _ClassVar[Outcome]
    OUTCOME_PASSED: _ClassVar[Outcome]
    OUTCOME_FAILED: _ClassVar[Outcome]
    OUTCOME_UNVERIFIED: _ClassVar[Outcome]
    OUTCOME_NOT_ASKED: _ClassVar[Outcome]

class Evidence(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVIDENCE_UNSPECIFIED: _ClassVar[Evidence]
    EVIDENCE_ASSERTED: _ClassVar[Evidence]
    EVIDENCE_DECLARED: _ClassVar[Evidence]
    EVIDENCE_PROVEN: _ClassVar[Evidence]

class Readiness(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    READINESS_UNSPECIFIED: _ClassVar[Readiness]
    READINESS_READY: _ClassVar[Readiness]
    READINESS_NOT_READY: _ClassVar[Readiness]
    READINESS_UNVERIFIED: _ClassVar[Readiness]
SEVERITY_UNSPECIFIED: Severity
SEVERITY_ERROR: Severity
SEVERITY_WARNING: Severity
SEVERITY_NOTE: Severity
VERDICT_UNSPECIFIED: Verdict
VERDICT_SOUND: Verdict
VERDICT_UNSOUND: Verdict
VERDICT_UNVERIFIED: Verdict
VERDICT_UNREADABLE: Verdict
VERDICT_NOT_JUDGED: Verdict
OUTCOME_UNSPECIFIED: Outcome
OUTCOME_PASSED: Outcome
OUTCOME_FAILED: Outcome
OUTCOME_UNVERIFIED: Outcome
OUTCOME_NOT_ASKED: Outcome
EVIDENCE_UNSPECIFIED: Evidence
EVIDENCE_ASSERTED: Evidence
EVIDENCE_DECLARED: Evidence
EVIDENCE_PROVEN: Evidence
READINESS_UNSPECIFIED: Readiness
READINESS_READY: Readiness
READINESS_NOT_READY: Readiness
READINESS_UNVERIFIED: Readiness

class ReportHeader(_message.Message):
    __slots__ = ("schema_major", "schema_minor", "tool", "tool_version", "rule_set")
    SCHEMA_MAJOR_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_MINOR_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    TOOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    schema_major: int
    schema_minor: int
    tool: str
    tool_version: str
    rule_set: int
    def __init__(self, schema_major: _Optional[int] = ..., schema_minor: _Optional[int] = ..., tool: _Optional[str] = ..., tool_version: _Optional[str] = ..., rule_set: _Optional[int] = ...) -> None: ...

class Subject(_message.Message):
    __slots__ = ("source", "kind", "id", "digest", "semantic_digest", "schema_version", "required_features")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    SEMANTIC_DIGEST_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_VERSION_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_FEATURES_FIELD_NUMBER: _ClassVar[int]
    source: str
    kind: str
    id: str
    digest: str
    semantic_digest: str
    schema_version: str
    required_features: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, source: _Optional[str] = ..., kind: _Optional[str] = ..., id: _Optional[str] = ..., digest: _Optional[str] = ..., semantic_digest: _Optional[str] = ..., schema_version: _Optional[str] = ..., required_features: _Optional[_Iterable[str]] = ...) -> None: ...

class PathElement(_message.Message):
    __slots__ = ("field", "element")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    ELEMENT_FIELD_NUMBER: _ClassVar[int]
    field: str
    element: ElementSelector
    def __init__(self, field: _Optional[str] = ..., element: _Optional[_Union[ElementSelector, _Mapping]] = ...) -> None: ...

class ElementSelector(_message.Message):
    __slots__ = ("index", "key")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    index: int
    key: str
    def __init__(self, index: _Optional[int] = ..., key: _Optional[str] = ...) -> None: ...

class NamedElement(_message.Message):
    __slots__ = ("id_space", "id")
    ID_SPACE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    id_space: str
    id: str
    def __init__(self, id_space: _Optional[str] = ..., id: _Optional[str] = ...) -> None: ...

class ByteSpan(_message.Message):
    __slots__ = ("allocation", "offset", "size", "upper_bound")
    ALLOCATION_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    UPPER_BOUND_FIELD_NUMBER: _ClassVar[int]
    allocation: str
    offset: int
    size: int
    upper_bound: bool
    def __init__(self, allocation: _Optional[str] = ..., offset: _Optional[int] = ..., size: _Optional[int] = ..., upper_bound: bool = ...) -> None: ...

class RelatedLocation(_message.Message):
    __slots__ = ("path", "path_elements", "message")
    PATH_FIELD_NUMBER: _ClassVar[int]
    PATH_ELEMENTS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    path: str
    path_elements: _containers.RepeatedCompositeFieldContainer[PathElement]
    message: str
    def __init__(self, path: _Optional[str] = ..., path_elements: _Optional[_Iterable[_Union[PathElement, _Mapping]]] = ..., message: _Optional[str] = ...) -> None: ...

class Fix(_message.Message):
    __slots__ = ("description", "dependencies", "statements")
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    DEPENDENCIES_FIELD_NUMBER: _ClassVar[int]
    STATEMENTS_FIELD_NUMBER: _ClassVar[int]
    description: str
    dependencies: _containers.RepeatedCompositeFieldContainer[AddedDependency]
    statements: _containers.RepeatedCompositeFieldContainer[AddedStatement]
    def __init__(self, description: _Optional[str] = ..., dependencies: _Optional[_Iterable[_Union[AddedDependency, _Mapping]]] = ..., statements: _Optional[_Iterable[_Union[AddedStatement, _Mapping]]] = ...) -> None: ...

class AddedDependency(_message.Message):
    __slots__ = ("node", "depends_on")
    NODE_FIELD_NUMBER: _ClassVar[int]
    DEPENDS_ON_FIELD_NUMBER: _ClassVar[int]
    node: str
    depends_on: str
    def __init__(self, node: _Optional[str] = ..., depends_on: _Optional[str] = ...) -> None: ...

class AddedStatement(_message.Message):
    __slots__ = ("node", "source", "resource", "available_from", "visible_to")
    NODE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_FIELD_NUMBER: _ClassVar[int]
    AVAILABLE_FROM_FIELD_NUMBER: _ClassVar[int]
    VISIBLE_TO_FIELD_NUMBER: _ClassVar[int]
    node: str
    source: str
    resource: str
    available_from: _containers.RepeatedScalarFieldContainer[str]
    visible_to: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, node: _Optional[str] = ..., source: _Optional[str] = ..., resource: _Optional[str] = ..., available_from: _Optional[_Iterable[str]] = ..., visible_to: _Optional[_Iterable[str]] = ...) -> None: ...

class Diagnostic(_message.Message):
    __slots__ = ("code", "severity", "path", "path_elements", "message", "elements", "bytes_concerned", "related", "fix", "byte_offset", "holds_under_assumption", "target")
    CODE_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    PATH_ELEMENTS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    ELEMENTS_FIELD_NUMBER: _ClassVar[int]
    BYTES_CONCERNED_FIELD_NUMBER: _ClassVar[int]
    RELATED_FIELD_NUMBER: _ClassVar[int]
    FIX_FIELD_NUMBER: _ClassVar[int]
    BYTE_OFFSET_FIELD_NUMBER: _ClassVar[int]
    HOLDS_UNDER_ASSUMPTION_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    code: str
    severity: Severity
    path: str
    path_elements: _containers.RepeatedCompositeFieldContainer[PathElement]
    message: str
    elements: _containers.RepeatedCompositeFieldContainer[NamedElement]
    bytes_concerned: _containers.RepeatedCompositeFieldContainer[ByteSpan]
    related: _containers.RepeatedCompositeFieldContainer[RelatedLocation]
    fix: Fix
    byte_offset: int
    holds_under_assumption: bool
    target: str
    def __init__(self, code: _Optional[str] = ..., severity: _Optional[_Union[Severity, str]] = ..., path: _Optional[str] = ..., path_elements: _Optional[_Iterable[_Union[PathElement, _Mapping]]] = ..., message: _Optional[str] = ..., elements: _Optional[_Iterable[_Union[NamedElement, _Mapping]]] = ..., bytes_concerned: _Optional[_Iterable[_Union[ByteSpan, _Mapping]]] = ..., related: _Optional[_Iterable[_Union[RelatedLocation, _Mapping]]] = ..., fix: _Optional[_Union[Fix, _Mapping]] = ..., byte_offset: _Optional[int] = ..., holds_under_assumption: bool = ..., target: _Optional[str] = ...) -> None: ...

class Assumption(_message.Message):
    __slots__ = ("code", "path", "path_elements", "message", "evidence", "target")
    CODE_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    PATH_ELEMENTS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    code: str
    path: str
    path_elements: _containers.RepeatedCompositeFieldContainer[PathElement]
    message: str
    evidence: Evidence
    target: str
    def __init__(self, code: _Optional[str] = ..., path: _Optional[str] = ..., path_elements: _Optional[_Iterable[_Union[PathElement, _Mapping]]] = ..., message: _Optional[str] = ..., evidence: _Optional[_Union[Evidence, str]] = ..., target: _Optional[str] = ...) -> None: ...

class Unverified(_message.Message):
    __slots__ = ("check", "reason", "path", "required", "target")
    CHECK_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    check: str
    reason: str
    path: str
    required: bool
    target: str
    def __init__(self, check: _Optional[str] = ..., reason: _Optional[str] = ..., path: _Optional[str] = ..., required: bool = ..., target: _Optional[str] = ...) -> None: ...

class RuleOutcome(_message.Message):
    __slots__ = ("code", "outcome", "findings")
    CODE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    code: str
    outcome: Outcome
    findings: int
    def __init__(self, code: _Optional[str] = ..., outcome: _Optional[_Union[Outcome, str]] = ..., findings: _Optional[int] = ...) -> None: ...

class TargetReadiness(_message.Message):
    __slots__ = ("graph", "target", "readiness", "reasons")
    GRAPH_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    READINESS_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    graph: str
    target: str
    readiness: Readiness
    reasons: _containers.RepeatedCompositeFieldContainer[Count]
    def __init__(self, graph: _Optional[str] = ..., target: _Optional[str] = ..., readiness: _Optional[_Union[Readiness, str]] = ..., reasons: _Optional[_Iterable[_Union[Count, _Mapping]]] = ...) -> None: ...

class Report(_message.Message):
    __slots__ = ("header", "subject", "verdict", "diagnostics", "assumptions", "unverified", "rules", "required_evidence", "readiness")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    DIAGNOSTICS_FIELD_NUMBER: _ClassVar[int]
    ASSUMPTIONS_FIELD_NUMBER: _ClassVar[int]
    UNVERIFIED_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    READINESS_FIELD_NUMBER: _ClassVar[int]
    header: ReportHeader
    subject: Subject
    verdict: Verdict
    diagnostics: _containers.RepeatedCompositeFieldContainer[Diagnostic]
    assumptions: _containers.RepeatedCompositeFieldContainer[Assumption]
    unverified: _containers.RepeatedCompositeFieldContainer[Unverified]
    rules: _containers.RepeatedCompositeFieldContainer[RuleOutcome]
    required_evidence: Evidence
    readiness: _containers.RepeatedCompositeFieldContainer[TargetReadiness]
    def __init__(self, header: _Optional[_Union[ReportHeader, _Mapping]] = ..., subject: _Optional[_Union[Subject, _Mapping]] = ..., verdict: _Optional[_Union[Verdict, str]] = ..., diagnostics: _Optional[_Iterable[_Union[Diagnostic, _Mapping]]] = ..., assumptions: _Optional[_Iterable[_Union[Assumption, _Mapping]]] = ..., unverified: _Optional[_Iterable[_Union[Unverified, _Mapping]]] = ..., rules: _Optional[_Iterable[_Union[RuleOutcome, _Mapping]]] = ..., required_evidence: _Optional[_Union[Evidence, str]] = ..., readiness: _Optional[_Iterable[_Union[TargetReadiness, _Mapping]]] = ...) -> None: ...

class Count(_message.Message):
    __slots__ = ("name", "count")
    NAME_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    name: str
    count: int
    def __init__(self, name: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...

class Inspection(_message.Message):
    __slots__ = ("elements", "nodes_by_kind", "resources_by_role", "capabilities", "maximum_node_executions", "diagnostics_by_code", "report")
    ELEMENTS_FIELD_NUMBER: _ClassVar[int]
    NODES_BY_KIND_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_BY_ROLE_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_NODE_EXECUTIONS_FIELD_NUMBER: _ClassVar[int]
    DIAGNOSTICS_BY_CODE_FIELD_NUMBER: _ClassVar[int]
    REPORT_FIELD_NUMBER: _ClassVar[int]
    elements: _containers.RepeatedCompositeFieldContainer[Count]
    nodes_by_kind: _containers.RepeatedCompositeFieldContainer[Count]
    resources_by_role: _containers.RepeatedCompositeFieldContainer[Count]
    capabilities: _containers.RepeatedScalarFieldContainer[str]
    maximum_node_executions: int
    diagnostics_by_code: _containers.RepeatedCompositeFieldContainer[Count]
    report: Report
    def __init__(self, elements: _Optional[_Iterable[_Union[Count, _Mapping]]] = ..., nodes_by_kind: _Optional[_Iterable[_Union[Count, _Mapping]]] = ..., resources_by_role: _Optional[_Iterable[_Union[Count, _Mapping]]] = ..., capabilities: _Optional[_Iterable[str]] = ..., maximum_node_executions: _Optional[int] = ..., diagnostics_by_code: _Optional[_Iterable[_Union[Count, _Mapping]]] = ..., report: _Optional[_Union[Report, _Mapping]] = ...) -> None: ...
