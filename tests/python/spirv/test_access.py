"""What reaches each binding: decorations do not count where code says more."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import pytest

from execgraph.v1 import access_pb2, interface_pb2
from interlock.package.spirv.reader import SpirvModule, read_spirv

if TYPE_CHECKING:
    from collections.abc import Callable

    Compiler = Callable[..., bytes]

NAMES = {
    access_pb2.ACCESS_MODE_UNSPECIFIED: "unknown",
    access_pb2.ACCESS_MODE_READ: "read",
    access_pb2.ACCESS_MODE_WRITE: "write",
    access_pb2.ACCESS_MODE_READ_WRITE: "read-write",
    access_pb2.ACCESS_MODE_ATOMIC: "atomic",
}


def access(module: SpirvModule, entry: str = "main") -> dict[str, str]:
    return {slot.name: NAMES[slot.access] for slot in module.entry(entry).resources}


def unknown(module: SpirvModule, entry: str = "main") -> dict[str, str]:
    """Return the reasons by slot; those of the entry by the empty name."""
    return {slot: reason for (of, slot), reason in module.facts().unknown.items() if of == entry}


BUFFERS = "".join(
    f"layout(set=0, binding={number}) buffer Block{number} {{ uint n; uint more[]; }} {name};\n"
    for number, name in enumerate("abcd")
)


def shader(body: str, functions: str = "", head: str = "") -> str:
    return (
        f"#version 450\n{head}\nlayout(local_size_x=8) in;\n{BUFFERS}{functions}\nvoid main() {{ {body} }}\n"
    )


TARGETS = ["vulkan1.0", "vulkan1.1", "vulkan1.2", "vulkan1.3"]


@pytest.mark.parametrize("target", TARGETS)
def test_loads_stores_and_atomics(glsl: Compiler, target: str):
    body = "a.more[0] = b.n + a.n; c.n = 1u; atomicAdd(d.n, 1u);"
    module = read_spirv(glsl(shader(body), target))
    assert access(module) == {"a": "read-write", "b": "read", "c": "write", "d": "atomic"}
    assert module.notes == ()
    assert unknown(module) == {}


def test_atomics_beside_other_accesses(glsl: Compiler):
    body = """
    atomicOr(a.n, b.n);
    uint x = a.n;
    atomicMax(b.more[1], x);
    c.n = atomicAdd(c.n, 1u);
    atomicExchange(d.n, 1u);
    """
    module = read_spirv(glsl(shader(body)))
    assert access(module) == {"a": "read-write", "b": "read-write", "c": "read-write", "d": "atomic"}


def test_atomic_loads_and_stores(glsl: Compiler):
    head = "#extension GL_KHR_memory_scope_semantics : require"
    load = "atomicLoad({}, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire)"
    store = "atomicStore({}, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);"
    body = f"uint x = {load.format('a.n')}; c.n = {load.format('c.n')};"
    body += f"{store.format('b.n')} {store.format('d.n')} x = d.n;"
    module = read_spirv(glsl(shader(body, head=head)))
    assert access(module) == {"a": "read", "b": "atomic", "c": "read-write", "d": "read-write"}
    assert module.entry("main").updates_atomically


def test_only_atomic_loads_update_nothing(glsl: Compiler):
    head = "#extension GL_KHR_memory_scope_semantics : require"
    body = "uint x = atomicLoad(a.n, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);"
    entry = read_spirv(glsl(shader(body, head=head))).entry("main")
    assert not entry.updates_atomically
    assert entry.capabilities == (5,)


def test_pointers_through_functions(glsl: Compiler):
    functions = """
    uint get(uint at) { return b.more[at]; }
    void put(uint value) { a.more[value] = value; }
    void both(uint x) { put(get(x)); }
    void count(inout uint x) { x += 1u; }
    """
    module = read_spirv(glsl(shader("both(c.n); count(d.n);", functions)))
    assert access(module) == {"a": "write", "b": "read", "c": "read", "d": "read-write"}


def test_functions_that_nobody_calls_access_nothing(glsl: Compiler):
    module = read_spirv(glsl(shader("a.n = 1u;", "void never() { b.n = 1u; }")))
    assert access(module) == {"a": "write", "b": "read", "c": "read", "d": "read"}
    assert [slot.is_touched for slot in module.entry("main").resources] == [True, False, False, False]
    facts = module.facts().interface.entries[0].slots
    assert [slot.name for slot in facts if slot.optional_binding] == ["b", "c", "d"]


@pytest.mark.parametrize(
    ("qualifier", "expected"), [("readonly", "read"), ("writeonly", "write"), ("", "write")]
)
def test_code_decides_where_it_can_be_followed(glsl: Compiler, qualifier: str, expected: str):
    source = f"""#version 450
    layout(set=0, binding=0) {qualifier} buffer A {{ uint n[]; }} a;
    layout(set=0, binding=1) buffer B {{ uint n[]; }} b;
    void main() {{ {"b.n[0] = a.n[0];" if qualifier == "readonly" else "a.n[0] = 1u;"} }}"""
    assert access(read_spirv(glsl(source)))["a"] == expected


def test_array_length_accesses_nothing(glsl: Compiler):
    module = read_spirv(glsl(shader("b.n = uint(a.more.length());")))
    assert access(module) == {"a": "read", "b": "write", "c": "read", "d": "read"}
    slots = module.entry("main").resources
    assert [slot.name for slot in slots if slot.is_touched] == ["b"]
    assert [slot.name for slot in slots if slot.is_mentioned] == ["a", "b"]


def test_images(glsl: Compiler):
    source = """#version 450
    layout(set=0, binding=0, rgba8) uniform image2D read;
    layout(set=0, binding=1, r32f) uniform writeonly image2D written;
    layout(set=0, binding=2, r32ui) uniform uimage2D counted;
    layout(set=0, binding=3, rgba16f) uniform image2D changed;
    layout(set=0, binding=4) uniform sampler2D sampled;
    layout(set=0, binding=5) uniform texture2D plain;
    layout(set=0, binding=6) uniform sampler how;
    layout(set=0, binding=7, rgba8) uniform image2D asked;
    layout(set=0, binding=8) uniform samplerBuffer texels;
    void put(writeonly image2D to, float x) { imageStore(to, ivec2(0), vec4(x)); }
    void main() {
        vec4 x = imageLoad(read, ivec2(0)) + texture(sampled, vec2(0));
        x += texture(sampler2D(plain, how), vec2(0));
        put(written, x.x + texelFetch(texels, 3).x);
        imageAtomicMax(counted, ivec2(imageSize(asked)), 3u);
        imageStore(changed, ivec2(0), imageLoad(changed, ivec2(1)));
    }"""
    module = read_spirv(glsl(source))
    assert access(module) == {
        "asked": "read",
        "changed": "read-write",
        "counted": "atomic",
        "how": "read",
        "plain": "read",
        "read": "read",
        "sampled": "read",
        "texels": "read",
        "written": "write",
    }
    assert not next(slot for slot in module.entry("main").resources if slot.name == "asked").is_touched
    assert module.entry("main").updates_atomically
    reason = "it is of type texel buffer and storage class 0, for which the contract has no kind of slot"
    assert unknown(module) == {"texels": reason}


def test_sparse_images(glsl: Compiler):
    source = """#version 450
    #extension GL_ARB_sparse_texture2 : require
    layout(set=0, binding=0) uniform sampler2D sampled;
    layout(set=0, binding=1, rgba8) uniform image2D stored;
    layout(set=0, binding=2) buffer Out { uint x; } o;
    void main() {
        vec4 texel;
        int code = sparseTextureARB(sampled, vec2(0), texel) | sparseImageLoadARB(stored, ivec2(0), texel);
        o.x = sparseTexelsResidentARB(code) ? 1u : 0u;
    }"""
    module = read_spirv(glsl(source))
    assert access(module) == {"o": "write", "sampled": "read", "stored": "read"}
    assert all(slot.is_touched for slot in module.entry("main").resources)
    assert unknown(module) == {}


def test_arrays_of_descriptors(glsl: Compiler):
    source = """#version 450
    layout(set=0, binding=0) buffer A { uint n[]; } many[4];
    layout(set=0, binding=1, r32f) uniform image2D images[2][3];
    layout(set=0, binding=2) uniform texture2D textures[3];
    layout(set=0, binding=3) uniform sampler how;
    void main() {
        many[2].n[0] = 1u;
        imageStore(images[1][2], ivec2(0), texture(sampler2D(textures[gl_WorkGroupID.x], how), vec2(0)));
    }"""
    module = read_spirv(glsl(source))
    assert access(module) == {"many": "write", "images": "write", "textures": "read", "how": "read"}
    counts = {slot.name: slot.array_count for slot in module.entry("main").resources}
    assert counts == {"many": 4, "images": 6, "textures": 3, "how": 0}


@pytest.mark.parametrize("kind", ["STORE_OF_ADDRESS", "INTEGER", "AGGREGATE"])
def test_addresses_that_cannot_be_followed(asm: Compiler, kind: str):
    escape = {
        "STORE_OF_ADDRESS": "%local = OpVariable %ppu Function\nOpStore %local %ea",
        "INTEGER": "%number = OpConvertPtrToU %u32 %ea",
        "AGGREGATE": "%pair = OpCompositeConstruct %couple %ea %ea",
    }[kind]
    reason = {
        "STORE_OF_ADDRESS": "`OpStore` stores its address in memory",
        "INTEGER": "`OpConvertPtrToU` computes with its address",
        "AGGREGATE": "`OpCompositeConstruct` computes with its address",
    }[kind]
    text = POINTERS.replace("<body>", f"{escape}\n%x = OpLoad %u32 %eb\nOpStore %ec %x")
    module = read_spirv(asm(text))
    assert access(module) == {"a": "unknown", "b": "read", "c": "write"}
    assert unknown(module) == {"a": f"its access is not known: {reason}"}


def test_what_is_loaded_back_only_leads_to_what_was_stored(asm: Compiler):
    body = """%local = OpVariable %ppu Function
    OpStore %local %ea
    %back = OpLoad %pu %local
    OpStore %back %one
    %x = OpLoad %u32 %eb"""
    module = read_spirv(asm(POINTERS.replace("<body>", body)))
    assert access(module) == {"a": "unknown", "b": "read", "c": "read"}


def test_an_initializer_is_an_address_in_memory(asm: Compiler):
    text = POINTERS.replace(
        "; private", "%ppb = OpTypePointer Private %pb\n%private = OpVariable %ppb Private %a"
    )
    module = read_spirv(asm(text.replace("<body>", "%x = OpLoad %u32 %ea")))
    assert access(module)["a"] == "unknown"
    assert unknown(module)["a"].endswith("a variable is initialized with its address")


def test_decorations_decide_where_code_cannot_be_followed(asm: Compiler):
    body = "%number = OpConvertPtrToU %u32 %ea\n%other = OpConvertPtrToU %u32 %eb"
    text = POINTERS.replace("<body>", body).replace(
        "; more", "OpDecorate %a NonWritable\nOpDecorate %b NonReadable"
    )
    module = read_spirv(asm(text))
    assert access(module) == {"a": "read", "b": "write", "c": "read"}
    assert unknown(module) == {}


def test_a_store_counts_before_a_decoration(asm: Compiler):
    text = POINTERS.replace("<body>", "OpStore %ea %one").replace("; more", "OpDecorate %a NonWritable")
    module = read_spirv(asm(text))
    assert access(module)["a"] == "write"
    assert [(note.entry, note.slot, note.message) for note in module.notes] == [
        ("main", "a", "code stores to it although it is declared as never written")
    ]


def test_a_store_to_a_uniform_block_is_noted(asm: Compiler):
    text = UNIFORM.replace("<body>", "OpStore %ea %one")
    module = read_spirv(asm(text))
    assert access(module) == {"a": "write"}
    assert [note.slot for note in module.notes] == ["a"]


def test_copies_of_memory(asm: Compiler):
    module = read_spirv(
        asm(POINTERS.replace("<body>", "OpCopyMemory %ea %eb\nOpCopyMemorySized %ec %eb %one"))
    )
    assert access(module) == {"a": "write", "b": "read", "c": "write"}


def test_copies_of_pointers(asm: Compiler):
    module = read_spirv(
        asm(POINTERS.replace("<body>", "%q = OpCopyObject %pu %ea\n%x = OpLoad %u32 %q\nOpStore %eb %x"))
    )
    assert access(module) == {"a": "read", "b": "write", "c": "read"}


def test_pointers_that_are_compared_access_nothing(asm: Compiler):
    module = read_spirv(asm(POINTERS.replace("<body>", "%same = OpPtrEqual %bool %ea %eb"), "1.4"))
    assert access(module) == {"a": "read", "b": "read", "c": "read"}
    assert not any(slot.is_touched for slot in module.entry("main").resources)
    assert unknown(module) == {}


def test_null_and_undefined_pointers_lead_nowhere(asm: Compiler):
    body = "%sel = OpSelect %pu %yes %null %ea\n%x = OpLoad %u32 %sel\n%un = OpUndef %pu\nOpStore %un %x"
    text = POINTERS.replace("<body>", body).replace("; private", "%null = OpConstantNull %pu")
    assert access(read_spirv(asm(text))) == {"a": "read", "b": "read", "c": "read"}


def test_modf_stores_through_a_pointer(asm: Compiler):
    text = POINTERS.replace("<body>", "%x = OpExtInst %f32 %glsl Modf %half %fp").replace(
        "; import", '%glsl = OpExtInstImport "GLSL.std.450"'
    )
    text = text.replace(
        "; private",
        "%f32 = OpTypeFloat 32\n%half = OpConstant %f32 0.5\n%pf = OpTypePointer StorageBuffer %f32",
    ).replace("%ea = ", "%fp = OpAccessChain %pf %a %zero %zero\n%ea = ")
    assert access(read_spirv(asm(text))) == {"a": "write", "b": "read", "c": "read"}


def test_debug_information_accesses_nothing(glsl: Compiler):
    module = read_spirv(glsl(shader("a.n = b.n;"), "vulkan1.2", "-gVS"))
    assert access(module) == {"a": "write", "b": "read", "c": "read", "d": "read"}
    assert [slot.name for slot in module.entry("main").resources if slot.is_mentioned] == ["a", "b"]
    assert unknown(module) == {}


LOOP = """OpBranch %loop
%loop = OpLabel
%phi = OpPhi %pu %ea %entry %next %cont
OpLoopMerge %exit %cont None
OpBranchConditional %yes %cont %exit
%cont = OpLabel
<next>
OpBranch %loop
%exit = OpLabel
OpStore %phi %one
"""


def test_pointers_around_a_loop(asm: Compiler):
    step = "%far = OpPtrAccessChain %pu %phi %one\n%next = OpSelect %pu %yes %far %eb"
    module = read_spirv(asm(POINTERS.replace("<body>", LOOP.replace("<next>", step))))
    assert access(module) == {"a": "write", "b": "write", "c": "read"}


def test_pointers_around_a_loop_from_where_nobody_follows_them(asm: Compiler):
    step = "%both = OpCompositeConstruct %couple %eb %ec\n%next = OpCompositeExtract %pu %both 0"
    module = read_spirv(asm(POINTERS.replace("<body>", LOOP.replace("<next>", step))))
    assert access(module) == {"a": "unknown", "b": "unknown", "c": "unknown"}
    reason = "it accesses memory through pointers, or runs code, that cannot be followed"
    assert unknown(module)[""] == reason


def test_pointers_out_of_a_function_by_several_ways(asm: Compiler):
    body = "%back = OpFunctionCall %pu %f %ea %eb\nOpStore %back %one"
    text = POINTERS.replace("<body>", body).replace(
        "; functions",
        """%fpp = OpTypeFunction %pu %pu %pu
        %f = OpFunction %pu None %fpp
        %p = OpFunctionParameter %pu
        %q = OpFunctionParameter %pu
        %l0 = OpLabel
        OpSelectionMerge %l2 None
        OpBranchConditional %yes %l1 %l2
        %l1 = OpLabel
        OpReturnValue %p
        %l2 = OpLabel
        OpReturnValue %q
        OpFunctionEnd""",
    )
    assert access(read_spirv(asm(text))) == {"a": "write", "b": "write", "c": "read"}


def test_pointers_out_of_a_function_from_where_nobody_follows_them(asm: Compiler):
    body = "%back = OpFunctionCall %pu %f %eb\nOpStore %back %one"
    text = POINTERS.replace("<body>", body).replace(
        "; functions",
        """%fpp = OpTypeFunction %pu %pu
        %f = OpFunction %pu None %fpp
        %p = OpFunctionParameter %pu
        %lf = OpLabel
        %both = OpCompositeConstruct %couple %p %p
        %out = OpCompositeExtract %pu %both 0
        OpReturnValue %out
        OpFunctionEnd""",
    )
    module = read_spirv(asm(text))
    assert access(module) == {"a": "unknown", "b": "unknown", "c": "unknown"}


def test_instructions_without_semantics_access_nothing(asm: Compiler):
    text = POINTERS.replace("<body>", "%tell = OpExtInst %void %debug 1 %said %ea").replace(
        "; import",
        """OpExtension "SPV_KHR_non_semantic_info"
        %debug = OpExtInstImport "NonSemantic.DebugPrintf\"""",
    )
    module = read_spirv(asm(text.replace('OpName %a "a"', '%said = OpString "%u"\nOpName %a "a"')))
    assert access(module) == {"a": "read", "b": "read", "c": "read"}
    assert not any(slot.is_touched for slot in module.entry("main").resources)
    assert unknown(module) == {}


