#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Derives a grammar on rows of lots, by way of a server, and draws the city as a PNG file.

Needs python3-grpcio and python3-protobuf, and the stubs that the build generates on PYTHONPATH:
    PYTHONPATH=build/release/python client_examples/python/derive_city.py \\
        client_examples/grammars/tower.wyg OUT.png --lots 4x3 --lot-size 36x90x36
"""

import argparse
import os.path
import re
import sys

import grpc

from warpyard.v1 import grammar_service_pb2 as api
from warpyard.v1 import grammar_service_pb2_grpc as service

import call_error
import city_mesh
import connection
import draw_city
import mesh_files


class BadGrammar(Exception):
    """A grammar with errors."""


def numbers_of(kind, count):
    """Reads a product of numbers, as 4x3."""
    def read(word):
        numbers = [kind(part) for part in word.split("x")]
        if len(numbers) != count or min(numbers) <= 0:
            raise ValueError
        return numbers
    return read


def attribute(word):
    name, value = word.split("=")
    return api.GrammarValues(attribute=name, values=[float(value)])


def read_sources(path):
    """The file, and those of its folder that it imports; the server tells which are missing."""
    names = [os.path.basename(path)]
    files = []
    for name in names:
        place = os.path.join(os.path.dirname(path), name)
        if files and (os.path.isabs(name) or ".." in name or not os.path.isfile(place)):
            continue
        with open(place, encoding="utf-8") as file:
            text = file.read()
        files.append(api.GrammarFile(name=name, text=text))
        bare = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
        names += [other for other in re.findall(r'\bimport\s*"([^"\n]+)"', bare)
                  if other not in names]
    return files


def compile_grammar(stub, path):
    grammar = stub.CompileGrammar(api.CompileGrammarRequest(files=read_sources(path)))
    for found in grammar.diagnostics:
        place = os.path.join(os.path.dirname(path), found.file)
        print(f"{place}:{found.line}:{found.column}: {found.code} {found.message}", file=sys.stderr)
    if not grammar.grammar:
        raise BadGrammar(f"{path}: not compiled")
    return grammar


def lots(count, size, gap):
    """Equal parcels in rows."""
    return [api.GrammarParcel(position=[column * (size[0] + gap), 0, row * (size[2] + gap)],
                              size=size)
            for row in range(count[1]) for column in range(count[0])]


def derive(stub, grammar, arguments):
    """All instances, and the statistics."""
    request = api.DeriveGrammarRequest(
        grammar=grammar.grammar, seed=arguments.seed, style=arguments.style,
        values=arguments.attr, parcels=lots(arguments.lots, arguments.lot_size, arguments.gap))
    instances, statistics = bytearray(), None
    for part in stub.DeriveGrammar(request):
        instances += part.instances
        statistics = part.statistics  # of the last part
    return bytes(instances), statistics


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("grammar", metavar="FILE", help="grammar")
    parser.add_argument("out", metavar="OUT", help="PNG file")
    connection.add_flags(parser)
    parser.add_argument("--lots", type=numbers_of(int, 2), default=[1, 1], metavar="NxM",
                        help="parcels along x and z (default 1x1)")
    parser.add_argument("--lot-size", type=numbers_of(float, 3), default=[20, 12, 20],
                        metavar="WxHxD", help="metres along x, y and z (default 20x12x20)")
    parser.add_argument("--gap", type=float, default=5, help="metres between lots (default 5)")
    parser.add_argument("--seed", type=int, default=0, help="of random choices (default 0)")
    parser.add_argument("--attr", type=attribute, action="append", default=[],
                        metavar="NAME=VALUE", help="the value of an attribute")
    parser.add_argument("--style", default="", help="a style of the grammar")
    draw_city.add_size_flags(parser)
    return parser.parse_args()


def fail(message, status):
    print(f"derive_city: {message}", file=sys.stderr)
    return status


def main():
    arguments = parse_arguments()
    try:
        with connection.connect(arguments.server, arguments) as channel:
            stub = service.GrammarServiceStub(channel)
            grammar = compile_grammar(stub, arguments.grammar)
            try:
                instances, statistics = derive(stub, grammar, arguments)
            finally:
                stub.CloseGrammar(api.CloseGrammarRequest(grammar=grammar.grammar))
        meshes = [(mesh.name, mesh.asset) for mesh in grammar.meshes]
        city = city_mesh.City(meshes, list(grammar.materials), instances,
                              os.path.dirname(arguments.grammar))
        draw_city.draw(city, arguments.out, arguments)
    except (connection.NoServer, BadGrammar) as error:
        return fail(error, 1)
    except grpc.RpcError as error:
        return fail(call_error.explain(error), 1)
    except (mesh_files.MeshError, OSError, ValueError) as error:
        return fail(error, 2)
    print(f"{statistics.terminals} instances of {statistics.buildings} buildings, "
          f"{statistics.nodes} rules executed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
