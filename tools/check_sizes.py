#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Checks that files, functions and parameter lists stay small enough to be read at once."""

import ast
import re
import statistics
import sys

import source_tree

MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 70
MAX_PARAMETERS = 5

TEXT_SUFFIXES = source_tree.CPP_SUFFIXES | {".py", ".sh", ".proto", ".cmake", ".md", ".yaml"}
NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''
    r'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*',
    re.DOTALL | re.MULTILINE)
NOT_FUNCTIONS = {"if", "for", "while", "switch", "catch", "requires", "noexcept", "decltype",
                 "alignas", "sizeof", "static_assert", "return"}
# What may stand between a parameter list and the body.
TAIL = re.compile(
    r"\s*(?:const|noexcept(?:\([^()]*\))?|override|final|mutable|&&?|->\s*[\w:<>,\s*&]+"
    r"|requires\b[^{;]*|:(?!:)[^;]*)*\s*$")


def blank_noise(text):
    """Replaces comments, literals and preprocessor lines by blanks, keeping line numbers."""
    return NOISE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def matching(text, start, opening, closing):
    """Returns the index of the bracket that closes the one at start, or the end."""
    depth = 0
    for index in range(start, len(text)):
        if text[index] == opening:
            depth += 1
        elif text[index] == closing:
            depth -= 1
            if depth == 0:
                return index
    return len(text)


def count_parameters(text):
    """Counts the parameters in the text between the parentheses of a declaration."""
    if not text.strip() or text.strip() == "void":
        return 0
    depth = 0
    commas = 0
    for character in text.replace("->", "  "):
        if character in "(<[{":
            depth += 1
        elif character in ")>]}":
            depth -= 1
        elif character == "," and depth == 0:
            commas += 1
    return commas + 1


def cpp_functions(text):
    """Yields (name, first line, lines, parameters) of each function with a body.

    It is a reader of our formatting, not of C++: a name, parentheses, a tail such as const or an
    initialiser list, and a brace. Functions within functions count as part of the outer one.
    """
    text = blank_noise(text)
    position = 0
    head = re.compile(r"(~?\b[A-Za-z_]\w*|operator\s*[^\s\w(]+|operator\s*\(\))\s*\(")
    while match := head.search(text, position):
        position = match.end()
        if match.group(1) in NOT_FUNCTIONS:
            continue
        close = matching(text, match.end() - 1, "(", ")")
        body = text.find("{", close)
        end = text.find(";", close)
        if body < 0 or (0 <= end < body) or not TAIL.match(text[close + 1:body]):
            continue
        last = matching(text, body, "{", "}")
        first_line = text.count("\n", 0, match.start()) + 1
        lines = text.count("\n", match.start(), last) + 1
        yield match.group(1), first_line, lines, count_parameters(text[match.end():close])
        position = last


def python_functions(text):
    """Yields (name, first line, lines, parameters) of each function."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            arguments = len(node.args.args) + len(node.args.kwonlyargs)
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1, arguments


def check_file(path, text, function_lines):
    """Returns the problems of one file and adds its functions' lengths to function_lines."""
    problems = []
    lines = text.count("\n")
    if lines > MAX_FILE_LINES and path.name != "LICENSE":
        problems.append(f"{path}: {lines} lines, at most {MAX_FILE_LINES}")
    if path.suffix == ".py":
        functions = python_functions(text)
    elif path.suffix in source_tree.CPP_SUFFIXES:
        functions = cpp_functions(text)
    else:
        functions = ()
    for name, line, length, parameters in functions:
        function_lines.append(length)
        if length > MAX_FUNCTION_LINES:
            problems.append(f"{path}:{line}: {name} has {length} lines, at most {MAX_FUNCTION_LINES}")
        if parameters > MAX_PARAMETERS:
            problems.append(
                f"{path}:{line}: {name} has {parameters} parameters, at most {MAX_PARAMETERS}")
    return problems


def main():
    problems = []
    file_lines = []
    function_lines = []
    for path in source_tree.files(TEXT_SUFFIXES):
        text = (source_tree.ROOT / path).read_text(encoding="utf-8")
        file_lines.append(text.count("\n"))
        problems += check_file(path, text, function_lines)
    summary = (f"sizes: {len(file_lines)} files, median {statistics.median(file_lines):.0f} lines; "
               f"{len(function_lines)} functions, median {statistics.median(function_lines):.0f}")
    return source_tree.report(problems, summary)


if __name__ == "__main__":
    sys.exit(main())
