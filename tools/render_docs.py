"""Render gen/docs: the schema from its comments and options, and a page for every rule.

    render_docs.py GEN     read GEN/descriptors and the rules of python/interlock, write GEN/docs

The same sources give the same bytes. Run by tools/generate.py.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent

if __name__ == "__main__":  # the generated modules of this very run, wherever they were written
    sys.path[:0] = [str(ROOT / "python"), str(Path(sys.argv[1]) / "python")]

from google.protobuf.descriptor_pb2 import (  # noqa: E402
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)

from execgraph.options.v1 import options_pb2  # noqa: E402
from interlock.report import catalogue  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MARK = "<!-- Written by tools/render_docs.py. Run `make generate`; never edit. -->"
PACKAGES = ("execgraph.v1", "execgraph.report.v1", "execgraph.options.v1")
INTRODUCTION = """\
# The schema

Every message, field and enum value, from the comments and options of `proto/`. The `.proto` files are
normative.

How to read the tables: *required* fields are refused where absent; a *set* is written in the order of its
key, and no two elements share it; an *ordered* list keeps its order; *id* declares a name in a space of
names, and *reference* looks one up; *provenance* fields are cleared by the semantic digest; *capability*
names what a graph needs once the field or value is used. A label in brackets is the code of the rule that
holds the sentence.
"""

LABEL = re.compile(r"\[([a-z0-9-]+(?:\.[a-z0-9-]+)+)\]")
SCALARS = {number: name.removeprefix("TYPE_").lower() for name, number in FieldDescriptorProto.Type.items()}

# Numbers of fields in descriptor.proto, of which the paths of comments consist.
FILE_MESSAGES, FILE_ENUMS, MESSAGE_FIELDS, ENUM_VALUES = 4, 5, 2, 2


def comments(file: FileDescriptorProto) -> dict[tuple[int, ...], str]:
    """Return the leading comment of every element of a file, by its path."""
    return {
        tuple(location.path): " ".join(location.leading_comments.split())
        for location in file.source_code_info.location
        if location.leading_comments
    }


def linked(text: str) -> str:
    """Return a comment as Markdown for a table: labels lead to their pages."""
    return LABEL.sub(_link, text).replace("|", "\\|")


def _link(match: re.Match[str]) -> str:
    code = match.group(1)
    if code not in catalogue.codes():
        return f"`[{code}]`"
    entry = catalogue.entry(code)
    page = f"rules/{code}.md" if entry.source == "rule" else f"rules/README.md#{entry.source}"
    return f"[`{code}`]({page})"


def type_name(field: FieldDescriptorProto) -> str:
    """Return the type of a field, with a link where it is a message or an enum."""
    if field.type_name:
        name = field.type_name.rpartition(".")[2]
        return f"[{name}](#{name.lower()})"
    return SCALARS[field.type]


def notes(message: DescriptorProto, field: FieldDescriptorProto) -> str:
    """Return what the options say about a field, in the words of the introduction."""
    # The extension is typed as a descriptor by the pinned generator.
    rules: options_pb2.FieldRules = field.options.Extensions[options_pb2.field]  # type: ignore[index]
    parts = []
    if rules.required:
        parts.append("required")
    if field.proto3_optional:
        parts.append("optional")
    elif field.HasField("oneof_index"):
        parts.append(f"one of `{message.oneof_decl[field.oneof_index].name}`")
    if rules.collection == options_pb2.COLLECTION_ORDERED:
        parts.append("ordered")
    elif rules.collection == options_pb2.COLLECTION_SET:
        keys = ", ".join(f"`{key}`" for key in rules.keys)
        parts.append(f"set by {keys}" if keys else "set by the whole element")
    if rules.string_kind:
        kind = options_pb2.StringKind.Name(rules.string_kind).removeprefix("STRING_KIND_").lower()
        parts.append(f"{kind} of {rules.id_space}" if rules.id_space else kind)
    if rules.unit:
        parts.append(f"in {rules.unit}")
    if rules.provenance:
        parts.append("provenance")
    if rules.capability:
        parts.append(f"capability `{rules.capability}`")
    if rules.feature:
        parts.append(f"feature `{rules.feature}`")
    if rules.since_minor:
        parts.append(f"since minor {rules.since_minor}")
    return "; ".join(parts)


def message_section(
    message: DescriptorProto, path: tuple[int, ...], said: dict[tuple[int, ...], str]
) -> Iterator[str]:
    """Yield the lines of one message."""
    yield from (f"### {message.name}", "", linked(said.get(path, "")), "")
    if not message.field:
        yield from ("No fields.", "")
        return
    yield from ("| field | number | type | notes | meaning |", "| --- | --- | --- | --- | --- |")
    for index, field in enumerate(message.field):
        repeated = "repeated " if field.label == FieldDescriptorProto.LABEL_REPEATED else ""
        meaning = linked(said.get((*path, MESSAGE_FIELDS, index), ""))
        yield (
            f"| `{field.name}` | {field.number} | {repeated}{type_name(field)} "
            f"| {notes(message, field)} | {meaning} |"
        )
    yield ""


def enum_section(
    enum: EnumDescriptorProto, path: tuple[int, ...], said: dict[tuple[int, ...], str]
) -> Iterator[str]:
    """Yield the lines of one enum."""
    yield from (f"### {enum.name}", "", linked(said.get(path, "")), "")
    yield from ("| value | number | notes | meaning |", "| --- | --- | --- | --- |")
    for index, value in enumerate(enum.value):
        rules: options_pb2.EnumValueRules = value.options.Extensions[options_pb2.value]  # type: ignore[index]
        parts = []
        if rules.storage_bits:
            parts.append(f"{rules.storage_bits} bits")
        if rules.root_message:
            parts.append(f"root `{rules.root_message}`")
        if rules.capability:
            parts.append(f"capability `{rules.capability}`")
        if rules.feature:
            parts.append(f"feature `{rules.feature}`")
        if rules.since_minor:
            parts.append(f"since minor {rules.since_minor}")
        meaning = linked(said.get((*path, ENUM_VALUES, index), ""))
        yield f"| `{value.name}` | {value.number} | {'; '.join(parts)} | {meaning} |"
    yield ""


def schema_page(files: Iterable[FileDescriptorProto]) -> str:
    """Return the page of the schema.

    Packages in the order of PACKAGES, files by name, elements as written.
    """
    by_package: dict[str, list[FileDescriptorProto]] = {name: [] for name in PACKAGES}
    for file in sorted(files, key=lambda file: file.name):
        if file.package in by_package:
            by_package[file.package].append(file)
    lines = [MARK, "", INTRODUCTION]
    for package, members in by_package.items():
        for file in members:
            said = comments(file)
            lines += [f"## `{package}`: {Path(file.name).name}", ""]
            for index, message in enumerate(file.message_type):
                lines += message_section(message, (FILE_MESSAGES, index), said)
            for index, enum in enumerate(file.enum_type):
                lines += enum_section(enum, (FILE_ENUMS, index), said)
    return "\n".join(lines)


def index_page() -> str:
    """Return the index of all codes: rules by family, then reading, then the tool."""
    entries = [catalogue.entry(code) for code in catalogue.codes()]
    lines = [
        MARK,
        "",
        "# Codes",
        "",
        "`interlock explain CODE` prints the same. A code is never renamed or reused.",
        "",
    ]
    for source, title in catalogue.SOURCES.items():
        members = [entry for entry in entries if entry.source == source]
        if not members:
            continue
        lines += [f'<a id="{source}"></a>', "", f"## {title}", "", "| code | meaning |", "| --- | --- |"]
        for entry in members:
            name = f"[`{entry.code}`]({entry.code}.md)" if source == "rule" else f"`{entry.code}`"
            summary = entry.summary.replace("|", "\\|")
            lines.append(f"| {name} | {summary} |")
        lines.append("")
    return "\n".join(lines)


def render(gen: Path) -> None:
    """Write GEN/docs."""
    described = FileDescriptorSet.FromString((gen / "descriptors" / "execgraph_source.binpb").read_bytes())
    docs = gen / "docs"
    shutil.rmtree(docs, ignore_errors=True)
    (docs / "rules").mkdir(parents=True)
    (docs / "schema.md").write_text(schema_page(described.file), encoding="utf-8")
    (docs / "rules" / "README.md").write_text(index_page(), encoding="utf-8")
    for code in catalogue.codes():
        entry = catalogue.entry(code)
        if entry.source == "rule":
            (docs / "rules" / f"{code}.md").write_text(f"{MARK}\n\n{entry.page.rstrip()}\n", encoding="utf-8")


def main() -> None:
    """Run the command line."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {Path(sys.argv[0]).name} GEN")
    render(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
