# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""What nvcc tells about compiled kernels: cubin files, the messages of `ptxas -v`, and how many blocks
of a kernel a multiprocessor holds."""

import dataclasses
import re
import struct

# ELF64, little endian: https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_TYPE_FUNC = 2
_SECTION_NOBITS = 8

# Entries of .nv.info.<kernel>: format, attribute, and a size where the format says that bytes follow.
_INFO = struct.Struct("<BBH")
_FORMAT_SIZED = 4
_ATTRIBUTE_MAX_THREADS = 5


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A kernel in a cubin; names are mangled."""
    name: str
    code_bytes: int  # of all its instructions, with those of the functions that it calls
    called: dict  # function -> bytes of its instructions
    threads: int  # of a block at most, 0 where nothing is said


class Cubin:
    """The sections and symbols of a cubin."""

    def __init__(self, data):
        if data[:6] != b"\x7fELF\x02\x01":
            raise ValueError("not an ELF file of 64 bits, little endian")
        self._data = data
        header = _HEADER.unpack_from(data)
        offset, size, count, names = header[6], header[11], header[12], header[13]
        headers = [_SECTION.unpack_from(data, offset + index * size) for index in range(count)]
        self._sections = [(self._string(headers[names], entry[0]), entry) for entry in headers]
        self._symbols = []
        for name, entry in self._sections:
            if name == ".symtab":
                self._symbols = list(self._read_symbols(entry))

    def kernels(self):
        """Returns the kernels."""
        found = []
        for index, (section, entry) in enumerate(self._sections):
            name = section.removeprefix(".text.")
            if name == section:
                continue
            called = {symbol.split("$")[-1]: size for symbol, kind, where, _, size in self._symbols
                      if kind == _TYPE_FUNC and where == index and symbol != name}
            found.append(Kernel(name, entry[5], called, self._threads(name)))
        return found

    def word(self, name):
        """Returns the value that a variable of 32 bits begins with."""
        for symbol, _, index, value, _ in self._symbols:
            if symbol == name:
                entry = self._sections[index][1]
                if entry[1] == _SECTION_NOBITS:
                    return 0
                return struct.unpack_from("<I", self._data, entry[4] + value)[0]
        raise KeyError(name)

    def _string(self, table, offset):
        begin = table[4] + offset
        return self._data[begin:self._data.index(b"\0", begin)].decode()

    def _read_symbols(self, entry):
        strings = self._sections[entry[6]][1]
        for offset in range(entry[4], entry[4] + entry[5], _SYMBOL.size):
            name, info, _, section, value, size = _SYMBOL.unpack_from(self._data, offset)
            yield self._string(strings, name), info & 15, section, value, size

    def _threads(self, kernel):
        """Returns the product of the kernel's bounds on threads."""
        for section, entry in self._sections:
            if section != f".nv.info.{kernel}":
                continue
            offset = entry[4]
            while offset < entry[4] + entry[5]:
                form, attribute, size = _INFO.unpack_from(self._data, offset)
                offset += _INFO.size
                if form == _FORMAT_SIZED:
                    if attribute == _ATTRIBUTE_MAX_THREADS:
                        x, y, z = struct.unpack_from("<III", self._data, offset)
                        return x * y * z
                    offset += size
        return 0


@dataclasses.dataclass
class Usage:
    """What ptxas says about a kernel."""
    registers: int = 0
    stack_bytes: int = 0  # of a thread, with those of the functions that it calls
    spill_stores: int = 0  # bytes, with those of the functions
    spill_loads: int = 0
    shared_bytes: int = 0  # without what a launch adds


_ENTRY = re.compile(r"Compiling entry function '([^']+)'")
_FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_REGISTERS = re.compile(r"Used (\d+) registers")
_STACK = re.compile(r"(\d+) bytes cumulative stack size")
_SHARED = re.compile(r"(\d+) bytes smem")


def usages(messages):
    """Returns kernel -> Usage from the messages of ptxas -v."""
    found = {}
    usage = Usage()
    for line in messages.splitlines():
        if entry := _ENTRY.search(line):
            usage = found.setdefault(entry.group(1), Usage())
        elif frame := _FRAME.search(line):
            # The kernel's comes first, then those of functions; "Used" has what they need together.
            usage.stack_bytes = usage.stack_bytes or int(frame.group(1))
            usage.spill_stores += int(frame.group(2))
            usage.spill_loads += int(frame.group(3))
        elif registers := _REGISTERS.search(line):
            usage.registers = int(registers.group(1))
            if stack := _STACK.search(line):
                usage.stack_bytes = int(stack.group(1))
            if shared := _SHARED.search(line):
                usage.shared_bytes = int(shared.group(1))
    return found


@dataclasses.dataclass(frozen=True)
class Multiprocessor:
    """What a multiprocessor has, and how it is dealt out."""
    blocks: int
    warps: int
    registers: int
    shared_bytes: int
    reserved_bytes: int = 1024  # of the shared memory, for each block
    parts: int = 4  # each has its share of the warps and of the registers
    register_unit: int = 256  # of a warp's registers
    shared_unit: int = 128


# "Technical Specifications per Compute Capability" of the CUDA C++ Programming Guide.
MULTIPROCESSORS = {"sm_90": Multiprocessor(32, 64, 65_536, 228 * 1024)}


def blocks_that_fit(processor, threads, registers, shared_bytes):
    """Returns how many blocks of a kernel a multiprocessor holds at once."""
    def round_up(value, unit):
        return -(-value // unit) * unit

    warps = -(-threads // 32)
    of_warp = round_up(32 * max(registers, 1), processor.register_unit)
    most_warps = min(processor.warps,
                     processor.registers // processor.parts // of_warp * processor.parts)
    of_block = round_up(shared_bytes + processor.reserved_bytes, processor.shared_unit)
    return min(processor.blocks, most_warps // warps, processor.shared_bytes // of_block)
