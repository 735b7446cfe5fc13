#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Checks that no six lines of code stand twice outside the tests.

Blank lines, comments, imports, preprocessor lines and lines of punctuation alone do not count, nor
does white space.
"""

import collections
import re
import sys

import source_tree

RUN = 6
NO_CODE = re.compile(r"\s*(?://.*|#.*|(?:import|from)\b.*|\W*)$")
TEST_FOLDER = "tests"


def code_lines(path):
    """Returns (line number, line without white space) of the lines of code of a file."""
    text = (source_tree.ROOT / path).read_text(encoding="utf-8")
    return [(number, "".join(line.split()))
            for number, line in enumerate(text.splitlines(), start=1) if not NO_CODE.match(line)]


def equal_runs(files):
    """Yields (path, first, last, path, first, last) of each longest run that stands twice.

    files: path -> its lines of code.
    """
    places = collections.defaultdict(list)
    for path, lines in files.items():
        for index in range(len(lines) - RUN + 1):
            places[tuple(text for _, text in lines[index:index + RUN])].append((path, index))
    pairs = {(first, second) for found in places.values()
             for position, first in enumerate(found) for second in found[position + 1:]}
    for (path, index), (other, other_index) in sorted(pairs):
        if ((path, index - 1), (other, other_index - 1)) in pairs:
            continue
        length = 0
        while ((path, index + length), (other, other_index + length)) in pairs:
            length += 1
        last = length + RUN - 2
        if path == other and other_index <= index + last:
            continue
        yield (path, files[path][index][0], files[path][index + last][0],
               other, files[other][other_index][0], files[other][other_index + last][0])


def main():
    paths = [path for path in source_tree.files(source_tree.CPP_SUFFIXES | {".py"})
             if TEST_FOLDER not in path.parts]
    problems = [f"{path}:{first}-{last}: the same code as {other}:{other_first}-{other_last}"
                for path, first, last, other, other_first, other_last
                in equal_runs({path: code_lines(path) for path in paths})]
    return source_tree.report(problems, f"duplicates: {len(paths)} files")


if __name__ == "__main__":
    sys.exit(main())
