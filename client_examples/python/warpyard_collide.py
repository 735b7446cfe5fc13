#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""The collisions of a mesh that moves from one OBJ or PLY file to another, by way of a server.

Needs python3-grpcio and python3-protobuf, and the stubs that the build generates on PYTHONPATH:
    PYTHONPATH=build/release/python client_examples/python/warpyard_collide.py START END
"""

import argparse
import array
import json
import struct
import sys

import grpc

from warpyard.v1 import collision_service_pb2 as api
from warpyard.v1 import collision_service_pb2_grpc as service
from warpyard.v1 import job_pb2, mesh_pb2

PLY_TYPES = {"char": "b", "int8": "b", "uchar": "B", "uint8": "B", "short": "h", "int16": "h",
             "ushort": "H", "uint16": "H", "int": "i", "int32": "i", "uint": "I", "uint32": "I",
             "float": "f", "float32": "f", "double": "d", "float64": "d"}


def read_mesh(path):
    """Reads OBJ or PLY: coordinates as array 'f' or 'd', vertex indices of triangles as array 'I'."""
    with open(path, "rb") as file:
        data = file.read()
    return read_ply(data) if data.startswith(b"ply") else read_obj(data)


def triangulate(polygon, triangles):
    for i in range(1, len(polygon) - 1):
        triangles.extend((polygon[0], polygon[i], polygon[i + 1]))


def read_obj(data):
    positions, triangles = array.array("d"), array.array("I")
    for line in data.decode("utf-8", "replace").splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            positions.extend(float(word) for word in words[1:4])
        elif words[:1] == ["f"]:
            corners = [int(word.split("/")[0]) for word in words[1:]]
            count = len(positions) // 3
            triangulate([c - 1 if c > 0 else count + c for c in corners], triangles)
    return positions, triangles


def read_ply(data):
    end = data.index(b"end_header")
    body = data.index(b"\n", end) + 1
    elements, order = [], None
    for line in data[:end].decode("ascii").splitlines():
        words = line.split()
        if words[:1] == ["format"]:
            order = {"binary_little_endian": "<", "binary_big_endian": ">"}.get(words[1])
        elif words[:1] == ["element"]:
            elements.append((words[1], int(words[2]), []))
        elif words[:1] == ["property"]:
            elements[-1][2].append(words[1:])
    if order:
        take = binary_values(data, body, order)
    else:
        words = iter(data[body:].split())
        take = lambda kind: float(next(words)) if kind in "fd" else int(next(words))

    positions, triangles = array.array("f"), array.array("I")
    for name, count, properties in elements:
        types = {p[-1]: PLY_TYPES[p[0]] for p in properties if p[0] != "list"}
        if name == "vertex" and types["x"] == "d":
            positions = array.array("d")
        for _ in range(count):
            row = {}
            for p in properties:
                length = take(PLY_TYPES[p[1]]) if p[0] == "list" else 1
                kind = PLY_TYPES[p[2] if p[0] == "list" else p[0]]
                row[p[-1]] = [take(kind) for _ in range(length)]
            if name == "vertex":
                positions.extend((row["x"][0], row["y"][0], row["z"][0]))
            elif name == "face":
                triangulate(row.get("vertex_indices") or row["vertex_index"], triangles)
    return positions, triangles


def binary_values(data, at, order):
    """Returns a function that takes the next value of a type from the data."""
    readers = {kind: struct.Struct(order + kind) for kind in "bBhHiIfd"}

    def take(kind):
        nonlocal at
        value = readers[kind].unpack_from(data, at)[0]
        at += readers[kind].size
        return value

    return take


def little_endian(numbers):
    if sys.byteorder != "little":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


def to_positions(numbers):
    is_float = numbers.typecode == "f"
    scalar = mesh_pb2.SCALAR_TYPE_FLOAT32 if is_float else mesh_pb2.SCALAR_TYPE_FLOAT64
    return mesh_pb2.Positions(scalar_type=scalar, data=little_endian(numbers))


def collide(stub, start, end, arguments):
    """Opens a scene, runs one step as a stream (its parts may be many) and closes the scene."""
    job = job_pb2.JobOptions(priority="PRIORITY_" + arguments.priority.upper())
    mesh = mesh_pb2.TriangleMesh(positions=to_positions(start[0]), triangles=little_endian(start[1]))
    scene = stub.OpenScene(api.OpenSceneRequest(mesh=mesh, job=job)).scene
    options = api.CollisionOptions(
        report="REPORT_" + arguments.report.upper(),
        root_finder="ROOT_FINDER_" + arguments.root_finder.upper(),
        tolerance=arguments.tolerance,
        min_separation=arguments.min_separation,
        max_time=arguments.max_time,
        with_geometry=arguments.geometry == "on")
    step = api.StepRequest(scene=scene, end=to_positions(end[0]), collision=options, job=job)
    timeout = arguments.deadline / 1000 if arguments.deadline else None
    try:
        requests = iter([api.StreamStepsRequest(step=step)])
        return [part.result for part in stub.StreamSteps(requests, timeout=timeout)]
    finally:
        stub.CloseScene(api.CloseSceneRequest(scene=scene))


def pairs(parts, name, width):
    """The pairs of one list: ids, and the time of impact where there is one."""
    ids = b"".join(getattr(part, name + "_ids") for part in parts)
    times = b"".join(getattr(part, name + "_times") for part in parts)
    rows = [list(row) for row in struct.iter_unpack(f"<{width}I", ids)]
    for row, (time,) in zip(rows, struct.iter_unpack("<d", times)):
        row.append(time)
    return rows


def geometry(parts, places, normals, width):
    """Where the features of each pair meet (weights or parameters), and the normal."""
    rows = [list(row) for row in struct.iter_unpack(
        f"<{width}d", b"".join(getattr(part, places) for part in parts))]
    for row, normal in zip(rows, struct.iter_unpack(
            "<3d", b"".join(getattr(part, normals) for part in parts))):
        row.extend(normal)
    return rows


def to_json(parts, with_geometry):
    last = parts[-1]
    s = last.statistics
    names = ("vertices", "edges", "triangles", "vertex_face_candidates", "edge_edge_candidates",
             "capped_pairs")
    statistics = {name: getattr(s, name) for name in names}
    statistics["phases_ms"] = {p.phase: p.duration.ToNanoseconds() / 1e6 for p in s.phases}
    result = {"vertex_face": pairs(parts, "vertex_face", 2),
              "edge_edge": pairs(parts, "edge_edge", 4),
              "earliest_toi": last.earliest_time if last.HasField("earliest_time") else None,
              "statistics": statistics}
    if with_geometry:
        result["vertex_face_geometry"] = geometry(
            parts, "vertex_face_weights", "vertex_face_normals", 3)
        result["edge_edge_geometry"] = geometry(
            parts, "edge_edge_parameters", "edge_edge_normals", 2)
    return result


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("start")
    parser.add_argument("end")
    parser.add_argument("--server", default="127.0.0.1:7843")
    parser.add_argument("--report", default="collisions",
                        choices=("collisions", "earliest", "candidates"))
    parser.add_argument("--root-finder", default="conservative", choices=("conservative", "cubic"))
    parser.add_argument("--tolerance", type=float, default=0.0)
    parser.add_argument("--min-separation", type=float, default=0.0)
    parser.add_argument("--max-time", type=float, default=0.0)
    parser.add_argument("--geometry", default="off", choices=("off", "on"))
    parser.add_argument("--deadline", type=float, help="milliseconds")
    parser.add_argument("--priority", default="normal", choices=("low", "normal", "high", "urgent"))
    parser.add_argument("--out", help="JSON file")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    try:
        start, end = read_mesh(arguments.start), read_mesh(arguments.end)
    except (OSError, ValueError, KeyError, IndexError, StopIteration, struct.error) as error:
        print(f"warpyard_collide: cannot read the meshes: {error!r}", file=sys.stderr)
        return 2
    try:
        with grpc.insecure_channel(arguments.server) as channel:
            parts = collide(service.CollisionServiceStub(channel), start, end, arguments)
    except grpc.RpcError as error:
        print(f"warpyard_collide: {error.details()}", file=sys.stderr)
        return 1
    result = to_json(parts, arguments.geometry == "on")
    print(f"{len(result['vertex_face'])} vertex-face and {len(result['edge_edge'])} edge-edge pairs,",
          f"earliest {result['earliest_toi']}")
    if arguments.out:
        with open(arguments.out, "w", encoding="utf-8") as file:
            json.dump(result, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
