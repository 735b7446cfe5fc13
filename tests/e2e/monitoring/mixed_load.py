# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Clients that send jobs of all kinds to a server with tenants, some of which fail."""

import struct
import threading
import time
from pathlib import Path

import grpc

from processes import Server
from security.callers import Client, bearer, scene
from security.identities import new_token, token_entry, write_tenants
from warpyard.v1 import (collision_service_pb2 as collision, grammar_service_pb2 as grammar,
                         grammar_service_pb2_grpc, job_pb2, load_service_pb2 as load, mesh_pb2,
                         simplify_service_pb2 as simplify, simplify_service_pb2_grpc)

TOWERS = """wyg 1;
start Lot;
@building rule Lot = repeat(y, 3) { Floor };
rule Floor = box;
"""
SIDE = 24  # of a grid that is simplified


def grid():
    """A wavy sheet."""
    points = [(x, y, (x * y) % 3 * 0.1) for y in range(SIDE) for x in range(SIDE)]
    corners = []
    for y in range(SIDE - 1):
        for x in range(SIDE - 1):
            a = y * SIDE + x
            corners += [a, a + 1, a + SIDE, a + 1, a + SIDE + 1, a + SIDE]
    flat = [value for point in points for value in point]
    return mesh_pb2.TriangleMesh(
        positions=mesh_pb2.Positions(scalar_type=mesh_pb2.SCALAR_TYPE_FLOAT64,
                                     data=struct.pack(f"<{len(flat)}d", *flat)),
        triangles=struct.pack(f"<{len(corners)}I", *corners))


def long_job(client, timeout=None):
    """Starts a job of ten seconds, in elements of 5 ms."""
    work = load.LoadWork(kind=load.LOAD_WORK_KIND_SPIN, amount=5_000_000)
    return client.load.RunLoad.future(load.RunLoadRequest(elements=2000, work=work),
                                      metadata=client.metadata, timeout=timeout)


def serve_tenants(folder):
    """Starts a server that knows three tenants. Returns it, and the tokens by name."""
    tokens = {name: new_token() for name in ("robots", "city", "guests")}
    tenants = Path(folder, "tenants.json")
    more = {"robots": {"rights": {"metrics": True}}, "guests": {"limits": {"calls_in_flight": 8}}}
    write_tenants(tenants, *({"name": name, "number": number, "tokens": [token_entry(token)],
                              **more.get(name, {})}
                             for number, (name, token) in enumerate(tokens.items(), 1)))
    return Server("--tokens", str(tenants), "--enable-load-jobs"), tokens


class MixedLoad:
    """Runs until it is left. Each client has a thread, and counts what it did in `done`.

    The tokens are those of the tenants robots, city and guests; guests may have few calls in flight.
    """

    def __init__(self, address, tokens):
        self.address, self.tokens = address, tokens
        self.stop = threading.Event()
        self.done = {}
        self.errors = []
        self.threads = [threading.Thread(target=self._repeat, args=(client,))
                        for client in (self._steps, self._levels, self._cities, self._background,
                                       self._late, self._cancelled, self._refused)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        for thread in self.threads:
            thread.join()

    def _repeat(self, client):
        try:
            with grpc.insecure_channel(self.address) as channel:
                act = client(channel)
                while not self.stop.is_set():
                    act()
                    self.done[client.__name__] = self.done.get(client.__name__, 0) + 1
                    time.sleep(0.01)
        except Exception as error:  # the test fails with it
            self.errors.append(error)

    def _steps(self, channel):
        """A robot whose steps have deadlines that it keeps."""
        client = Client(channel, self.tokens["robots"])
        name = client.open()
        positions = scene().mesh.positions

        def act():
            step = collision.StepRequest(scene=name, end=positions)
            step.job.priority = job_pb2.PRIORITY_HIGH
            client.collision.Step(step, metadata=client.metadata, timeout=30)
        return act

    def _levels(self, channel):
        stub = simplify_service_pb2_grpc.SimplifyServiceStub(channel)
        metadata = bearer(self.tokens["city"])

        def act():
            model = stub.OpenModel(simplify.OpenModelRequest(mesh=grid()), metadata=metadata).model
            stub.Simplify(simplify.SimplifyRequest(model=model, ratio=0.2), metadata=metadata)
            stub.CloseModel(simplify.CloseModelRequest(model=model), metadata=metadata)
        return act

    def _cities(self, channel):
        stub = grammar_service_pb2_grpc.GrammarServiceStub(channel)
        metadata = bearer(self.tokens["city"])
        compiled = stub.CompileGrammar(grammar.CompileGrammarRequest(
            files=[grammar.GrammarFile(name="towers.wyg", text=TOWERS)]), metadata=metadata)
        assert compiled.grammar, compiled.diagnostics
        parcels = [grammar.GrammarParcel(position=[20 * i, 0, 0], size=[10, 10, 10])
                   for i in range(200)]

        def act():
            for _ in stub.DeriveGrammar(grammar.DeriveGrammarRequest(
                    grammar=compiled.grammar, parcels=parcels), metadata=metadata):
                pass
        return act

    def _background(self, channel):
        """Long jobs of low priority, so that others wait now and then."""
        client = Client(channel, self.tokens["city"])

        def act():
            calls = [client.run_load(amount=2_000_000, priority=job_pb2.PRIORITY_LOW)
                     for _ in range(12)]
            for call in calls:
                call.result(timeout=60)
        return act

    def _late(self, channel):
        """A client whose deadlines cannot be kept."""
        client = Client(channel, self.tokens["robots"])

        def act():
            try:
                long_job(client, timeout=0.02).result()
            except grpc.RpcError:
                time.sleep(0.2)
        return act

    def _cancelled(self, channel):
        client = Client(channel, self.tokens["robots"])

        def act():
            call = long_job(client)
            time.sleep(0.02)
            call.cancel()
            time.sleep(0.2)
        return act

    def _refused(self, channel):
        """Requests that are wrong, and more calls than the tenant may have in flight."""
        client, stranger = Client(channel, self.tokens["guests"]), Client(channel, "nobody's")

        def act():
            for refused in (lambda: client.collision.Step(
                                collision.StepRequest(scene="scene-0"), metadata=client.metadata),
                            stranger.open,
                            lambda: client.load.RunLoad(load.RunLoadRequest(),
                                                        metadata=client.metadata)):
                try:
                    refused()
                except grpc.RpcError:
                    pass
            for call in [client.run_load() for _ in range(20)]:
                try:
                    call.result()
                except grpc.RpcError:
                    pass
            time.sleep(0.1)
        return act
