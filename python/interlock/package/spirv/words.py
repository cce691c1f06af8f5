"""The words of a module: its header, its byte order, its strings."""

from __future__ import annotations

import sys
from array import array
from dataclasses import dataclass

from interlock.package.spirv.errors import SpirvError, SpirvLimits

MAGIC = b"\x03\x02\x23\x07"
HEADER_WORDS = 5
LATEST_MINOR = 6


@dataclass(frozen=True, slots=True)
class Words:
    """A module as words.

    Attributes:
        words: All of them, the header included.
        raw: The same as little-endian bytes, in which strings read in order.
        version: Major and minor version of SPIR-V.
        generator: The number of the tool that wrote it.
        bound: Every id is below it.
    """

    words: list[int]
    raw: bytes
    version: tuple[int, int]
    generator: int
    bound: int


def read_words(data: bytes, limits: SpirvLimits) -> Words:
    """Return the words of a module whose header is right.

    Raises:
        SpirvError: `limit.spirv-bytes`, `spirv.too-short`, `spirv.wrong-magic`, `spirv.not-whole-words`,
            `spirv.unknown-version`, `spirv.bad-bound`, `limit.spirv-bound` or `spirv.unknown-schema`.
    """
    if len(data) > limits.module_bytes:
        message = f"the module has {len(data)} bytes, at most {limits.module_bytes} are read"
        raise SpirvError("limit.spirv-bytes", message)
    if data[:4] not in (MAGIC, MAGIC[::-1]) and len(data) >= 4:
        message = f"the first four bytes are `{data[:4].hex()}`, required are `03022307` or `07230203`"
        raise SpirvError("spirv.wrong-magic", message, 0)
    if len(data) < 4 * HEADER_WORDS:
        message = f"the input has {len(data)} bytes, the header of a module alone has 20"
        raise SpirvError("spirv.too-short", message, len(data))
    if len(data) % 4:
        message = f"the module has {len(data)} bytes, required is a multiple of 4"
        raise SpirvError("spirv.not-whole-words", message, len(data) - len(data) % 4)
    words = array("I", bytes(data))
    is_little = data[:4] == MAGIC
    if is_little != (sys.byteorder == "little"):
        words.byteswap()
    if is_little:
        raw = bytes(data)
    else:
        swapped = array("I", bytes(data))
        swapped.byteswap()
        raw = swapped.tobytes()
    _check_header(words, limits)
    version = words[1] >> 16 & 0xFF, words[1] >> 8 & 0xFF
    return Words(words.tolist(), raw, version, words[2], words[3])


def _check_header(words: array[int], limits: SpirvLimits) -> None:
    version = words[1]
    major, minor = version >> 16 & 0xFF, version >> 8 & 0xFF
    if version & 0xFF00_00FF or major != 1 or minor > LATEST_MINOR:
        message = f"the version is `{version:#010x}`, known are 1.0 (`0x00010000`) to 1.6 (`0x00010600`)"
        raise SpirvError("spirv.unknown-version", message, 4)
    bound = words[3]
    if bound == 0:
        raise SpirvError("spirv.bad-bound", "the bound of ids is `0`, required is at least 1", 12)
    if bound > limits.bound:
        raise SpirvError(
            "limit.spirv-bound", f"the bound of ids is `{bound}`, at most {limits.bound} is read", 12
        )
    if words[4]:
        raise SpirvError("spirv.unknown-schema", f"the schema is `{words[4]}`, required is 0", 16)


def read_string(raw: bytes, start: int, end: int, at: int, name: str) -> tuple[str, int]:
    """Return the string that starts at a word, and the word after it.

    Args:
        raw: The module as little-endian bytes.
        start: The first word of the string.
        end: The word after its instruction.
        at: The first word of its instruction.
        name: The name of its instruction.

    Raises:
        SpirvError: `spirv.unterminated-string` or `spirv.invalid-utf8`.
    """
    stop = raw.find(0, 4 * start, 4 * end)
    if stop < 0:
        message = f"a string of `{name}` has no zero byte before the instruction ends"
        raise SpirvError("spirv.unterminated-string", message, 4 * at)
    try:
        return raw[4 * start : stop].decode(), stop // 4 + 1
    except UnicodeDecodeError as error:
        byte = f"byte {error.start} of it is `{error.object[error.start]:#04x}`"
        message = f"a string of `{name}` is not UTF-8: {byte}"
        raise SpirvError("spirv.invalid-utf8", message, 4 * at) from None
