#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Checks that includes follow the layers of the project: proto <- server -> core.

A layer may include itself, the layers that LAYERS gives it, and what those may include.
Usage: tools/check_layering.py [--write]    --write renews the table of core/README.md
"""

import dataclasses
import re
import sys

import source_tree


@dataclasses.dataclass(frozen=True)
class Layer:
    """The layers that one layer may include directly, and what it holds."""
    below: tuple = ()
    holds: str = ""


# The layer of a file is the longest of these names that is a folder above the file, or the file
# itself without its suffix.
LAYERS = {
    "core/base": Layer(holds="macros, ids"),
    "core/exec": Layer(
        ("core/base",), "execution scopes: atomics, blocks, waits, clocks; short vectors"),
    "core/device": Layer(
        ("core/exec",), "a backend: memory, copies, the library sort; CPU and CUDA"),
    "core/memory": Layer(("core/device",), "arrays in backend memory"),
    "core/queue": Layer(("core/exec",), "massively parallel bounded queues"),
    "core/policy": Layer(("core/base",), "which event's elements come first"),
    "core/message": Layer(("core/exec",), "rings and clocks between the host and a device"),
    "core/procedure": Layer(
        ("core/exec",),
        "what a procedure is; lists of them; gathering results in a block"),
    "core/workload": Layer(
        ("core/procedure", "core/memory"),
        "what is computed: a folder for each workload, and `geometry` beneath them"),
    "core/model": Layer(
        ("core/queue", "core/policy", "core/procedure", "core/message", "core/memory"),
        "events, and the workers that execute them: warps of a resident kernel, CPU threads"),
    "core/programs": Layer(
        ("core/model", "core/workload"),
        "which workloads are compiled into which kernel: one line each"),
    "core/dispatch": Layer(
        ("core/procedure",),
        "which device a job goes to and when; deadlines, limits and cancels of whole jobs"),
    "core/engine": Layer(
        ("core/dispatch", "core/model", "core/programs"),
        "jobs on residents, whatever the workload; no geometry in it"),
    "core/api": Layer(
        ("core/engine", "core/workload"),
        "the typed face of each workload: what the server and users of the library include"),
    "proto": Layer(),
    "server": Layer(("proto", "core/api")),
    "client_examples/mesh_io": Layer(),
    "client_examples/mesh_measure": Layer(("core/workload",)),
    "client_examples": Layer(
        ("proto", "client_examples/mesh_io", "client_examples/mesh_measure")),
    "tests": Layer(("server", "core/api", "core/programs", "client_examples", "benchmarks")),
    "benchmarks": Layer(("server", "core/api", "core/programs", "client_examples")),
    "research": Layer(("tests", "benchmarks")),
}

# Layers that do not pass on their includes: the engine runs a program without access to the
# workloads in it, and clients measure meshes without access to the library.
OPAQUE = {"core/programs", "client_examples/mesh_measure"}

# Headers of other projects that only some layers may include.
FOREIGN = [
    (re.compile(r"(grpcpp|grpc|google/protobuf)/"),
     {"server", "client_examples", "tests", "benchmarks", "research"}),
    (re.compile(r"prometheus/"), {"server", "tests"}),
    (re.compile(r"openssl/"), {"server", "client_examples"}),
    (re.compile(r"(cuda_runtime\w*|cooperative_groups)\.h|cub/"),
     {"core/exec", "core/device", "core/model", "core/engine", "tests", "benchmarks", "research"}),
]

README = source_tree.ROOT / "core" / "README.md"
README_TABLE = re.compile(r"(<!-- layers: .*? -->\n\n).*?(<!-- end of layers -->)", re.DOTALL)

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
        for below in LAYERS[waiting.pop()].below:
            if below not in found:
                found.add(below)
                if below not in OPAQUE:
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


def readme_table():
    """Returns the table of core's layers for its README."""
    rows = ["| Layer | Holds | May include |", "| --- | --- | --- |"]
    for name, layer in LAYERS.items():
        if name.startswith("core/"):
            below = ", ".join(f"`{short}`" for short in map(short_name, layer.below))
            rows.append(f"| `{short_name(name)}` | {layer.holds} | {below} |".replace("|  |", "| |"))
    return "\n".join(rows) + "\n\n"


def short_name(layer):
    """Returns how core's README names a layer of core."""
    return layer.removeprefix("core/") + (".h" if layer == "core/programs" else "")


def check_readme(write):
    """Returns what is wrong with the table of core's README, or renews it."""
    text = README.read_text(encoding="utf-8")
    renewed, found = README_TABLE.subn(
        lambda match: match.group(1) + readme_table() + match.group(2), text)
    if found != 1:
        return ["core/README.md: the marks around the table of layers are missing"]
    if renewed != text and write:
        README.write_text(renewed, encoding="utf-8")
    elif renewed != text:
        return ["core/README.md: the table of layers is stale: run tools/check_layering.py --write"]
    return []


def main():
    problems = check_readme("--write" in sys.argv[1:])
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
