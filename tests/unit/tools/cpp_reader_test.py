#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests tools/cpp_reader.py on pieces of C++ in our formatting."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tools"))

import cpp_reader  # noqa: E402


def members(body):
    """Returns how many data members a class with this body has."""
    (found,) = [entry for entry in cpp_reader.classes(f"class Thing {{\n{body}\n}};\n")
                if entry[0] == "Thing"]
    return found[3]


class Functions(unittest.TestCase):
    def test_are_found_with_their_lines_and_parameters(self):
        text = "int Add(int a,\n        int b) {\n  return a + b;\n}\n"
        self.assertEqual(list(cpp_reader.functions(text)), [("Add", 1, 4, 2)])

    def test_are_no_declarations_calls_or_comments(self):
        text = "void Declared(int a);\n// void Said(int a) {}\nint x = Called(1, 2);\n"
        self.assertEqual(list(cpp_reader.functions(text)), [])

    def test_have_parameters_whose_types_contain_commas(self):
        text = "void F(std::map<int, int> a, std::function<void(int, int)> b) {}\n"
        self.assertEqual(list(cpp_reader.functions(text)), [("F", 1, 1, 2)])


class Classes(unittest.TestCase):
    def test_are_found_with_their_lines(self):
        text = "\nclass A final : public B<C> {\n  int a_;\n};\nstruct D {};\n"
        self.assertEqual(list(cpp_reader.classes(text)), [("A", 2, 3, 1), ("D", 5, 1, 0)])

    def test_are_no_parameters_enums_or_forward_declarations(self):
        text = "template <class T>\nvoid F() {}\nenum class E { kA };\nstruct G;\nclass H* h{};\n"
        self.assertEqual(list(cpp_reader.classes(text)), [])

    def test_count_nested_classes_apart(self):
        text = "struct A {\n  struct B {\n    int b, c;\n  };\n  B first;\n};\n"
        self.assertEqual(list(cpp_reader.classes(text)), [("A", 1, 6, 1), ("B", 2, 3, 2)])


class Members(unittest.TestCase):
    def test_are_counted_whatever_they_are_initialised_with(self):
        self.assertEqual(members("int a_ = 1; int b_{2}; int c_ = {3}, d_[4]; F e_ = Call(5);"), 5)

    def test_may_have_types_with_brackets(self):
        self.assertEqual(members("std::function<void(int, A<B>)> done_; void (*call_)(int);"), 2)

    def test_may_be_guarded_or_aligned(self):
        self.assertEqual(members("int a_ ABSL_GUARDED_BY(mutex_); alignas(64) int b_;"), 2)

    def test_are_no_functions(self):
        self.assertEqual(members(
            "public:\n explicit Thing(int a) : a_{a} {}\n Thing() = default;\n"
            "bool operator<(const Thing& b) const { return a_ < b.a_; }\n"
            "template <class T>\n auto F() const -> T { return {}; }\n private:\n int a_;"), 1)

    def test_are_no_types_constants_or_friends(self):
        self.assertEqual(members(
            "using A = int; static constexpr int kB = 1; friend class C; enum { kD };\n"
            "enum class E { kF }; static_assert(sizeof(A) == 4); struct G;"), 0)

    def test_may_be_declared_with_their_class(self):
        self.assertEqual(members("struct {\n int a;\n } b_;"), 1)


if __name__ == "__main__":
    unittest.main()
