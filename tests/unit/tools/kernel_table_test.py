#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests what tools/kernel_table.py does without nvcc: options, names, and the page that it renews."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tools"))

import cubin  # noqa: E402
import kernel_table  # noqa: E402

COMMAND = ("ccache nvcc -I/a -O3 --generate-code=arch=compute_90,code=[compute_90,sm_90] -x cu "
           "-MD -MT a.o -MF a.d -c a.cu -o a.o")


class Compilers(unittest.TestCase):
    def test_have_the_options_of_the_build_without_launcher_files_and_architectures(self):
        compiler = kernel_table.compiler_of({"command": COMMAND, "directory": "build"})
        self.assertEqual(compiler, kernel_table.Compiler(
            ("nvcc", "-I/a", "-O3", "-x", "cu"), "build", "sm_90"))

    def test_need_an_architecture_whose_multiprocessors_are_known(self):
        with self.assertRaisesRegex(kernel_table.Problem, "sm_1"):
            kernel_table.compiler_of({"command": COMMAND.replace("90", "1"), "directory": "build"})


class Names(unittest.TestCase):
    def test_of_functions_are_short(self):
        for name, short in (
                ("void a::b::Thing<a::Other<int> >::Do<(a::E)1>(a::X<2u>&, int)", "Thing::Do"),
                ("warpyard::Contact warpyard::ccd::Find(float)", "Find"),
                ("_ZN1a2bc5ThingILi1EEEvRT_", "Thing"),
                ("__cuda_sm20_div_u64", "__cuda_sm20_div_u64")):
            self.assertEqual(kernel_table.short_name(name), short)


class Functions(unittest.TestCase):
    def test_small_ones_share_a_row(self):
        class Made:
            def kernels(self):
                called = {"small": 100, "large": 4096, "tiny": 16}
                return [cubin.Kernel("kernel", 10_000, called, 256)]

        self.assertEqual(kernel_table.function_rows(Made()), [
            ("`large`", "4,096"), ("2 smaller functions", "116"),
            ("all that is copied to its callers", "5,788")])


class Page(unittest.TestCase):
    def test_has_marks_and_a_row_for_each_program(self):
        found = kernel_table.TABLES.search(kernel_table.PAGE.read_text(encoding="utf-8"))
        self.assertIsNotNone(found)
        for program in kernel_table.PROGRAMS:
            self.assertIn(f"\n| {program.title} |", found.group(0))


if __name__ == "__main__":
    unittest.main()