@pytest.mark.parametrize(("version", "expected"), [("1.3", []), ("1.4", ["a"])])
def test_an_entry_takes_what_it_lists(asm: Compiler, version: str, expected: list[str]):
    """Before SPIR-V 1.4 an entry point lists inputs and outputs only; what else it lists means nothing."""
    text = POINTERS.replace("<body>", "OpStore %ea %one").replace(
        "OpExecutionMode", 'OpEntryPoint GLCompute %other "other" %a\nOpExecutionMode'
    )
    text += "%other = OpFunction %void None %fn\n%begin = OpLabel\nOpReturn\nOpFunctionEnd\n"
    module = read_spirv(asm(text, version))
    slots = module.entry("other").resources
    assert [slot.name for slot in slots if slot.name == "a"] == expected
    assert not any(slot.is_mentioned for slot in slots)
    assert access(module)["a"] == "write"


def test_unknown_instructions_lose_what_they_name(asm: Compiler):
    words = array("I", asm(POINTERS.replace("<body>", "OpNop\nOpNop\nOpNop\n%x = OpLoad %u32 %eb")))
    first_chain = next(at for at, word in enumerate(words) if word & 0xFFFF == 65 and word >> 16 == 6)
    nops = next(at for at in range(len(words)) if words[at : at + 3].tolist() == [1 << 16] * 3)
    words[nops : nops + 3] = array("I", [3 << 16 | 0x1234, words[first_chain + 2], 77])
    module = read_spirv(words.tobytes())
    assert access(module) == {"a": "unknown", "b": "read", "c": "read"}
    assert unknown(module)["a"] == "its access is not known: an unknown instruction, opcode 4660, may use it"
    assert not module.is_complete


