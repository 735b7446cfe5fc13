#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Many worlds, one message a step: in each a box sinks to its table. Prints when each arrives.

All worlds have the same mesh, so they are one set: it is uploaded once, and a step of all of them is
one array of positions. A world whose box has arrived is left out of the next steps. Needs
python3-grpcio and python3-protobuf, and the stubs that the build generates on PYTHONPATH:
    PYTHONPATH=build/release/python client_examples/python/worlds.py
"""

import argparse
import array
import struct
import sys

import grpc

from warpyard.v1 import collision_batch_service_pb2 as batch
from warpyard.v1 import collision_batch_service_pb2_grpc as service
from warpyard.v1 import collision_service_pb2 as api
from warpyard.v1 import mesh_pb2

import call_error
import connection
import session

# Metres and seconds. The table is at 0; the box of world w begins this far above it.
STEP_S, SPEED, LAST_STEP = 0.1, 1.0, 100
TABLE = ((-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0))
SIDES = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))


def height(world, time):
    return 0.25 + 0.01 * world - SPEED * time


def positions(world, time):
    """The table and the box, x y z of each vertex."""
    numbers = array.array("d", (x for corner in TABLE for x in corner))
    for corner in range(8):
        numbers.extend((0.2 * (corner & 1), 0.2 * (corner >> 1 & 1),
                        height(world, time) + 0.2 * (corner >> 2 & 1)))
    return numbers


def rows(worlds, time):
    """The positions of some worlds, one after the other."""
    numbers = array.array("d")
    for world in worlds:
        numbers.extend(positions(world, time))
    if sys.byteorder != "little":
        numbers.byteswap()
    return mesh_pb2.Positions(scalar_type=mesh_pb2.SCALAR_TYPE_FLOAT64, data=numbers.tobytes())


def mesh():
    triangles = [0, 1, 2, 0, 2, 3]
    for a, b, c, d in SIDES:
        triangles.extend(4 + v for v in (a, b, c, a, c, d))
    groups = [0] * 4 + [1] * 8
    return mesh_pb2.TriangleMesh(positions=rows([0], 0),
                                 triangles=struct.pack(f"<{len(triangles)}I", *triangles),
                                 vertex_groups=struct.pack(f"<{len(groups)}I", *groups))


def step_request(moving, step):
    """Makes the request of a step. It says where the worlds start, so it can be repeated."""
    def make(name, _):
        sets = [batch.SetStep(set=name, worlds=moving, end=rows(moving, STEP_S * step),
                              start=rows(moving, STEP_S * (step - 1)),
                              collision=api.CollisionOptions(report=api.REPORT_EARLIEST))]
        return batch.StepBatchRequest(sets=sets)
    return make


def arrivals(stub, worlds):
    """When the box of each world arrives, in seconds."""
    found = {}
    boxes = session.Resident(stub.OpenScenes, batch.OpenScenesRequest(
        mesh=mesh(), worlds=worlds, starts=rows(range(worlds), 0),
        group_rule=api.GROUP_RULE_DIFFERENT), "set")
    try:
        for step in range(1, LAST_STEP + 1):
            moving = [world for world in range(worlds) if world not in found]
            if not moving:
                break
            outcome = boxes.call(stub.StepBatch, step_request(moving, step), timeout=30).sets[0]
            if outcome.HasField("error"):
                raise RuntimeError(outcome.error.message)
            for failed in outcome.world_errors:
                raise RuntimeError(f"world {moving[failed.place]}: {failed.error.message}")
            times = struct.unpack(f"<{len(moving)}d", outcome.earliest_times)
            for world, time in zip(moving, times):
                if time <= 1:  # infinity: nothing touches
                    found[world] = STEP_S * (step - 1 + time)
    finally:
        boxes.close(stub.CloseScenes, lambda name: batch.CloseScenesRequest(set=name))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worlds", type=int, default=64, help="how many (64)")
    connection.add_flags(parser)
    arguments = parser.parse_args()
    try:
        with connection.connect(arguments.server, arguments, stay=False) as channel:
            found = arrivals(service.CollisionBatchServiceStub(channel), arguments.worlds)
    except (connection.NoServer, grpc.RpcError, RuntimeError) as error:
        message = call_error.explain(error) if isinstance(error, grpc.RpcError) else error
        print(f"worlds: {message}", file=sys.stderr)
        return 1
    for world, time in sorted(found.items()):
        print(f"world {world}: arrives after {time:.4f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
