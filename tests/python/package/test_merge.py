"""One interface out of the package document, manifests and bytes: names, evidence, contradictions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from google.protobuf import text_format

from execgraph.v1 import access_pb2, interface_pb2, package_pb2, type_pb2
from interlock.diagnostic import Evidence
from interlock.package.facts import ModuleFacts, Place
from interlock.package.merge import DOCUMENT, LISTED, PLACE, Fact, VariantInterface, merge

if TYPE_CHECKING:
    from interlock.package.knowledge import Contradiction

READ, WRITE = access_pb2.ACCESS_MODE_READ, access_pb2.ACCESS_MODE_WRITE
READ_WRITE = access_pb2.ACCESS_MODE_READ_WRITE


def interface(text: str) -> interface_pb2.Interface:
    return text_format.Parse(text, interface_pb2.Interface())


def variant(text: str = "") -> package_pb2.Variant:
    return text_format.Parse(text, package_pb2.Variant())


def manifest(text: str, **more: object) -> ModuleFacts:
    return ModuleFacts(interface(text), Evidence.DECLARED, "the manifest", **more)  # type: ignore[arg-type]


def code(text: str, **more: object) -> ModuleFacts:
    facts = {"is_complete": True, **more}
    return ModuleFacts(interface(text), Evidence.PROVEN, "its code", **facts)  # type: ignore[arg-type]


def slot(name: str, access: str = "READ", more: str = "") -> str:
    return f'slots {{ name: "{name}" kind: SLOT_KIND_STORAGE_BUFFER access: ACCESS_MODE_{access} {more} }} '


def entry(*slots: str, name: str = "main", more: str = "") -> str:
    return f'entries {{ name: "{name}" stage: STAGE_COMPUTE {"".join(slots)} {more} }} '


def plain(contradictions: list[Contradiction]) -> list[tuple[str, str, str, object, str, object, str]]:
    return [
        (c.entry, c.slot, c.field, c.weaker.value, c.weaker.source, c.stronger.value, c.stronger.source)
        for c in contradictions
    ]


def known(found: VariantInterface, name: str, field: str) -> Fact:
    return found.entries["main"].slots[name].known[field]


# Who says what


def test_nothing_is_known_where_nobody_says_anything() -> None:
    found = merge(None, variant(), ())
    assert not found.is_known
    assert found.weakest is Evidence.ASSERTED
    assert (found.entries, found.constants, found.sources) == ({}, {}, ())


def test_the_document_alone_is_asserted_and_claims_what_it_leaves_out() -> None:
    found = merge(interface(entry(slot("x"))), variant(), ())
    main = found.entries["main"]
    assert (found.is_known, found.is_complete, found.sources) == (True, True, (DOCUMENT,))
    assert {name: fact.value for name, fact in main.known.items()} == {
        "stage": interface_pb2.STAGE_COMPUTE,
        "uses_atomics": False,
        "uses_subgroups": False,
        "exact_threads": False,
        "subgroup_size": 0,
        "static_shared_bytes": 0,
        "required_capabilities": (),
        "tolerated_aliases": (),
    }
    assert {name: fact.value for name, fact in main.slots["x"].known.items()} == {
        "kind": interface_pb2.SLOT_KIND_STORAGE_BUFFER,
        "access": READ,
        "minimum_size": 0,
        "optional_binding": False,
        "array_count": 0,
    }
    assert known(found, "x", "access") == Fact(READ, Evidence.ASSERTED, DOCUMENT)
    assert found.weakest is Evidence.ASSERTED


def test_a_document_never_proves_anything() -> None:
    found = merge(interface(entry(slot("x", more="evidence: EVIDENCE_PROVEN"))), variant(), ())
    assert known(found, "x", "access").evidence is Evidence.DECLARED


def test_a_manifest_knows_only_what_it_states() -> None:
    found = merge(None, variant(), (manifest(entry(slot("x"))),))
    assert not found.is_complete
    assert set(found.entries["main"].known) == {"stage"}
    assert set(found.entries["main"].slots["x"].known) == {"kind", "access"}
    assert found.weakest is Evidence.DECLARED


def test_what_nobody_asks_for_weighs_nothing() -> None:
    document = interface(entry(slot("x"), more="workgroup_size { axes { literal: 64 } }"))
    bytes_ = code(entry(slot("x"), more="workgroup_size { axes { literal: 64 } axes { literal: 1 } }"))
    assert merge(document, variant(), (bytes_,)).weakest is Evidence.PROVEN
    text = entry(slot("x", more="optional_binding: true"), more="workgroup_size { axes { literal: 64 } }")
    assert merge(interface(text), variant(), (bytes_,)).weakest is Evidence.ASSERTED


def test_the_weakest_of_some_entries_leaves_the_others_out() -> None:
    text = entry(slot("x")) + entry(slot("x"), name="other", more="evidence: EVIDENCE_DECLARED")
    found = merge(interface(text), variant(), ())
    assert found.weakest_of(["other"]) is Evidence.DECLARED
    assert found.weakest_of(["main", "other"]) is Evidence.ASSERTED


# Contradictions: every source against the best one


@pytest.mark.parametrize("modules", [1, 2], ids=["manifest", "manifest and code"])
def test_the_best_evidence_holds_and_the_others_are_compared_with_it(modules: int) -> None:
    sources = [manifest(entry(slot("x", "READ_WRITE"))), code(entry(slot("x")))][:modules]
    found = merge(interface(entry(slot("x"))), variant(), reversed(sources))
    if modules == 1:
        assert known(found, "x", "access").value == READ_WRITE
        expected = [("main", "x", "access", READ, DOCUMENT, READ_WRITE, "the manifest")]
    else:
        assert known(found, "x", "access") == Fact(READ, Evidence.PROVEN, "its code")
        expected = [("main", "x", "access", READ_WRITE, "the manifest", READ, "its code")]
    assert plain(found.contradictions) == expected


def test_of_equal_evidence_the_source_nearer_to_the_bytes_holds() -> None:
    document = interface(entry(slot("x"), more="evidence: EVIDENCE_DECLARED"))
    found = merge(document, variant(), (manifest(entry(slot("x", "WRITE"))),))
    assert known(found, "x", "access").value == WRITE


def test_what_the_document_leaves_out_is_a_claim_but_for_the_least_size() -> None:
    more = "uses_subgroups: true subgroup_size: 32 static_shared_bytes: 64"
    found = merge(
        interface(entry(slot("x"))), variant(), (code(entry(slot("x", more="minimum_size: 8"), more=more)),)
    )
    assert plain(found.contradictions) == [
        ("main", "", "uses_subgroups", False, DOCUMENT, True, "its code"),
        ("main", "", "subgroup_size", 0, DOCUMENT, 32, "its code"),
        ("main", "", "static_shared_bytes", 0, DOCUMENT, 64, "its code"),
    ]
    assert known(found, "x", "minimum_size").value == 8


def test_bytes_say_nothing_about_what_a_kernel_is_meant_for() -> None:
    pair = 'tolerated_aliases { first: "x" second: "y" }'
    text = entry(slot("x"), slot("y", more="optional_binding: true"), more=f"exact_threads: true {pair}")
    found = merge(interface(text), variant(), (code(entry(slot("x"), slot("y"))),))
    assert found.contradictions == []
    assert found.entries["main"].value("tolerated_aliases") == (("x", "y"),)
    assert known(found, "y", "optional_binding").value is True
    assert found.entries["main"].value("exact_threads") is True


def test_axes_of_one_and_names_of_members_say_nothing() -> None:
    members = 'members { name: "%s" size: 4 element: ELEMENT_TYPE_F32 %s }'
    size = "workgroup_size { axes { literal: 8 } %s }"
    document = entry(slot("x", more=members % ("value", "vector_components: 1")), more=size % "")
    bytes_ = entry(slot("x", more=members % ("", "")), more=size % "axes { literal: 1 } axes { literal: 1 }")
    found = merge(interface(document), variant(), (code(bytes_),))
    assert found.contradictions == []
    assert len(found.entries["main"].value("workgroup_size").axes) == 1


def test_other_members_contradict() -> None:
    members = "members { offset: %d size: 4 element: ELEMENT_TYPE_F32 }"
    found = merge(
        interface(entry(slot("x", more=members % 0))), variant(), (code(entry(slot("x", more=members % 16))),)
    )
    assert [(c.slot, c.field) for c in found.contradictions] == [("x", "members")]


# Names


MAPPED = """
    entries { entry: "main" target_entry: "CSMain"
      slots { slot: "x" target_slot: "xBuffer" coordinate { group: 1 index: 2 } }
      slots { slot: "y" target_slot: "x" } }
    constants { constant: "TILE" target_constant: "tile" constant_id: 7 }
