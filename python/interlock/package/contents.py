"""Which targets take which forms of bytes."""

from __future__ import annotations

TARGETS_OF = {
    "cuda-source": frozenset({"cuda"}),
    "dxil": frozenset({"directx"}),
    "glsl": frozenset({"opengl", "vulkan"}),
    "hip-source": frozenset({"hip"}),
    "hlsl": frozenset({"directx", "vulkan"}),
    "metallib": frozenset({"metal"}),
    "msl": frozenset({"metal"}),
    "ptx": frozenset({"cuda"}),
    "spirv": frozenset({"opencl", "opengl", "vulkan"}),
    "spirv-assembly": frozenset({"opencl", "opengl", "vulkan"}),
    "wgsl": frozenset({"webgpu"}),
}
"""The targets whose drivers or usual compilers read a content type: `glsl` and `hlsl` compile to SPIR-V."""
KNOWN_TARGETS = frozenset(target for targets in TARGETS_OF.values() for target in targets)