def test_buffer_references_leave_the_whole_entry_unknown(glsl: Compiler):
    source = """#version 450
    #extension GL_EXT_buffer_reference : require
    layout(buffer_reference, std430) buffer Far { uint n[]; };
    layout(set=0, binding=0) readonly buffer A { Far far; } a;
    layout(set=0, binding=1) buffer B { uint n; } b;
    layout(set=0, binding=2) uniform C { uint n; } c;
    void main() { a.far.n[0] = b.n + c.n; }"""
    module = read_spirv(glsl(source, "vulkan1.2"))
    reason = "it accesses memory by addresses (buffer references), which may lie in any buffer"
    assert access(module) == {"a": "read", "b": "unknown", "c": "read"}
    assert unknown(module) == {"": reason, "b": f"its access is not known: {reason}"}


def test_addresses_that_are_only_passed_on_are_no_accesses(glsl: Compiler):
    source = """#version 450
    #extension GL_EXT_buffer_reference : require
    layout(buffer_reference, std430) buffer Far { uint n[]; };
    layout(set=0, binding=0) buffer A { Far far; Far other; } a;
    void main() { a.far = a.other; }"""
    module = read_spirv(glsl(source, "vulkan1.2"))
    assert access(module) == {"a": "read-write"}
    assert unknown(module) == {}


