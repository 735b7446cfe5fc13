#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Checks that files, functions, classes and folders stay small enough to be read at once."""

import ast
import collections
import dataclasses
import statistics
import sys

import cpp_reader
import source_tree


@dataclasses.dataclass(frozen=True)
class Limits:
    """The most that a file, a function, a class or a folder may have."""
    file_lines: int = 400
    function_lines: int = 60
    parameters: int = 5
    members: int = 15
    class_lines: int = 300
    folder_sources: int = 20


LIMITS = Limits()

# All exemptions: a folder with what it holds, or a file, and its own limits; the first that fits.
EXEMPTIONS = {
    # The scheduler is read more often than anything else.
    "core/model": Limits(file_lines=300, members=12),
    # One file for each decision; their number grows without limit.
    "docs/adr": Limits(folder_sources=10**6),
}

TEXT_SUFFIXES = source_tree.CPP_SUFFIXES | {".py", ".sh", ".proto", ".cmake", ".md", ".yaml"}


def limits_of(path):
    """Returns the limits of a file or folder."""
    for folder, limits in EXEMPTIONS.items():
        if f"{path}/".startswith(f"{folder}/"):
            return limits
    return LIMITS


def python_functions(tree):
    """Yields (name, first line, lines, parameters) of each function."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            arguments = len(node.args.args) + len(node.args.kwonlyargs)
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1, arguments


def python_classes(tree):
    """Yields (name, first line, lines, data members) of each class."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            members = {inner.target.id for inner in node.body
                       if isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name)}
            members |= {inner.attr for inner in ast.walk(node)
                        if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store)
                        and isinstance(inner.value, ast.Name) and inner.value.id == "self"}
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1, len(members)


def functions_and_classes(path, text):
    """Returns the functions and the classes of a file."""
    if path.suffix == ".py":
        tree = ast.parse(text)
        return list(python_functions(tree)), list(python_classes(tree))
    if path.suffix in source_tree.CPP_SUFFIXES:
        return list(cpp_reader.functions(text)), list(cpp_reader.classes(text))
    return [], []


class Report:
    """Collects what exceeds a limit."""

    def __init__(self):
        self.problems = []

    def expect(self, where, count, noun, limit):
        """Notes a problem where a count exceeds its limit."""
        if count > limit:
            self.problems.append(f"{where} has {count} {noun}, at most {limit}")


def check_file(path, text, report):
    """Checks one file; returns the lengths of its functions and classes."""
    limits = limits_of(path)
    report.expect(path, text.count("\n"), "lines", limits.file_lines)
    functions, classes = functions_and_classes(path, text)
    for name, line, lines, parameters in functions:
        report.expect(f"{path}:{line}: {name}", lines, "lines", limits.function_lines)
        report.expect(f"{path}:{line}: {name}", parameters, "parameters", limits.parameters)
    for name, line, lines, members in classes:
        report.expect(f"{path}:{line}: {name}", lines, "lines", limits.class_lines)
        report.expect(f"{path}:{line}: {name}", members, "data members", limits.members)
    return [entry[2] for entry in functions], [entry[2] for entry in classes]


def main():
    report = Report()
    file_lines, function_lines, class_lines = [], [], []
    sources = collections.Counter()
    for path in source_tree.files(TEXT_SUFFIXES):
        text = (source_tree.ROOT / path).read_text(encoding="utf-8")
        file_lines.append(text.count("\n"))
        sources[path.parent] += 1
        functions, classes = check_file(path, text, report)
        function_lines += functions
        class_lines += classes
    for folder, count in sorted(sources.items()):
        report.expect(folder, count, "sources", limits_of(folder).folder_sources)
    summary = ", ".join(f"{len(lines)} {noun} (median {statistics.median(lines):.0f} lines)"
                        for noun, lines in (("files", file_lines), ("functions", function_lines),
                                            ("classes", class_lines)))
    return source_tree.report(report.problems, f"sizes: {summary}, {len(sources)} folders")


if __name__ == "__main__":
    sys.exit(main())
