#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""A robot cell: an arm over a table swings until it meets a post. Prints the first collision.

The cell is uploaded once; after that a step is one 3x4 matrix for each body that moves. Needs
python3-grpcio and python3-protobuf, and the stubs that the build generates on PYTHONPATH:
    PYTHONPATH=build/release/python client_examples/python/robot_cell.py
"""

import argparse
import array
import math
import struct
import sys

import grpc

from warpyard.v1 import collision_service_pb2 as api
from warpyard.v1 import collision_service_pb2_grpc as service
from warpyard.v1 import mesh_pb2

import call_error
import connection
import session

# Boxes in metres, low and high corner, when all joints are at 0, with gaps at the joints. The table
# and the post never move, so they come last.
BODIES = {
    "base": ((-0.1, -0.1, 0.01), (0.1, 0.1, 0.4)),
    "upper arm": ((0.1, -0.05, 0.45), (0.6, 0.05, 0.55)),
    "forearm": ((0.8, -0.05, 0.45), (1.2, 0.05, 0.55)),
    "table": ((-1.5, -1.5, -0.05), (1.5, 1.5, 0.0)),
    "post": ((-0.05, 0.95, 0.01), (0.05, 1.05, 0.9)),
}
STATIC_BODIES = 2
NAMES = list(BODIES)
SHOULDER, ELBOW = (0.0, 0.0, 0.5), (0.7, 0.0, 0.5)
RAISE_STEPS, SWING_STEPS = 10, 40


def multiply(a, b):
    """The rigid transform that does b and then a."""
    def entry(row, column):
        moved = sum(a[4 * row + k] * b[4 * k + column] for k in range(3))
        return moved + (a[4 * row + 3] if column == 3 else 0)
    return [entry(row, column) for row in range(3) for column in range(4)]


def turn_about_z(angle):
    c, s = math.cos(angle), math.sin(angle)
    return (c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0)


def turn_about_y(angle, pivot):
    c, s = math.cos(angle), math.sin(angle)
    x, _, z = pivot
    return (c, 0, s, x - c * x - s * z, 0, 1, 0, 0, -s, 0, c, z + s * x - c * z)


def pose(base, shoulder, elbow):
    """Where the joints take the bodies of the arm from where they were uploaded."""
    swing = turn_about_z(base)
    upper = multiply(swing, turn_about_y(shoulder, SHOULDER))
    fore = multiply(upper, turn_about_y(elbow, ELBOW))
    matrices = (swing, upper, fore)
    return mesh_pb2.Pose(matrices=struct.pack("<36d", *(x for m in matrices for x in m)))


def base_angle(step):
    return 0.05 * max(0.0, step - RAISE_STEPS)


def pose_after(step):
    """The path: the arm is raised with the forearm level, then it swings."""
    raised = 0.02 * min(step, RAISE_STEPS)
    return pose(base_angle(step), -raised, raised)


def cell_mesh():
    positions, triangles, groups = array.array("f"), array.array("I"), array.array("I")
    for body, corners in enumerate(BODIES.values()):
        first = len(groups)
        for corner in range(8):
            positions.extend(corners[corner >> axis & 1][axis] for axis in range(3))
            groups.append(body)
        for a, b, c, d in ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2),
                           (1, 3, 7, 5)):
            triangles.extend(first + v for v in (a, b, c, a, c, d))
    if sys.byteorder != "little":
        for numbers in (positions, triangles, groups):
            numbers.byteswap()
    return mesh_pb2.TriangleMesh(
        positions=mesh_pb2.Positions(scalar_type=mesh_pb2.SCALAR_TYPE_FLOAT32,
                                     data=positions.tobytes()),
        triangles=triangles.tobytes(), vertex_groups=groups.tobytes())


def first_pair(result):
    """The time of the earliest pair and the names of its bodies: vertex v belongs to box v // 8."""
    faces = struct.iter_unpack("<2I", result.vertex_face_ids)
    edges = struct.iter_unpack("<4I", result.edge_edge_ids)
    times = [time for packed in (result.vertex_face_times, result.edge_edge_times)
             for (time,) in struct.iter_unpack("<d", packed)]
    bodies = [(v // 8, f // 12) for v, f in faces] + [(a // 8, b // 8) for a, _, b, _ in edges]
    time, pair = min(zip(times, (sorted(pair) for pair in bodies)))
    return time, [NAMES[body] for body in pair]


def step_request(step):
    """Makes the request of a step. The cell starts at the end of its last step.

    A new scene has no last step, so its request tells where the cell starts.
    """
    def make(scene, is_new):
        request = api.StepRequest(scene=scene, end_pose=pose_after(step))
        if is_new:
            request.start_pose.CopyFrom(pose_after(step - 1))
        return request
    return make


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    connection.add_flags(parser)
    arguments = parser.parse_args()
    steps, strays = RAISE_STEPS + SWING_STEPS, 0.0
    try:
        with connection.connect(arguments.server, arguments, stay=False) as channel:
            stub = service.CollisionServiceStub(channel)
            scene = session.Resident(stub.OpenScene, api.OpenSceneRequest(
                mesh=cell_mesh(), group_rule=api.GROUP_RULE_DIFFERENT,
                static_vertices=8 * STATIC_BODIES), "scene")
            try:
                for step in range(1, steps + 1):
                    result = scene.call(stub.Step, step_request(step), timeout=5).result
                    strays = max(strays, result.path_deviation)
                    if result.HasField("earliest_time"):
                        break
            finally:
                scene.close(stub.CloseScene, lambda name: api.CloseSceneRequest(scene=name))
    except (connection.NoServer, grpc.RpcError) as error:
        message = call_error.explain(error) if isinstance(error, grpc.RpcError) else error
        print(f"robot_cell: {message}", file=sys.stderr)
        return 1
    if result.HasField("earliest_time"):
        time, names = first_pair(result)
        print(f"step {step} of {steps}: {names[0]} and {names[1]} meet, "
              f"base at {base_angle(step - 1 + time):.3f} rad")
    else:
        print(f"no collision in {steps} steps")
    # The path of each of two bodies may deviate by this much, so bodies that keep more than twice
    # it apart are safe.
    print(f"straight paths stray from arcs by at most {1000 * strays:.2f} mm a body")
    return 0


if __name__ == "__main__":
    sys.exit(main())