def test_code_that_cannot_be_followed(asm: Compiler):
    """A call through a pointer to a function, of an extension that Debian's assembler knows."""
    words = array("I", asm(POINTERS.replace("<body>", "%x = OpNot %u32 %one")))
    at = next(at for at, word in enumerate(words) if word == 4 << 16 | 200)
    words[at] = 4 << 16 | 5601
    module = read_spirv(words.tobytes())
    reason = "it accesses memory through pointers, or runs code, that cannot be followed"
    assert access(module) == {"a": "unknown", "b": "unknown", "c": "unknown"}
    assert unknown(module)[""] == reason


def test_entries_are_judged_apart(asm: Compiler):
    text = """OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %one "one"
    OpEntryPoint GLCompute %two "two"
    OpExecutionMode %one LocalSize 1 1 1
    OpExecutionMode %two LocalSize 2 1 1
    OpName %a "a"
    OpName %b "b"
    OpName %idle "idle"
    OpDecorate %a DescriptorSet 0
    OpDecorate %a Binding 0
    OpDecorate %b DescriptorSet 0
    OpDecorate %b Binding 1
    OpDecorate %idle DescriptorSet 0
    OpDecorate %idle Binding 2
    OpDecorate %block BufferBlock
    OpMemberDecorate %block 0 Offset 0
    %void = OpTypeVoid
    %u32 = OpTypeInt 32 0
    %zero = OpConstant %u32 0
    %block = OpTypeStruct %u32
    %pb = OpTypePointer Uniform %block
    %pu = OpTypePointer Uniform %u32
    %a = OpVariable %pb Uniform
    %b = OpVariable %pb Uniform
    %idle = OpVariable %pb Uniform
    %fn = OpTypeFunction %void
    %fp = OpTypeFunction %void %pb
    %help = OpFunction %void None %fp
    %given = OpFunctionParameter %pb
    %l0 = OpLabel
    %e = OpAccessChain %pu %given %zero
    OpStore %e %zero
    OpReturn
    OpFunctionEnd
    %one = OpFunction %void None %fn
    %l1 = OpLabel
    %c1 = OpFunctionCall %void %help %a
    OpReturn
    OpFunctionEnd
    %two = OpFunction %void None %fn
    %l2 = OpLabel
    %ea = OpAccessChain %pu %a %zero
    %x = OpLoad %u32 %ea
    %c2 = OpFunctionCall %void %help %b
    OpReturn
    OpFunctionEnd"""
    module = read_spirv(asm(text))
    assert access(module, "one") == {"a": "write", "idle": "read"}
    assert access(module, "two") == {"a": "read", "b": "write", "idle": "read"}
    optional = {
        (entry.name, slot.name): slot.optional_binding
        for entry in module.facts().interface.entries
        for slot in entry.slots
    }
    assert {key for key, is_optional in optional.items() if is_optional} == {("one", "idle"), ("two", "idle")}