"""


def test_names_are_those_of_the_mapping_and_never_taken_for_others() -> None:
    module = manifest(entry(slot("xBuffer"), slot("x", "WRITE"), name="CSMain"))
    found = merge(interface(entry(slot("x"), slot("y", "WRITE"))), variant(MAPPED), (module,))
    main = found.entries["main"]
    assert (main.target_name, main.slots["x"].target_name, main.slots["y"].target_name) == (
        "CSMain",
        "xBuffer",
        "x",
    )
    assert (known(found, "x", "access").value, known(found, "y", "access").value) == (READ, WRITE)
    assert main.slot("x") is main.slots["x"]
    assert main.slot("xBuffer") is main.slots["x"]
    assert found.contradictions == []
    assert (found.unmapped_entries, found.unmapped_slots) == ({}, {})


def test_a_module_slot_with_the_name_of_another_logical_slot_is_no_logical_slot() -> None:
    text = 'entries { entry: "main" slots { slot: "x" target_slot: "y" } }'
    found = merge(interface(entry(slot("x"))), variant(text), (code(entry(slot("x"), slot("y"))),))
    assert list(found.entries["main"].slots) == ["x", "x (not mapped)"]
    assert plain(found.contradictions) == [
        ("main", "x (not mapped)", LISTED, None, DOCUMENT, "x", "its code")
    ]


def test_what_a_module_does_not_know_is_unmapped() -> None:
    module = manifest(entry(slot("z"), name="CSMain") + entry(name="other"))
    found = merge(interface(entry(slot("x")) + entry(name="init")), variant(MAPPED), (module,))
    assert found.unmapped_entries == {"init": "the manifest"}
    assert found.unmapped_slots == {("main", "x"): "the manifest", ("main", "y"): "the manifest"}
    assert list(found.entries) == ["main", "init", "other"]


def test_a_better_source_that_knows_a_name_is_enough() -> None:
    sources = (manifest(entry(slot("z"))), code(entry(slot("x"))))
    assert merge(interface(entry(slot("x"))), variant(), sources).unmapped_slots == {
        ("main", "z"): "its code"
    }


def test_other_names_and_places_find_a_slot() -> None:
    module = manifest(
        entry(slot("XBlock"), slot("_2", "WRITE")),
        aliases={("main", "x"): "XBlock"},
        places={("main", "_2"): Place(0, 1, "u")},
    )
    text = 'entries { entry: "main" slots { slot: "y" coordinate { index: 1 } } }'
    found = merge(interface(entry(slot("x"), slot("y", "WRITE"))), variant(text), (module,))
    main = found.entries["main"]
    assert list(main.slots) == ["x", "y"]
    assert main.aliases == {"XBlock": "x", "x": "x", "_2": "y"}
    assert known(found, "y", PLACE) == Fact(Place(0, 1, "u"), Evidence.DECLARED, "the manifest")
    assert found.contradictions == []


def test_a_place_that_fits_two_slots_decides_nothing() -> None:
    text = """entries { entry: "main" slots { slot: "x" coordinate { index: 0 } }
              slots { slot: "y" coordinate { index: 0 } } }"""
    module = manifest(entry(slot("_1")), places={("main", "_1"): Place(0, 0, "t")})
    found = merge(interface(entry(slot("x"), slot("y"))), variant(text), (module,))
    assert list(found.entries["main"].slots) == ["x", "y", "_1"]
    assert set(found.unmapped_slots) == {("main", "x"), ("main", "y")}


def test_another_place_contradicts() -> None:
    text = 'entries { entry: "main" slots { slot: "x" coordinate { group: 0 index: 0 } } }'
    module = manifest(entry(slot("x")), places={("main", "x"): Place(0, 3)})
    found = merge(interface(entry(slot("x"))), variant(text), (module,))
    assert plain(found.contradictions) == [
        ("main", "x", PLACE, Place(0, 0), DOCUMENT, Place(0, 3), "the manifest")
    ]


def test_tolerated_aliases_of_a_module_are_told_in_logical_names() -> None:
    module = code(
        entry(
            slot("xBuffer"),
            slot("x"),
            name="CSMain",
            more='tolerated_aliases { first: "x" second: "xBuffer" }',
        )
    )
    found = merge(None, variant(MAPPED), (module,))
    assert found.entries["main"].value("tolerated_aliases") == (("x", "y"),)


# Slots that somebody does not list


def test_a_slot_that_only_the_bytes_have_is_missing_elsewhere() -> None:
    sources = (manifest(entry(slot("x"))), code(entry(slot("x"), slot("y"))))
    found = merge(interface(entry(slot("x"))), variant(), sources)
    assert plain(found.contradictions) == [
        ("main", "y", LISTED, None, DOCUMENT, "y", "its code"),
        ("main", "y", LISTED, None, "the manifest", "y", "its code"),
    ]


def test_a_slot_that_the_bytes_do_not_have_is_too_much_elsewhere() -> None:
    sources = (manifest(entry(slot("x"), slot("y"))), code(entry(slot("x"))))
    found = merge(interface(entry(slot("x"))), variant(), sources)
    assert plain(found.contradictions) == [("main", "y", LISTED, "y", "the manifest", None, "its code")]


@pytest.mark.parametrize(
    "more",
    ["storage_class: STORAGE_CLASS_SHARED", "role: SLOT_ROLE_RUNTIME_DIAGNOSTIC", "optional_binding: true"],
)
def test_a_slot_that_nobody_has_to_bind_may_be_left_out(more: str) -> None:
    found = merge(interface(entry(slot("x"))), variant(), (code(entry(slot("x"), slot("t", more=more))),))
    assert found.contradictions == []


def test_an_entry_without_slots_in_the_document_says_nothing_about_them() -> None:
    found = merge(interface(entry()), variant(), (manifest(entry(slot("x"))),))
    assert found.contradictions == []


def test_what_a_source_should_know_and_does_not_is_no_miss() -> None:
    reasons = {("main", ""): "it is too deep", ("main", "x"): "two have this name"}
    found = merge(interface(entry(slot("x"), slot("y"))), variant(), (manifest(entry(), unknown=reasons),))
    assert found.unmapped_slots == {}
    assert found.entries["main"].unknown == "it is too deep"
    assert found.entries["main"].slots["x"].unknown == "two have this name"


# Constants


CONSTANT = 'constants { name: "%s" %s element: ELEMENT_TYPE_%s }'


def test_constants_are_found_by_name_and_by_number() -> None:
    document = interface(
        CONSTANT % ("TILE", "constant_id: 0", "U32") + CONSTANT % ("BIAS", "constant_id: 3", "F32")
    )
    module = code(
        CONSTANT % ("tile", "constant_id: 7", "U32") + CONSTANT % ("spec_3", "constant_id: 3", "I32")
    )
    found = merge(document, variant(MAPPED), (module,))
    assert list(found.constants) == ["TILE", "BIAS"]
    assert found.numbers == {7: "TILE", 3: "BIAS"}
    f32, i32 = type_pb2.ELEMENT_TYPE_F32, type_pb2.ELEMENT_TYPE_I32
    assert plain(found.contradictions) == [("", "BIAS", "element", f32, DOCUMENT, i32, "its code")]
    assert found.unmapped_constants == {}


def test_constants_that_are_not_in_the_bytes_and_those_that_nobody_maps() -> None:
    document = interface(CONSTANT % ("TILE", "", "U32") + CONSTANT % ("A", "", "U32"))
    mapping = 'constants { constant: "A" target_constant: "b" }'
    found = merge(document, variant(mapping), (code(CONSTANT % ("A", "", "U32")),))
    assert list(found.constants) == ["TILE", "A", "A (not mapped)"]
    assert found.unmapped_constants == {"A": "its code", "TILE": "its code"}


def test_a_manifest_may_know_all_constants_and_not_all_slots() -> None:
    document = interface(CONSTANT % ("TILE", "", "U32"))
    listing = CONSTANT % ("A", "", "U32")
    some = merge(document, variant(), (manifest(listing),))
    every = merge(document, variant(), (manifest(listing, knows_constants=True),))
    assert (some.unmapped_constants, every.unmapped_constants) == ({}, {"TILE": "the manifest"})
    assert [merge(None, variant(), (manifest(listing, **more),)).knows_constants for more in KNOWING] == [
        False,
        True,
        True,
    ]
    assert merge(document, variant(), ()).knows_constants


KNOWING: tuple[dict[str, bool], ...] = ({}, {"knows_constants": True}, {"is_complete": True})


def test_a_workgroup_size_names_logical_constants() -> None:
    module = code(entry(more='workgroup_size { axes { constant: "tile" } }') + CONSTANT % ("tile", "", "U32"))
    document = interface(
        entry(more='workgroup_size { axes { constant: "TILE" } }')
        + CONSTANT % ("TILE", "constant_id: 0", "U32")
    )
    found = merge(document, variant(MAPPED.replace("CSMain", "main")), (module,))
    assert found.entries["main"].value("workgroup_size").axes[0].constant == "TILE"
    assert found.contradictions == []
