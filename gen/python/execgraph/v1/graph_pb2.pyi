from execgraph.options.v1 import options_pb2 as _options_pb2
from execgraph.v1 import header_pb2 as _header_pb2
from execgraph.v1 import node_pb2 as _node_pb2
from execgraph.v1 import provenance_pb2 as _provenance_pb2
from execgraph.v1 import resource_pb2 as _resource_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class VisibilityModel(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VISIBILITY_MODEL_UNSPECIFIED: _ClassVar[VisibilityModel]
    VISIBILITY_MODEL_EDGES_CARRY_ALL: _ClassVar[VisibilityModel]
VISIBILITY_MODEL_UNSPECIFIED: VisibilityModel
VISIBILITY_MODEL_EDGES_CARRY_ALL: VisibilityModel

class ExecutionGraph(_message.Message):
    __slots__ = ("header", "id", "parameters", "allocations", "resources", "views", "artifacts", "body", "visibility_model", "maximum_node_executions", "disjointness_assertions", "provenance")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    ALLOCATIONS_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    VIEWS_FIELD_NUMBER: _ClassVar[int]
    ARTIFACTS_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    VISIBILITY_MODEL_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_NODE_EXECUTIONS_FIELD_NUMBER: _ClassVar[int]
    DISJOINTNESS_ASSERTIONS_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    header: _header_pb2.Header
    id: str
    parameters: _containers.RepeatedCompositeFieldContainer[_resource_pb2.Parameter]
    allocations: _containers.RepeatedCompositeFieldContainer[_resource_pb2.Allocation]
    resources: _containers.RepeatedCompositeFieldContainer[_resource_pb2.Resource]
    views: _containers.RepeatedCompositeFieldContainer[_resource_pb2.View]
    artifacts: _containers.RepeatedCompositeFieldContainer[GraphArtifact]
    body: _node_pb2.Region
    visibility_model: VisibilityModel
    maximum_node_executions: int
    disjointness_assertions: _containers.RepeatedCompositeFieldContainer[DisjointnessAssertion]
    provenance: _provenance_pb2.Provenance
    def __init__(self, header: _Optional[_Union[_header_pb2.Header, _Mapping]] = ..., id: _Optional[str] = ..., parameters: _Optional[_Iterable[_Union[_resource_pb2.Parameter, _Mapping]]] = ..., allocations: _Optional[_Iterable[_Union[_resource_pb2.Allocation, _Mapping]]] = ..., resources: _Optional[_Iterable[_Union[_resource_pb2.Resource, _Mapping]]] = ..., views: _Optional[_Iterable[_Union[_resource_pb2.View, _Mapping]]] = ..., artifacts: _Optional[_Iterable[_Union[GraphArtifact, _Mapping]]] = ..., body: _Optional[_Union[_node_pb2.Region, _Mapping]] = ..., visibility_model: _Optional[_Union[VisibilityModel, str]] = ..., maximum_node_executions: _Optional[int] = ..., disjointness_assertions: _Optional[_Iterable[_Union[DisjointnessAssertion, _Mapping]]] = ..., provenance: _Optional[_Union[_provenance_pb2.Provenance, _Mapping]] = ...) -> None: ...

class GraphArtifact(_message.Message):
    __slots__ = ("id", "pins", "provenance")
    ID_FIELD_NUMBER: _ClassVar[int]
    PINS_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    id: str
    pins: _containers.RepeatedCompositeFieldContainer[ArtifactPin]
    provenance: _provenance_pb2.Provenance
    def __init__(self, id: _Optional[str] = ..., pins: _Optional[_Iterable[_Union[ArtifactPin, _Mapping]]] = ..., provenance: _Optional[_Union[_provenance_pb2.Provenance, _Mapping]] = ...) -> None: ...

class ArtifactPin(_message.Message):
    __slots__ = ("target", "digest", "size")
    TARGET_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    target: str
    digest: str
    size: int
    def __init__(self, target: _Optional[str] = ..., digest: _Optional[str] = ..., size: _Optional[int] = ...) -> None: ...

class DisjointnessAssertion(_message.Message):
    __slots__ = ("first", "second", "justification")
    FIRST_FIELD_NUMBER: _ClassVar[int]
    SECOND_FIELD_NUMBER: _ClassVar[int]
    JUSTIFICATION_FIELD_NUMBER: _ClassVar[int]
    first: AccessReference
    second: AccessReference
    justification: str
    def __init__(self, first: _Optional[_Union[AccessReference, _Mapping]] = ..., second: _Optional[_Union[AccessReference, _Mapping]] = ..., justification: _Optional[str] = ...) -> None: ...

class AccessReference(_message.Message):
    __slots__ = ("node", "slot")
    NODE_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    node: str
    slot: str
    def __init__(self, node: _Optional[str] = ..., slot: _Optional[str] = ...) -> None: ...