def test_recursion_ends(asm: Compiler):
    """SPIR-V forbids it in shaders, so that only hostile modules have it."""
    text = POINTERS.replace("<body>", "%call = OpFunctionCall %void %f %ea %eb").replace(
        "; functions",
        """%fpp = OpTypeFunction %void %pu %pu
        %f = OpFunction %void None %fpp
        %p = OpFunctionParameter %pu
        %q = OpFunctionParameter %pu
        %lf = OpLabel
        %x = OpLoad %u32 %p
        %cg = OpFunctionCall %void %g %q %p
        OpReturn
        OpFunctionEnd
        %g = OpFunction %void None %fpp
        %r = OpFunctionParameter %pu
        %s = OpFunctionParameter %pu
        %lg = OpLabel
        OpStore %r %one
        %cf = OpFunctionCall %void %f %r %s
        OpReturn
        OpFunctionEnd""",
    )
    assert access(read_spirv(asm(text))) == {"a": "read-write", "b": "read-write", "c": "read"}


def test_the_kinds_of_slots(glsl: Compiler):
    module = read_spirv(glsl(shader("a.n = 1u;"), "vulkan1.0"))
    assert {slot.name: slot.kind for slot in module.entry("main").resources}["a"] == (
        interface_pb2.SLOT_KIND_STORAGE_BUFFER
    )


