#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""The collisions of a mesh that moves from one OBJ or PLY file to another, by way of a server.

Needs python3-grpcio and python3-protobuf, and the stubs that the build generates on PYTHONPATH:
    PYTHONPATH=build/release/python client_examples/python/warpyard_collide.py START END
"""

import argparse
import json
import struct
import sys

import grpc

from warpyard.v1 import collision_service_pb2 as api
from warpyard.v1 import collision_service_pb2_grpc as service
from warpyard.v1 import job_pb2, mesh_pb2

import call_error
import connection
import mesh_files
import wire

MAX_DEADLINE_MS = 1e9


def milliseconds(word):
    value = float(word)
    if not 0 < value <= MAX_DEADLINE_MS:
        raise ValueError
    return value


# For each flag: its name, its default, how its value is read (a type or a list of choices), and its
# help.
FLAGS = (
    ("--report", "collisions", ("collisions", "earliest", "candidates"),
     "all pairs with their times of impact; only the earliest time; or the pairs whose swept boxes "
     "overlap, without times"),
    ("--root-finder", "conservative", ("conservative", "cubic"),
     "never misses a collision; or in floating point, without that guarantee"),
    ("--tolerance", 0.0, float,
     "a length: how closely the conservative finder looks; features that come nearer may be "
     "reported too (0: the server's default, 1e-8)"),
    ("--min-separation", 0.0, float,
     "a length: features collide as soon as they are so near (conservative finder only)"),
    ("--max-time", 0.0, float,
     "in (0, 1]: collisions after this part of the step are left out (0: the whole step)"),
    ("--geometry", "off", ("off", "on"),
     "adds where the features of each pair meet, and the contact normal"),
    ("--traversal", "clusters", ("clusters", "independent", "work-queue", "compaction", "balancing",
                                 "stealing", "front"),
     "how pairs whose boxes overlap are found: the fastest way, or one of the papers"),
    ("--volume", "boxes", ("boxes", "oriented"),
     "tells nodes apart by boxes along the coordinates; or by oriented ones, too (work-queue, "
     "stealing and front only)"),
    ("--build", "morton", ("morton", "top-down"),
     "builds the hierarchy in Morton order; or from the top, by splits"),
    ("--deadline", None, milliseconds,
     "gives up after so many milliseconds; jobs with a deadline run first, the earliest before "
     "the others"),
    ("--priority", "normal", ("low", "normal", "high", "urgent"),
     "order among jobs without a deadline"),
    ("--out", None, str, "JSON file where the lists and the statistics go"),
)

VOLUMES = {"boxes": "AXIS_ALIGNED_BOXES", "oriented": "ORIENTED_BOXES"}


def enum_value(prefix, word):
    return prefix + word.upper().replace("-", "_")


def collide(stub, frames, arguments):
    """Opens a scene, runs one step as a stream (its parts may be many) and closes the scene."""
    triangles, start, end = frames
    job = job_pb2.JobOptions(priority=enum_value("PRIORITY_", arguments.priority))
    mesh = mesh_pb2.TriangleMesh(positions=wire.to_positions(start),
                                 triangles=wire.little_endian(triangles))
    scene = stub.OpenScene(api.OpenSceneRequest(
        mesh=mesh, job=job, hierarchy_build=enum_value("HIERARCHY_BUILD_", arguments.build))).scene
    options = api.CollisionOptions(
        report=enum_value("REPORT_", arguments.report),
        root_finder=enum_value("ROOT_FINDER_", arguments.root_finder),
        tolerance=arguments.tolerance,
        min_separation=arguments.min_separation,
        max_time=arguments.max_time,
        with_geometry=arguments.geometry == "on",
        traversal=enum_value("TRAVERSAL_", arguments.traversal),
        bounding_volume="BOUNDING_VOLUME_" + VOLUMES[arguments.volume])
    step = api.StepRequest(scene=scene, end=wire.to_positions(end), collision=options, job=job)
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
    if s.HasField("traversal"):
        statistics["traversal"] = {name: getattr(s.traversal, name) for name in (
            "visited_node_pairs", "triangle_pairs", "front_pairs", "steals", "rounds",
            "from_front")}
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


def summary(result, report):
    """What the report asks for: pairs, times, or only the earliest time."""
    earliest = "none" if result["earliest_toi"] is None else result["earliest_toi"]
    if report == "earliest":
        return f"earliest {earliest}"
    pair_counts = (f"{len(result['vertex_face'])} vertex-face and {len(result['edge_edge'])} "
                   "edge-edge pairs")
    return pair_counts if report == "candidates" else f"{pair_counts}, earliest {earliest}"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("start", help="OBJ or PLY file of the mesh before the step")
    parser.add_argument("end", help="the same mesh after the step")
    connection.add_flags(parser)
    for name, default, kind, text in FLAGS:
        values = {"choices": kind} if isinstance(kind, tuple) else {"type": kind}
        if default is not None:
            text += f" (default {default})"
        parser.add_argument(name, default=default, help=text, **values)
    return parser.parse_args()


def fail(message, status):
    print(f"warpyard_collide: {message}", file=sys.stderr)
    return status


def main():
    arguments = parse_arguments()
    try:
        frames = mesh_files.read_frames(arguments.start, arguments.end)
    except mesh_files.MeshError as error:
        return fail(error, 2)
    try:
        with connection.connect(arguments.server, arguments) as channel:
            parts = collide(service.CollisionServiceStub(channel), frames, arguments)
    except connection.NoServer as error:
        return fail(error, 1)
    except grpc.RpcError as error:
        return fail(call_error.explain(error), 1)
    result = to_json(parts, arguments.geometry == "on")
    print(summary(result, arguments.report))
    if arguments.out:
        try:
            with open(arguments.out, "w", encoding="utf-8") as file:
                json.dump(result, file)
        except OSError as error:
            return fail(f"{arguments.out}: {error.strerror}", 2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
