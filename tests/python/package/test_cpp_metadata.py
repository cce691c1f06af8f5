"""What Python and C++ say of the same metadata: any spelling of JSON, any index, any manifest."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cpp_packages import (
    DOCUMENT_TYPE,
    INDEX_TYPE,
    PACKAGE_TYPE,
    assert_same_findings,
    blob_name,
    described,
    dump,
    indexed,
    layout,
    put,
    small_files,
)
from interlock.hashing import sha256_digest

if TYPE_CHECKING:
    from pathlib import Path


NAMED = {"org.opencontainers.image.ref.name": "t"}
OTHER = dump({"schemaVersion": 2, "config": {"mediaType": "application/vnd.oci.image.config.v1+json"}})
BROKEN = b"{no manifest"


def deep(levels: int) -> bytes:
    return indexed(described())[:-1] + b',"x":' + b"[" * levels + b"]" * levels + b"}"


def indexes() -> dict[str, tuple[bytes, str]]:
    """Return indexes, with the code that each is refused with; an empty one for those that are accepted."""
    text = indexed(described())
    wrong = "container.malformed"
    spaced = json.dumps(json.loads(text), indent=3).replace('"schemaVersion"', '"\\u0073chemaVersion"')
    large = json.dumps(json.loads(text), indent=None) + " " * ((16 << 20) + 1)
    return {
        "spelled otherwise": (b"\r\n\t " + spaced.encode() + b"\n", ""),
        "other keys": (
            indexed(described(), x=[1.5, -0.0, 1e300, "\ufdd0", None, True, {}, []], y={"z": "\0"}),
            "",
        ),
        "numbers": (text[:-1] + b',"x":[1E5,1e-5,-0,0.5e+5,123456789012345678901234567890,1e-999]}', ""),
        "media type": (indexed(described(), mediaType=INDEX_TYPE), ""),
        "wrong media type": (indexed(described(), mediaType="application/json"), wrong),
        "media type is null": (indexed(described(), mediaType=None), wrong),
        "duplicate key": (text[:-1] + b',"schemaVersion":2}', wrong),
        "duplicate key, escaped": (text[:-1] + b',"\\u0073chemaVersion":2}', wrong),
        "duplicate foreign key": (text[:-1] + b',"x":{"y":[{"a":1,"b":2,"a":3}]}}', wrong),
        "byte order mark": (b"\xef\xbb\xbf" + text, wrong),
        "not UTF-8": (text[:-1] + b',"x":"\xff"}', wrong),
        "lone surrogate": (text[:-1] + b',"x":"\\ud800"}', wrong),
        "surrogate pair": (text[:-1] + b',"x":"\\ud83d\\ude00"}', ""),
        "control character": (text[:-1] + b',"x":"\n"}', wrong),
        "bad escape": (text[:-1] + b',"x":"\\x"}', wrong),
        "comment": (text[:-1] + b"/**/}", wrong),
        "trailing comma": (text[:-1] + b",}", wrong),
        "trailing bytes": (text + b"x", wrong),
        "trailing null character": (text + b"\0", wrong),
        "single quotes": (text.replace(b'"', b"'"), wrong),
        "number with plus": (text[:-1] + b',"x":+1}', wrong),
        "number with zero": (text[:-1] + b',"x":01}', wrong),
        "number that ends early": (text[:-1] + b',"x":1.}', wrong),
        "number without start": (text[:-1] + b',"x":.5}', wrong),
        "infinite": (text[:-1] + b',"x":1e999}', wrong),
        "no number": (text[:-1] + b',"x":NaN}', wrong),
        "word": (text[:-1] + b',"x":True}', wrong),
        "array": (b"[" + text + b"]", wrong),
        "string": (b'"x"', wrong),
        "spaces": (b" \n", wrong),
        "as deep as may be": (deep(255), ""),
        "too deep": (deep(256), "limit.json-depth"),
        "far too deep": (b'{"a":' + b"[" * 200_000, "limit.json-depth"),
        "too deep behind a fault": (b"{fault" + b"[" * 300, "limit.json-depth"),
        "brackets in strings": (text[:-1] + b',"x":"' + b"[" * 300 + b'\\""}', ""),
        "too large": (large.encode(), "limit.metadata-bytes"),
        "version 1": (indexed(described(), schemaVersion=1), wrong),
        "version as string": (indexed(described(), schemaVersion="2"), wrong),
        "version as float": (indexed(described(), schemaVersion=2.0), wrong),
        "version is true": (indexed(described(), schemaVersion=True), wrong),
        "no version": (dump({"manifests": [described()]}), wrong),
        "no manifests": (dump({"schemaVersion": 2}), wrong),
        "manifests is null": (dump({"schemaVersion": 2, "manifests": None}), wrong),
        "manifests is an object": (dump({"schemaVersion": 2, "manifests": {}}), wrong),
        "a manifest is a string": (indexed(described(), "x"), wrong),
        "no descriptors": (indexed(), "container.missing-manifest"),
        "no digest": (indexed(described(digest=None)), wrong),
        "digest of capitals": (indexed(described(digest="sha256:" + "A" * 64)), wrong),
        "digest that is short": (indexed(described(digest="sha256:" + "a" * 63)), wrong),
        "other digest": (indexed(described(digest="sha512:" + "a" * 128)), wrong),
        "digest leads out": (indexed(described(digest="sha256:../../x")), wrong),
        "missing digest": (indexed(described(digest="sha256:" + "a" * 64)), "container.missing-blob"),
        "no size": (indexed(described(size=None)), wrong),
        "negative size": (indexed(described(size=-1)), wrong),
        "size as float": (indexed(described(size=1e2)), wrong),
        "size as string": (indexed(described(size="1")), wrong),
        "size of 2^63": (indexed(described(size=1 << 63)), wrong),
        "size of 2^64": (indexed(described(size=1 << 64)), wrong),
        "size of 2^63 - 1": (indexed(described(size=(1 << 63) - 1)), "limit.metadata-bytes"),
        "other size": (indexed(described(size=1)), "container.size-mismatch"),
        "size of minus nothing": (
            indexed(described()).replace(b'"size":', b'"size":-0,"x":'),
            "container.size-mismatch",
        ),
        "no media type": (indexed(described(mediaType=None)), wrong),
        "of other media type": (indexed(described(mediaType="text/plain")), "container.missing-manifest"),
        "of other artifact type": (indexed(described(artifactType="x/y")), "container.missing-manifest"),
        "artifact type is null": (
            dump({"schemaVersion": 2, "manifests": [{**described(), "artifactType": None}]}),
            wrong,
        ),
        "artifact type is empty": (indexed(described(artifactType="")), ""),
        "annotations is a string": (indexed(described(annotations="x")), wrong),
        "tag is a number": (indexed(described(annotations={"org.opencontainers.image.ref.name": 1})), wrong),
        "the same twice": (indexed(described(), described(annotations=NAMED)), ""),
        "among others": (indexed(described(OTHER), described(), described(mediaType="x/y", size=1)), ""),
        "only others": (indexed(described(OTHER)), "container.missing-manifest"),
        "damage among others": (indexed(described(BROKEN), described()), ""),
        "only damage": (indexed(described(OTHER), described(BROKEN)), wrong),
        "damage that says it is ours": (
            indexed(described(), described(BROKEN, artifactType=PACKAGE_TYPE)),
            wrong,
        ),
        "the same damage, first unsaid": (
            indexed(described(), described(BROKEN), described(BROKEN, artifactType=PACKAGE_TYPE)),
            wrong,
        ),
        "other that says it is ours": (indexed(described(OTHER, artifactType=PACKAGE_TYPE)), wrong),
        "other that says so later": (
            indexed(described(OTHER), described(OTHER, artifactType=PACKAGE_TYPE)),
            wrong,
        ),
        "two": (
            indexed(described(), described(OTHER, artifactType=PACKAGE_TYPE)),
            "container.ambiguous-manifest",
        ),
    }


@pytest.mark.parametrize("case", indexes())
def test_an_index(case: str, tmp_path: Path) -> None:
    text, code = indexes()[case]
    put(tmp_path, {blob_name(OTHER): OTHER, blob_name(BROKEN): BROKEN, **layout(index=text)})
    assert_same_findings(tmp_path, code)


@pytest.mark.parametrize(
    ("first", "second", "tag", "code"),
    [
        ("t", "u", None, "container.ambiguous-manifest"),
        ("t", "u", "t", ""),
        ("t", "u", "v", "container.missing-manifest"),
        ("t", "t", "t", "container.ambiguous-manifest"),
        (None, "t", "t", "container.malformed"),
        ("t", None, "t", ""),
        ("t", None, "", "container.missing-manifest"),
    ],
)
def test_a_tag(first: str | None, second: str | None, tag: str | None, code: str, tmp_path: Path) -> None:
    def tagged(data: bytes, name: str | None) -> dict[str, Any]:
        annotations = None if name is None else {"org.opencontainers.image.ref.name": name}
        return described(data, annotations=annotations, artifactType=PACKAGE_TYPE)

    index = indexed(tagged(small_files()["manifest"], first), tagged(OTHER, second))
    put(tmp_path, {blob_name(OTHER): OTHER, **layout(index=index)})
    assert_same_findings(tmp_path, code, tag)


def manifests() -> dict[str, tuple[dict[str, Any], str]]:
    """Return what is changed in a manifest, with the code that it is refused with."""
    document = small_files()["document"]
    config = {
        "mediaType": DOCUMENT_TYPE,
        "digest": sha256_digest(document),
        "size": len(document),
    }
    wrong = "container.malformed"
    return {
        "known by its config": ({"artifactType": None}, ""),
        "known by its artifact type": ({"mediaType": "x/y", "layers": 5}, ""),
        "of other type": (
            {"artifactType": "x/y", "config": {**config, "mediaType": "x/y"}},
            "container.missing-manifest",
        ),
        "config of other type": ({"config": {**config, "mediaType": "x/y"}}, wrong),
        "version 1": ({"schemaVersion": 1}, wrong),
        "no config": ({"config": None}, wrong),
        "config without size": ({"config": {**config, "size": None}}, wrong),
        "config that is missing": (
            {"config": {**config, "digest": "sha256:" + "0" * 64}},
            "container.missing-blob",
        ),
        "config of other size": ({"config": {**config, "size": 1}}, "container.size-mismatch"),
        "config that is large": ({"config": {**config, "size": (1 << 30) + 1}}, "limit.document-bytes"),
    }


@pytest.mark.parametrize("case", manifests())
def test_a_manifest(case: str, tmp_path: Path) -> None:
    changed, code = manifests()[case]
    manifest = dump({**json.loads(small_files()["manifest"]), **changed})
    put(tmp_path, {blob_name(manifest): manifest, **layout(index=indexed(described(manifest)))})
    assert_same_findings(tmp_path, code)
