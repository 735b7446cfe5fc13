#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests tools/cubin.py on a small ELF file, on messages of ptxas, and on known occupancies."""

import pathlib
import struct
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tools"))

import cubin  # noqa: E402

FUNC, OBJECT = 2, 1
TEXT, GLOBALS = 4, 6  # sections of the file below


class Strings:
    """A table of strings."""

    def __init__(self):
        self.data = b"\0"

    def add(self, text):
        self.data += text.encode() + b"\0"
        return len(self.data) - len(text) - 1


def elf():
    """Returns a file with kernel K of 256 bytes and 8 x 4 x 2 threads, which calls F of 64 bytes, and
    with a variable of value 77."""
    strings, names = Strings(), Strings()
    symbols = b"".join(
        struct.pack("<IBBHQQ", strings.add(name), kind, 0, section, value, size)
        for name, kind, section, value, size in (
            ("K", FUNC, TEXT, 0, 256), ("$K$F", FUNC, TEXT, 192, 64), ("x", OBJECT, GLOBALS, 4, 4)))
    info = (struct.pack("<BBH", 3, 0x1b, 255) + struct.pack("<BBHQ", 4, 0x2f, 8, 0)
            + struct.pack("<BBHIII", 4, 5, 12, 8, 4, 2))
    sections = [(".shstrtab", 3, b"", 0), (".strtab", 3, strings.data, 0), (".symtab", 2, symbols, 2),
                (".text.K", 1, bytes(256), 0), (".nv.info.K", 1, info, 0),
                (".nv.global.init", 1, struct.pack("<II", 5, 77), 0)]
    offsets = [names.add(name) for name, *_ in sections]
    body, headers = b"", bytes(64)
    for (name, kind, data, link), offset in zip(sections, offsets):
        data = names.data if name == ".shstrtab" else data
        headers += struct.pack("<IIQQQQIIQQ", offset, kind, 0, 0, 64 + len(body), len(data), link, 0,
                               0, 0)
        body += data
    start = b"\x7fELF\x02\x01".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 2, 190, 1, 0, 0, 64 + len(body), 0, 64, 0, 0, 64, len(sections) + 1, 1)
    return start + body + headers


class Cubins(unittest.TestCase):
    def test_tell_kernels_with_their_code_functions_and_threads(self):
        self.assertEqual(cubin.Cubin(elf()).kernels(), [cubin.Kernel("K", 256, {"F": 64}, 64)])

    def test_tell_values_of_variables(self):
        self.assertEqual(cubin.Cubin(elf()).word("x"), 77)
        self.assertRaises(KeyError, cubin.Cubin(elf()).word, "y")

    def test_are_elf_files(self):
        self.assertRaises(ValueError, cubin.Cubin, b"no ELF file at all")


MESSAGES = """\
ptxas info    : 343 bytes gmem
ptxas info    : Compiling entry function 'A' for 'sm_90'
ptxas info    : Function properties for A
    392 bytes stack frame, 20 bytes spill stores, 24 bytes spill loads
ptxas info    : Used 128 registers, used 8 barriers, 400 bytes cumulative stack size, 16 bytes smem
ptxas info    : Function properties for F
    8 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads
ptxas info    : Compiling entry function 'B' for 'sm_90'
ptxas info    : Function properties for B
    40 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers
"""


class Usages(unittest.TestCase):
    def test_have_the_spills_and_the_stack_of_called_functions(self):
        self.assertEqual(cubin.usages(MESSAGES), {"A": cubin.Usage(128, 400, 21, 26, 16),
                                                  "B": cubin.Usage(32, 40, 0, 0, 0)})


class Blocks(unittest.TestCase):
    """On sm_90, with what the occupancy calculator of CUDA says."""

    def fit(self, threads, registers, shared_bytes):
        return cubin.blocks_that_fit(cubin.MULTIPROCESSORS["sm_90"], threads, registers, shared_bytes)

    def test_are_bounded_by_warps_and_blocks(self):
        self.assertEqual(self.fit(256, 32, 0), 8)
        self.assertEqual(self.fit(32, 32, 0), 32)

    def test_are_bounded_by_registers_of_whole_warps_and_parts(self):
        self.assertEqual(self.fit(256, 128, 0), 2)
        self.assertEqual(self.fit(256, 129, 0), 1)
        self.assertEqual(self.fit(160, 128, 0), 3)
        self.assertEqual(self.fit(96, 168, 0), 4)

    def test_are_bounded_by_shared_memory_with_what_each_block_reserves(self):
        self.assertEqual(self.fit(32, 32, 227 * 1024), 1)
        self.assertEqual(self.fit(32, 32, 113 * 1024), 2)
        self.assertEqual(self.fit(32, 32, 113 * 1024 + 1), 1)


if __name__ == "__main__":
    unittest.main()
