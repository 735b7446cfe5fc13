#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Drives along a street of a city, and keeps what the camera sees, by way of a server.

Each view is answered with what it changes. Needs python3-grpcio and python3-protobuf, and the stubs
that the build generates on PYTHONPATH:
    PYTHONPATH=build/release/python client_examples/python/follow_camera.py \\
        client_examples/grammars/tower.wyg --lots 30x30 --lot-size 36x90x36 --frames 60
"""

import argparse
import math
import queue
import struct
import sys
import time

import grpc

from warpyard.v1 import grammar_service_pb2 as api
from warpyard.v1 import grammar_service_pb2_grpc as service

import call_error
import connection
import derive_city

INSTANCE_BYTES = 64
BUILDING = struct.Struct("<44xI16x")  # of an instance


class Shown:
    """The instances of each building that the camera sees."""

    def __init__(self):
        self.buildings = {}

    def apply(self, part):
        for building in part.hidden:
            del self.buildings[building]
        for building in part.changed:
            self.buildings[building] = bytearray()
        instances = part.instances  # each access to a field of bytes copies them
        for begin, (building,) in enumerate(BUILDING.iter_unpack(instances)):
            begin *= INSTANCE_BYTES
            self.buildings[building] += instances[begin:begin + INSTANCE_BYTES]

    def instances(self):
        return sum(map(len, self.buildings.values())) // INSTANCE_BYTES


def view_at(x, z, arguments):
    """Looks along x, from the height of an eye, a quarter of all directions wide."""
    half = math.sqrt(0.5)
    planes = [(half, 0, half, -half * (x + z)), (half, 0, -half, -half * (x - z)),
              (-1, 0, 0, x + arguments.clip)]
    return api.GrammarView(position=[x, 1.7, z], planes=[n for plane in planes for n in plane],
                           pixels=935, hide_occluded=arguments.hide_occluded)


def follow(stub, grammar, arguments):
    """Sends a view when the one before is answered, and prints what each answer changes."""
    size, rows = arguments.lot_size, arguments.lots[1]
    street = rows // 2 * (size[2] + arguments.gap) - arguments.gap / 2
    requests = queue.SimpleQueue()
    city = api.DeriveGrammarRequest(
        grammar=grammar.grammar, seed=arguments.seed, view=view_at(0, street, arguments),
        parcels=derive_city.lots(arguments.lots, size, arguments.gap))
    requests.put(api.FollowCameraRequest(city=city))
    shown, changed, begin = Shown(), 0, time.monotonic()
    for part in stub.FollowCamera(iter(requests.get, None)):
        shown.apply(part)
        changed += len(part.changed)
        if not part.HasField("statistics"):
            continue
        now = time.monotonic()
        print(f"view {part.view}: {len(shown.buildings)} buildings, {changed} of them derived, "
              f"{shown.instances()} instances, {part.statistics.occluded} behind others, "
              f"{1000 * (now - begin):.1f} ms")
        changed, begin = 0, now
        frame = part.view + 1
        if frame == arguments.frames:
            requests.put(None)  # the last view
        else:
            view = view_at(frame * arguments.speed / 60, street, arguments)
            requests.put(api.FollowCameraRequest(view=view))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("grammar", metavar="FILE", help="grammar")
    connection.add_flags(parser)
    parser.add_argument("--lots", type=derive_city.numbers_of(int, 2), default=[20, 20],
                        metavar="NxM", help="parcels along x and z (default 20x20)")
    parser.add_argument("--lot-size", type=derive_city.numbers_of(float, 3), default=[20, 12, 20],
                        metavar="WxHxD", help="metres along x, y and z (default 20x12x20)")
    parser.add_argument("--gap", type=float, default=8, help="metres between lots (default 8)")
    parser.add_argument("--seed", type=int, default=0, help="of random choices (default 0)")
    parser.add_argument("--clip", type=float, default=1000,
                        help="metres that the camera sees (default 1000)")
    parser.add_argument("--hide-occluded", action="store_true",
                        help="leave out buildings that opaque volumes of others hide")
    parser.add_argument("--speed", type=float, default=20, help="metres a second (default 20)")
    parser.add_argument("--frames", type=int, default=60, help="views, 60 a second (default 60)")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    try:
        with connection.connect(arguments.server, arguments) as channel:
            stub = service.GrammarServiceStub(channel)
            grammar = derive_city.compile_grammar(stub, arguments.grammar)
            try:
                follow(stub, grammar, arguments)
            finally:
                stub.CloseGrammar(api.CloseGrammarRequest(grammar=grammar.grammar))
    except (connection.NoServer, derive_city.BadGrammar) as error:
        print(f"follow_camera: {error}", file=sys.stderr)
        return 1
    except grpc.RpcError as error:
        print(f"follow_camera: {call_error.explain(error)}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"follow_camera: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