POINTERS = """OpCapability Shader
OpCapability VariablePointers
OpCapability Addresses
; import
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %a "a"
OpName %b "b"
OpName %c "c"
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 0
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 1
OpDecorate %c DescriptorSet 0
OpDecorate %c Binding 2
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %words ArrayStride 4
; more
%void = OpTypeVoid
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%zero = OpConstant %u32 0
%one = OpConstant %u32 1
%yes = OpConstantTrue %bool
%words = OpTypeRuntimeArray %u32
%block = OpTypeStruct %words
%pb = OpTypePointer StorageBuffer %block
%pu = OpTypePointer StorageBuffer %u32
%ppu = OpTypePointer Function %pu
%couple = OpTypeStruct %pu %pu
%a = OpVariable %pb StorageBuffer
%b = OpVariable %pb StorageBuffer
%c = OpVariable %pb StorageBuffer
; private
%fn = OpTypeFunction %void
; functions
%main = OpFunction %void None %fn
%entry = OpLabel
%ea = OpAccessChain %pu %a %zero %zero
%eb = OpAccessChain %pu %b %zero %zero
%ec = OpAccessChain %pu %c %zero %zero
<body>
OpReturn
OpFunctionEnd
"""
UNIFORM = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %a "a"
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%zero = OpConstant %u32 0
%one = OpConstant %u32 1
%block = OpTypeStruct %u32
%pb = OpTypePointer Uniform %block
%pu = OpTypePointer Uniform %u32
%a = OpVariable %pb Uniform
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
%ea = OpAccessChain %pu %a %zero
<body>
OpReturn
OpFunctionEnd
"""
