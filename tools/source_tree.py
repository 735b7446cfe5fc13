# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""The files of the repository that the checks look at."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
CPP_SUFFIXES = {".h", ".cc", ".cuh", ".cu"}
SKIPPED_FOLDERS = {".git", "build", "__pycache__"}


def files(suffixes=None):
    """Yields paths relative to ROOT, sorted, of all files or those with one of the suffixes."""
    found = []
    for folder, subfolders, names in os.walk(ROOT):
        subfolders[:] = [name for name in subfolders if name not in SKIPPED_FOLDERS]
        for name in names:
            path = pathlib.Path(folder, name).relative_to(ROOT)
            if suffixes is None or path.suffix in suffixes:
                found.append(path)
    return sorted(found)


def report(problems, checked):
    """Prints problems, or what was checked; returns the exit status."""
    for problem in problems:
        print(problem)
    print(f"{checked}: {len(problems)} problems" if problems else f"{checked}: ok")
    return 1 if problems else 0
