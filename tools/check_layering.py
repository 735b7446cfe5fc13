#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Checks that includes follow the layers of the project: proto <- server -> core.

A layer may include itself, the layers that LAYERS gives it, and what those may include.
"""

import re
import sys

import source_tree

# Layer -> layers it may include directly. A layer is the longest of these names that is a folder
# above the file, or the file itself without its suffix.
LAYERS = {
    "core/base": [],
    "core/exec": ["core/base"],
    "core/device": ["core/exec"],
    "core/memory": ["core/device"],
    "core/queue": ["core/exec"],
    "core/message": ["core/exec"],
    "core/procedure": ["core/exec"],
    "core/strategy": ["core/queue"],
    "core/policy": ["core/queue"],
    "core/workload": ["core/procedure", "core/memory"],
    "core/model": ["core/strategy", "core/policy", "core/procedure", "core/message", "core/memory"],
    "core/dispatch": ["core/model"],
    "core/engine": ["core/dispatch", "core/workload"],
    "proto": [],
    "server": ["proto", "core/engine"],
    "client_examples/mesh_io": [],
    "client_examples": ["proto", "client_examples/mesh_io"],
    "tests": ["server", "core/engine", "client_examples", "benchmarks", "tests"],
    "benchmarks": ["server", "core/engine", "client_examples"],
    "research": ["core/engine", "client_examples", "benchmarks", "tests"],
}

# Headers of other projects that only some layers may include.
FOREIGN = [
    (re.compile(r"(grpcpp|grpc|google/protobuf)/"), {"server", "client_examples", "tests", "benchmarks"}),
    (re.compile(r"prometheus/"), {"server", "tests"}),
    (re.compile(r"(cuda_runtime\w*|cooperative_groups)\.h|cub/"),
     {"core/exec", "core/device", "core/model", "core/engine", "tests", "benchmarks", "research"}),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')


def layer_of(path):
    """Returns the layer of a file, or None for one that belongs to none."""
    parts = path.replace("warpyard/v1/", "proto/warpyard/v1/", 1).split("/")
    parts[-1] = re.sub(r"[._].*$", "", parts[-1])
    for length in range(len(parts), 0, -1):
        name = "/".join(parts[:length])
        if name in LAYERS:
            return name
    return None


def reachable(layer):
    """Returns the layers that a layer may include."""
    found = {layer}
    waiting = [layer]
    while waiting:
        for below in LAYERS[waiting.pop()]:
            if below not in found:
                found.add(below)
                waiting.append(below)
    return found


def check_include(path, layer, included):
    """Returns what is wrong with one include, or None."""
    if str(path).endswith(".h") and included.endswith(".cuh"):
        return "a .h file compiles without nvcc, so it cannot include a .cuh file"
    for pattern, allowed in FOREIGN:
        if pattern.match(included):
            return None if layer in allowed else f"{layer} may not include {included}"
    target = layer_of(included)
    if target is None:
        is_ours = included.split("/")[0] in {name.split("/")[0] for name in LAYERS}
        return f"{included} belongs to no layer of the table" if is_ours else None
    if target not in reachable(layer):
        return f"{layer} may not include {target} ({included})"
    return None


def main():
    problems = []
    checked = 0
    for path in source_tree.files(source_tree.CPP_SUFFIXES):
        layer = layer_of(str(path))
        if layer is None:
            problems.append(f"{path}: the file belongs to no layer of the table")
            continue
        lines = (source_tree.ROOT / path).read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, start=1):
            match = INCLUDE.match(line)
            if match:
                checked += 1
                problem = check_include(path, layer, match.group(1))
                if problem:
                    problems.append(f"{path}:{number}: {problem}")
    return source_tree.report(problems, f"layering: {checked} includes")


if __name__ == "__main__":
    sys.exit(main())
