#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Measures the memory of a server that streams a whole city to a client.

For each limit of memory a server of its own derives the same city, and the client counts what comes
and drops it. Prints a result file. Needs the stubs of the build:
    PYTHONPATH=build/release/python benchmarks/tools/stream_city.py build/release/bin/warpyard-server \\
        ../shared/data/grammars/city_overview.wyg --lots 37000 --lot-size 38x56x31 \\
        --max-mib 1024,256,64 --machine "..." --commit X > benchmarks/results/grammar-stream-MACHINE.json
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import time

import grpc

from warpyard.v1 import grammar_service_pb2 as api
from warpyard.v1 import grammar_service_pb2_grpc as service

INSTANCE_BYTES = 64
STREET = 8  # metres between lots
READY = re.compile(r"warpyard-server: listening on (\S+), .*backend (.+)\n")


def mib(value):
    return round(value / 2**20, 1)


class Server:
    """A server on a free port; ends with the with statement."""

    def __init__(self, program, flags):
        self._process = subprocess.Popen(
            [program, "--listen", "127.0.0.1:0", "--metrics", "off", "--job-time-limit", "600s",
             *flags], stdout=subprocess.PIPE, text=True)
        ready = READY.fullmatch(self._process.stdout.readline())
        if ready is None:
            sys.exit(f"{program}: did not start")
        self.address, self.backend = ready.groups()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait()
        self._process.stdout.close()

    def memory(self, field):
        """Bytes of memory of the host. @shape field: VmRSS for now, VmHWM for the most so far"""
        status = pathlib.Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii")
        return int(re.search(rf"^{field}:\s+(\d+) kB$", status, re.MULTILINE)[1]) << 10


def lots(count, size):
    """Parcels where grammar_bench has them, so that checksums can be compared."""
    side = math.ceil(math.sqrt(count))
    return [api.GrammarParcel(position=[i % side * (size[0] + STREET), 0,
                                        i // side * (size[2] + STREET)], size=size)
            for i in range(count)]


def stream(server, arguments, max_bytes):
    """Derives the city and drops it. Returns a row of the result."""
    channel = grpc.insecure_channel(server.address, [("grpc.max_receive_message_length", -1)])
    stub = service.GrammarServiceStub(channel)
    grammar = stub.CompileGrammar(api.CompileGrammarRequest(files=[api.GrammarFile(
        name="city.wyg", text=arguments.grammar.read_text(encoding="utf-8"))]), wait_for_ready=True)
    if not grammar.grammar:
        sys.exit(f"{arguments.grammar}: {grammar.diagnostics}")
    request = api.DeriveGrammarRequest(grammar=grammar.grammar, max_bytes=max_bytes,
                                       parcels=lots(arguments.lots, arguments.lot_size))
    before, received, statistics = server.memory("VmRSS"), 0, None
    begin = time.perf_counter()
    for part in stub.DeriveGrammar(request):
        received += len(part.instances)
        statistics = part.statistics  # of the last part
    seconds = time.perf_counter() - begin
    peak = server.memory("VmHWM")
    channel.close()
    if received != statistics.terminals * INSTANCE_BYTES:
        sys.exit(f"{received} bytes came, expected {statistics.terminals} instances")
    # With CPU threads the pools of the engine are memory of the host, too.
    pools = statistics.memory_bytes if server.backend.startswith("cpu") else 0
    return {"max_mib": mib(max_bytes), "terminals": statistics.terminals,
            "checksum": f"{statistics.checksum:016x}", "received_bytes": received,
            "seconds": round(seconds, 2), "pools_mib": mib(statistics.memory_bytes),
            "host_before_mib": mib(before), "host_peak_mib": mib(peak),
            "host_beyond_pools_mib": mib(peak - pools)}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="warpyard-server")
    parser.add_argument("grammar", type=pathlib.Path)
    parser.add_argument("--lots", type=int, default=37_000)
    parser.add_argument("--lot-size", default=[38.0, 56.0, 31.0], metavar="WxHxD",
                        type=lambda word: [float(part) for part in word.split("x")])
    parser.add_argument("--max-mib", default=[1024], metavar="N,N...", help="limits of memory",
                        type=lambda word: [int(part) for part in word.split(",")])
    parser.add_argument("--flags", default="--backend cpu", help="of the server, in one word")
    parser.add_argument("--machine", required=True)
    parser.add_argument("--commit", required=True)
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    rows = []
    for limit in arguments.max_mib:
        with Server(arguments.program, arguments.flags.split()) as server:
            rows.append(stream(server, arguments, limit << 20))
            backend = server.backend
    command = (f"stream_city.py warpyard-server {arguments.grammar.name} --lots {arguments.lots} "
               f"--max-mib {','.join(map(str, arguments.max_mib))} --flags '{arguments.flags}'")
    print(json.dumps({"benchmark": "bench.server.grammar.stream", "backend": backend,
                      "machine": arguments.machine, "commit": arguments.commit, "command": command,
                      "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
