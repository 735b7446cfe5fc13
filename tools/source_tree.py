# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""The files of the repository that the checks look at."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CPP_SUFFIXES = {".h", ".cc", ".cuh", ".cu"}
SKIPPED_FOLDERS = {".git", "build", "__pycache__"}


def _listed_by_git():
    """Returns the paths that git tracks or would track, or None outside a repository."""
    result = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return result.stdout.split("\0")[:-1] if result.returncode == 0 else None


def _listed_by_walk():
    """Returns the paths of all files that are not built."""
    found = []
    for folder, subfolders, names in os.walk(ROOT):
        subfolders[:] = [name for name in subfolders if name not in SKIPPED_FOLDERS]
        found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names]
    return found


def files(suffixes=None):
    """Returns paths relative to ROOT, sorted, of all files or those with one of the suffixes."""
    names = _listed_by_git()
    paths = map(pathlib.Path, _listed_by_walk() if names is None else names)
    return sorted(path for path in paths
                  if (suffixes is None or path.suffix in suffixes) and (ROOT / path).is_file())


def report(problems, checked):
    """Prints problems, or what was checked; returns the exit status."""
    for problem in problems:
        print(problem)
    print(f"{checked}: {len(problems)} problems" if problems else f"{checked}: ok")
    return 1 if problems else 0


if __name__ == "__main__":
    # For scripts: the paths with one of the given suffixes, each ended by NUL.
    for found in files(set(sys.argv[1:]) or None):
        sys.stdout.write(f"{found}\0")
