#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Levels of detail of a mesh in an OBJ or PLY file, by way of a server.

Needs python3-grpcio and python3-protobuf, and the stubs that the build generates on PYTHONPATH:
    PYTHONPATH=build/release/python client_examples/python/simplify_mesh.py IN.ply OUT.ply
"""

import argparse
import array
import os.path
import sys

import grpc

from warpyard.v1 import mesh_pb2
from warpyard.v1 import simplify_service_pb2 as api
from warpyard.v1 import simplify_service_pb2_grpc as service

import call_error
import connection
import mesh_files
import wire


def list_of(kind):
    return lambda words: [kind(word) for word in words.split(",")]


# For each goal: its flag, its field of SimplifyRequest, how a number is read, and its help.
GOALS = (
    ("--ratios", "ratio", float, "parts of the triangles (default 0.5,0.25,0.125)"),
    ("--triangles", "triangles", int, "numbers of triangles"),
    ("--errors", "max_error", float, "lengths: about how far vertices may be from the planes of the "
                                     "triangles that they stand for"),
)


def open_model(stub, positions, corners):
    """Opens a model. Triangles that name a vertex twice have no surface and are left out."""
    proper = array.array("I")
    for a, b, c in zip(corners[::3], corners[1::3], corners[2::3]):
        if a not in (b, c) and b != c:
            proper.extend((a, b, c))
    mesh = mesh_pb2.TriangleMesh(positions=wire.to_positions(positions),
                                 triangles=wire.little_endian(proper))
    return stub.OpenModel(api.OpenModelRequest(mesh=mesh))


def simplify(stub, mesh, goals, finish):
    """Opens a model, asks for all levels at once, and closes the model again."""
    opened = open_model(stub, *mesh)
    try:
        calls = [stub.Simplify.future(api.SimplifyRequest(model=opened.model, finish=finish, **goal))
                 for goal in goals]
        return opened, [call.result() for call in calls]
    finally:
        stub.CloseModel(api.CloseModelRequest(model=opened.model))


def to_mesh(response):
    """Coordinates and corners of a level. Positions are relative to an origin of doubles."""
    positions = wire.from_little_endian("f", response.mesh.positions.data)
    if any(response.origin):
        positions = array.array("d", (response.origin[i % 3] + value
                                      for i, value in enumerate(positions)))
    return positions, wire.from_little_endian("I", response.mesh.triangles)


def milliseconds(phases):
    """The time of the work. The levels wait for each other in the queue."""
    return sum(phase.duration.ToNanoseconds() for phase in phases if phase.phase != "queue") / 1e6


def table(levels, responses):
    """A line for each level: its file, sizes, the greatest error of a vertex, and its time."""
    rows = [("file", "triangles", "vertices", "error", "ms")]
    for path, response in zip(levels, responses):
        rows.append((path, str(len(response.mesh.triangles) // 12),
                     str(len(response.source_vertices) // 4),
                     f"{response.statistics.max_error:.3g}",
                     f"{milliseconds(response.statistics.phases):.1f}"))
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join([row[0].ljust(widths[0])] +
                               [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])])
                     for row in rows)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mesh", metavar="IN", help="OBJ or PLY file")
    parser.add_argument("out", metavar="OUT",
                        help="OBJ or PLY file; levels go to OUT_0.ply, OUT_1.ply, ... for OUT.ply")
    connection.add_flags(parser)
    goals = parser.add_mutually_exclusive_group()
    for flag, field, kind, text in GOALS:
        goals.add_argument(flag, dest=field, type=list_of(kind), metavar="N,N,...", help=text)
    parser.add_argument("--finish", default="collapse", choices=("collapse", "cut"),
                        help="collapses edges, or takes a cut of the model's tree: faster, and "
                             "rougher (default %(default)s)")
    return parser.parse_args()


def fail(message, status):
    print(f"simplify_mesh: {message}", file=sys.stderr)
    return status


def main():
    arguments = parse_arguments()
    fields = [field for _, field, _, _ in GOALS if getattr(arguments, field)]
    goals = ([{field: number} for field in fields for number in getattr(arguments, field)] or
             [{"ratio": ratio} for ratio in (0.5, 0.25, 0.125)])
    try:
        mesh_files.check_ending(arguments.out)
        mesh = mesh_files.read_mesh(arguments.mesh)
    except mesh_files.MeshError as error:
        return fail(error, 2)
    try:
        with connection.connect(arguments.server, arguments) as channel:
            opened, responses = simplify(service.SimplifyServiceStub(channel), mesh, goals,
                                         "FINISH_" + arguments.finish.upper())
    except connection.NoServer as error:
        return fail(error, 1)
    except grpc.RpcError as error:
        return fail(call_error.explain(error), 1)
    stem, ending = os.path.splitext(arguments.out)
    levels = [f"{stem}_{i}{ending}" for i in range(len(responses))]
    try:
        for path, response in zip(levels, responses):
            mesh_files.write_mesh(path, *to_mesh(response))
    except mesh_files.MeshError as error:
        return fail(error, 2)
    print(f"{opened.triangles} triangles, {opened.vertices} vertices, opened in "
          f"{milliseconds(opened.phases):.1f} ms")
    print(table(levels, responses))
    return 0


if __name__ == "__main__":
    sys.exit(main())
