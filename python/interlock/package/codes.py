"""The codes of containers, with what each means."""

from __future__ import annotations

CONTAINER_CODES: dict[str, str] = {
    "container.ambiguous-manifest": (
        "The index of an OCI image layout holds several packages, and no tag was named, or one that several "
        "of them have. Name the tag of one."
    ),
    "container.digest-mismatch": (
        "The bytes have another digest than the one that they are pinned by: they are damaged, or they are "
        "not the ones that the package was made with. Nothing that rests on them holds."
    ),
    "container.duplicate-member": (
        "Two members of an archive have the same name. Readers disagree about which one counts, so none does."
    ),
    "container.link": (
        "A symbolic or hard link stands where a file or a folder is needed. Links can lead out of a "
        "container and are never followed; put the file itself there."
    ),
    "container.malformed": (
        "Metadata of a container, or an archive, is not what its format demands: the message says what was "
        "found and what is required."
    ),
    "container.missing-blob": (
        "No bytes of that digest are in the container. Add them, or make the package again with them."
    ),
    "container.missing-file": (
        "A file is missing that the format demands, or that the manifest declares and a variant needs."
    ),
    "container.missing-manifest": (
        "The index of an OCI image layout holds no manifest of a package, or none with the tag that was "
        "named: it is the layout of something else."
    ),
    "container.no-interface": (
        "The manifest of a CrossTL package says nothing about what an artifact takes, or that reading it "
        "failed. Whether bindings fit cannot be told from the manifest; a mapping document, or the bytes "
        "themselves, may tell."
    ),
    "container.not-packaged": (
        "The translator says that a package, or an artifact of it, is incomplete: `success` is false, or the "
        "`status` of an artifact is not `packaged`. Translate it again."
    ),
    "container.redirected-root": (
        "A CrossTL manifest names a folder of the system other than the one that it lies in. Its files are "
        "taken from beside the manifest and from nowhere else. If the package was moved, make it again "
        "there, or with a relative folder."
    ),
    "container.size-mismatch": (
        "There are more or fewer bytes than stated. The bytes are damaged or cut off, or the statement is "
        "wrong."
    ),
    "container.unknown-format": (
        "The path names none of the containers that are known: an OCI image layout as a directory or tar "
        "file, a CrossGL package, a CrossTL runtime package, a folder."
    ),
    "container.unknown-target": (
        "An artifact is for a target that CrossTL 3.4.0 does not have. It is taken under the name it has."
    ),
    "container.unpinned": (
        "The format of the container states no digests of its files, so that what is there counts. A graph "
        "that pins its artifacts proves that they are the right ones."
    ),
    "container.unreadable": (
        "The operating system refuses to read a container; the message says what it answered."
    ),
    "container.unsafe-path": (
        "A name is absolute, or has `..`, a backslash, a drive or a control character. It could lead out of "
        "the container, so nothing is read by it."
    ),
    "container.unsupported-member": (
        "A member is neither a file nor a folder, or it is compressed or encrypted, or a header changes "
        "its name or size. Such members are not needed by any package."
    ),
    "limit.archive-members": "An archive or folder has more members than the limit `archive_members`.",
    "limit.blob-bytes": "A blob is larger than the limit `blob_bytes`, or than a tar file can hold.",
    "limit.metadata-bytes": "A metadata file of a container is larger than the limit `metadata_bytes`.",
    "package.unreadable-graph": (
        "The execution graph that is embedded in a CrossGL package is none, or it is not spelled as "
        "canonical JSON, so that its bytes would not name it. Embed it again."
    ),
}
"""Code to meaning."""
