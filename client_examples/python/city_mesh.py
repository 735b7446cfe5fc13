# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""The faces and colours of a derived city, made of its instances."""

import json
import math
import os.path
import struct

import mesh_files
from raster import cross, dot, minus, unit

# DeriveGrammarPart.instances: position, rotation, size, mesh, material, building, colour, rule,
# flags, key.
INSTANCE = struct.Struct("<3f4f3f2HI4B2HQ")
NO_COLOUR = (255, 255, 255, 255)
SIDES = 16  # of a cylinder

# The first word that a name contains counts. client_examples/city_io/paint.cc has the same colours.
PAINTS = (
    ("glass", 0x5B7C93), ("window", 0x5B7C93), ("water", 0x4C7A94), ("roof", 0x8C4A3A),
    ("tile", 0x9A5544), ("brick", 0x9C5B45), ("stone", 0xA9A396), ("concrete", 0xB3B1AB),
    ("plaster", 0xE3D9C6), ("wall", 0xDDD2BD), ("wood", 0x8A6242), ("door", 0x6B4630),
    ("trunk", 0x6A4E37), ("leaf", 0x5F8747), ("leaves", 0x5F8747), ("grass", 0x7FA35C),
    ("garden", 0x7FA35C), ("hedge", 0x4F7A41), ("road", 0x5A5B5E), ("asphalt", 0x5A5B5E),
    ("pavement", 0xB9B4AA), ("path", 0xC4B69B), ("metal", 0x9AA1A8), ("steel", 0x9AA1A8),
    ("frame", 0xF0EDE6), ("trim", 0xF0EDE6), ("fence", 0xD9CDB8), ("chimney", 0x7D5144),
)


def solid(lower, upper):
    """The faces of a body between two sections; the lower one is clockwise, seen from the upper."""
    sides = [(lower[(i + 1) % len(lower)], lower[i], upper[i], upper[(i + 1) % len(lower)])
             for i in range(len(lower))]
    return [tuple(lower), tuple(reversed(upper)), *sides]


def circle(y):
    angles = [2 * math.pi * i / SIDES for i in range(SIDES)]
    return [(0.5 + math.cos(a) / 2, y, 0.5 + math.sin(a) / 2) for a in angles]


def gable(z):
    return [(0, 0, z), (0.5, 1, z), (1, 0, z)]


BOX = solid([(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)],
            [(0, 1, 0), (1, 1, 0), (1, 1, 1), (0, 1, 1)])
# For each mesh that all grammars have: its faces, and whether they can be seen from one side only.
BUILT_IN = [(BOX, True), ([((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0))], False),
            (solid(circle(0), circle(1)), True), (solid(gable(0), gable(1)), True),
            ([((0, 0, 0), (1, 0, 0), (1, 1, 0))], False)]


def read_asset(path):
    """The triangles of a file, stretched to the unit cube."""
    positions, corners = mesh_files.read_mesh(path)
    points = list(zip(positions[0::3], positions[1::3], positions[2::3]))
    least = [min(axis) for axis in zip(*points)]
    sizes = [max(axis) - low or 1.0 for axis, low in zip(zip(*points), least)]
    points = [tuple((x - low) / size for x, low, size in zip(point, least, sizes))
              for point in points]
    return [tuple(points[corner] for corner in corners[i:i + 3])
            for i in range(0, len(corners), 3)]


def faces_of_meshes(meshes, folder):
    """For each mesh (name, asset) its faces; a box stands for what has no file."""
    faces = list(BUILT_IN)
    for _, asset in meshes[len(BUILT_IN):]:
        path = os.path.join(folder, asset)
        is_there = asset and ".." not in asset and os.path.isfile(path)
        faces.append((read_asset(path) if is_there else BOX, not is_there))
    return faces


def rotated(q, v):
    """A vector turned by a unit quaternion."""
    axis = q[:3]
    t = tuple(2 * x for x in cross(axis, v))
    u = cross(axis, t)
    return tuple(x + q[3] * y + z for x, y, z in zip(v, t, u))


def paint_of(name, colour):
    """Red, green and blue from 0 to 255: an instance's own colour, or that of its material."""
    if colour != NO_COLOUR:
        return colour[:3]
    for word, rgb in PAINTS:
        if word in name.lower():
            return rgb >> 16, rgb >> 8 & 255, rgb & 255
    number = 2166136261
    for byte in name.encode():
        number = (number ^ byte) * 16777619 & 0xFFFFFFFF
    return tuple(140 + 0.3 * (number >> 8 * channel & 255) for channel in range(3))


class City:
    """Points with z up, and faces of them with normals and colours."""

    def __init__(self, meshes, materials, instances, folder):
        self.points, self.faces, self.normals, self.colours = [], [], [], []
        self.one_sided = []
        known = faces_of_meshes(meshes, folder)
        for values in INSTANCE.iter_unpack(instances):
            mesh, material = values[10:12]
            name = materials[material] or meshes[mesh][0]
            self.add(known[mesh], values, paint_of(name, values[13:17]))
        if not self.points:
            raise ValueError("the city is empty")
        lowest = [min(axis) for axis in zip(*self.points)]
        highest = [max(axis) for axis in zip(*self.points)]
        self.centre = tuple((low + high) / 2 for low, high in zip(lowest, highest))
        self.radius = math.dist(lowest, highest) / 2 or 1.0
        self.floor = lowest[2]

    def add(self, mesh, values, colour):
        position, rotation, size = values[0:3], values[3:7], values[7:10]
        faces, is_closed = mesh
        mirrored = size[0] * size[1] * size[2] < 0
        for face in faces:
            corners = []
            for corner in face:
                moved = rotated(rotation, tuple(s * c for s, c in zip(size, corner)))
                x, y, z = (p + m for p, m in zip(position, moved))
                corners.append((x, -z, y))
            if mirrored:
                corners.reverse()
            normal = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]))
            if dot(normal, normal) < 1e-18:
                continue
            first = len(self.points)
            self.points += corners
            self.faces.append(tuple(range(first, len(self.points))))
            self.normals.append(unit(normal))
            self.colours.append(colour)
            self.one_sided.append(is_closed)


def read_city(path, folder):
    """Reads a .wyi file, as `warpyard grammar derive --out` writes it."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        magic, length = struct.unpack_from("<4sI", data)
        if magic != b"wyi1":
            raise ValueError("no .wyi file")
        names = json.loads(data[8:8 + length])
        meshes = [(mesh["name"], mesh["asset"]) for mesh in names["meshes"]]
        return City(meshes, names["materials"], data[8 + length:], folder)
    except (struct.error, KeyError, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error
