"""Applying a fix adds what it says, once, and refuses what does not fit."""

from __future__ import annotations

import pytest
from google.protobuf import text_format

from execgraph.v1 import graph_pb2, package_pb2
from interlock.diagnostic import AddedDependency, AddedStatement, Fix
from interlock.document import Document
from interlock.errors import TransformFailure
from interlock.report.catalogue import entry
from interlock.transform import apply_fix
from interlock.transform.codes import TRANSFORM_CODES

GRAPH = """
header { kind: DOCUMENT_KIND_EXECUTION_GRAPH schema_major: 1 required_features: "draft-1" }
id: "g"
resources { id: "t" role: RESOURCE_ROLE_STATE type { element: ELEMENT_TYPE_U32 } size { constant: 4 } }
body {
  nodes { id: "a" operation { barrier {} } }
  nodes { id: "b" depends_on: "a" operation { barrier {} } }
  nodes { id: "c" depends_on: "b" operation { barrier {} } }
  nodes {
    id: "loop"
    operation {
      repeat {
        trips { literal: 2 }
        maximum_trips: 2
        body {
          nodes {
            id: "if"
            operation {
              conditional {
                predicate {
                  source { resource: "t" }
                  comparison: COMPARISON_EQUAL
                  literal { element: ELEMENT_TYPE_U32 bits: "\\000\\000\\000\\000" }
                }
                then_region { nodes { id: "x" operation { barrier {} } } }
                else_region { nodes { id: "y" operation { barrier {} } } }
              }
            }
          }
        }
      }
    }
  }
}
maximum_node_executions: 10
"""
FROM, TO = ("USAGE_FILL WRITE",), ("USAGE_TRANSFER WRITE", "USAGE_TRANSFER READ")


def document() -> Document:
    return Document.from_message(text_format.Parse(GRAPH, graph_pb2.ExecutionGraph()))


def body(changed: Document) -> dict[str, object]:
    return {node.id: node for node in changed.message.body.nodes}


def statement(node: str, source: str, resource: str = "t", to: tuple[str, ...] = TO) -> AddedStatement:
    return AddedStatement(node, source, resource, FROM, to)


STATED = """
selections { resource: "t" }
available_from { usage: USAGE_FILL kind: ACCESS_KIND_WRITE }
visible_to { usage: USAGE_TRANSFER kind: ACCESS_KIND_READ }
visible_to { usage: USAGE_TRANSFER kind: ACCESS_KIND_WRITE }
"""


def test_a_dependency_with_a_statement_on_it():
    before = document()
    binary = before.binary
    fix = Fix("x", (AddedDependency("c", "a"),), (statement("c", "a"),))
    changed = apply_fix(before, fix)
    node = body(changed)["c"]
    assert list(node.depends_on) == ["a", "b"]
    assert [edge.source for edge in node.edge_visibility] == ["a"]
    (stated,) = node.edge_visibility[0].statements
    assert stated == text_format.Parse(STATED, type(stated)())
    assert before.binary == binary == Document.from_message(before.message).binary


def test_a_statement_on_an_edge_that_is_there():
    changed = apply_fix(document(), Fix("x", (), (statement("c", "b"),)))
    again = apply_fix(changed, Fix("x", (), (statement("c", "b", to=("USAGE_FILL READ",)),)))
    (edge,) = body(again)["c"].edge_visibility
    assert edge.source == "b"
    assert len(edge.statements) == 2


def test_a_carried_statement():
    changed = apply_fix(document(), Fix("x", (), (statement("loop", ""),)))
    (carried,) = body(changed)["loop"].operation.repeat.carried
    assert carried == text_format.Parse(STATED, type(carried)())


def test_what_is_there_is_not_added_twice():
    fix = Fix("x", (AddedDependency("c", "a"),), (statement("c", "a"), statement("loop", "")))
    once = apply_fix(document(), fix)
    assert apply_fix(once, fix).binary == once.binary
    turned = Fix("x", (), (statement("c", "a", to=TO[::-1] + TO),))
    assert apply_fix(once, turned).binary == once.binary


def test_a_fix_of_nothing_changes_nothing():
    assert apply_fix(document(), Fix("x")).binary == document().binary


@pytest.mark.parametrize(
    ("fix", "code", "path", "message"),
    [
        (
            Fix("x", (AddedDependency("a", "c"),)),
            "fix.cyclic",
            'body.nodes["a"]',
            "`a` cannot depend on `c`, which comes after it",
        ),
        (
            Fix("x", (AddedDependency("a", "a"),)),
            "fix.cyclic",
            'body.nodes["a"]',
            "`a` cannot depend on itself",
        ),
        (
            Fix("x", (AddedDependency("x", "y"),)),
            "fix.other-region",
            'body.nodes["loop"].operation.repeat.body.nodes["if"].operation.conditional.then_region.nodes["x"]',
            "`x` and `y` are in different regions",
        ),
        (
            Fix("x", (AddedDependency("x", "a"),)),
            "fix.other-region",
            'body.nodes["loop"].operation.repeat.body.nodes["if"].operation.conditional.then_region.nodes["x"]',
            "`x` and `a` are in different regions",
        ),
        (Fix("x", (AddedDependency("c", "q"),)), "fix.unknown-node", "", "there is no node `q`"),
        (Fix("x", (AddedDependency("q", "c"),)), "fix.unknown-node", "", "there is no node `q`"),
        (Fix("x", (), (statement("q", "c"),)), "fix.unknown-node", "", "there is no node `q`"),
        (Fix("x", (), (statement("c", "q"),)), "fix.unknown-node", "", "there is no node `q`"),
        (
            Fix("x", (), (statement("c", "b", "u"),)),
            "fix.unknown-resource",
            'body.nodes["c"]',
            "there is no resource `u`",
        ),
        (
            Fix("x", (), (statement("c", "a"),)),
            "fix.missing-dependency",
            'body.nodes["c"]',
            "`c` does not depend on `a`",
        ),
        (Fix("x", (), (statement("c", ""),)), "fix.not-a-repeat", 'body.nodes["c"]', "`c` is no repeat"),
        *(
            (
                Fix("x", (), (statement("c", "b", to=(word,)),)),
                "fix.unknown-scope",
                'body.nodes["c"]',
                f"`{word}` is not the name of a usage and READ or WRITE",
            )
            for word in ("", "READ", "FILL READ", "USAGE_FILL", "USAGE_FILL read", "USAGE_UNSPECIFIED READ")
        ),
    ],
)
def test_a_fix_that_does_not_fit(fix: Fix, code: str, path: str, message: str):
    before = document()
    binary = Document.from_message(before.message).binary
    with pytest.raises(TransformFailure) as caught:
        apply_fix(before, fix)
    (found,) = caught.value.diagnostics
    assert (found.code, str(found.path), found.message) == (code, path, message)
    assert Document.from_message(before.message).binary == binary
    assert entry(code).source == "transform"


def test_every_reason_is_given():
    fix = Fix("x", (AddedDependency("a", "c"), AddedDependency("c", "q")), (statement("c", "b", "u"),))
    with pytest.raises(TransformFailure) as caught:
        apply_fix(document(), fix)
    codes = [found.code for found in caught.value.diagnostics]
    assert codes == ["fix.cyclic", "fix.unknown-node", "fix.unknown-resource"]
    assert set(codes) < set(TRANSFORM_CODES)


def test_only_graphs_have_fixes():
    package = Document("Package", package_pb2.Package(), b"")
    with pytest.raises(TypeError, match="not `Package`"):
        apply_fix(package, Fix("x"))
