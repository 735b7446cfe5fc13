#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Checks that unit tests mirror the sources, and says how many units have a test of their name.

tests/unit/queue/x_test.cc tests core/queue/x.*, and tests/unit/server/x_test.cc tests server/x.*.
Where one file cannot hold the tests of a unit, x_deadlines_test.cc tests one aspect of x.
Files in tests/unit that are no tests (helpers) may have any name.
Usage: tools/check_mirror.py [--list]    --list names the units without a test of their name
"""

import pathlib
import sys

import source_tree

UNIT_TESTS = pathlib.Path("tests/unit")
# Folders whose units are expected to have a test; the others are tests and experiments themselves.
TESTED = ("core", "server", "client_examples")


def stems(paths):
    """Returns the paths without their suffixes."""
    return {path.with_suffix("") for path in paths}


def subject_of(test, sources):
    """Returns the unit that a unit test names, or None where there is no such source."""
    folder = test.relative_to(UNIT_TESTS).parent
    words = test.stem.split("_")[:-1]
    for length in range(len(words), 0, -1):
        inner = folder / "_".join(words[:length])
        for unit in ("core" / inner, inner):
            if unit in sources:
                return unit
    return None


def main():
    sources = stems(source_tree.files(source_tree.CPP_SUFFIXES | {".py", ".sh"}))
    tests = [path for path in source_tree.files({".cc", ".py"})
             if path.is_relative_to(UNIT_TESTS) and path.stem.endswith("_test")]
    subjects = {test: subject_of(test, sources) for test in tests}
    problems = [f"{test}: no source of this name in core/ or at the root"
                for test, subject in subjects.items() if subject is None]
    units = sorted(unit for unit in stems(source_tree.files(source_tree.CPP_SUFFIXES))
                   if unit.parts[0] in TESTED)
    untested = [unit for unit in units if unit not in set(subjects.values())]
    if "--list" in sys.argv[1:]:
        print("\n".join(map(str, untested)))
    share = 100 * len(untested) / len(units)
    return source_tree.report(
        problems, f"mirror: {len(tests)} unit tests; {len(untested)} of {len(units)} units "
                  f"({share:.0f} %) have no test of their name")


if __name__ == "__main__":
    sys.exit(main())
