# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Reads and writes triangle meshes of OBJ and PLY files. Errors name the file and the place in it."""

import array
import math
import os
import struct
import sys

PLY_TYPES = {"char": "b", "int8": "b", "uchar": "B", "uint8": "B", "short": "h", "int16": "h",
             "ushort": "H", "uint16": "H", "int": "i", "int32": "i", "uint": "I", "uint32": "I",
             "float": "f", "float32": "f", "double": "d", "float64": "d"}
BYTE_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}


class MeshError(Exception):
    """A file that cannot be read or written, or that holds no mesh."""


def read_mesh(path):
    """Reads OBJ or PLY: coordinates as array 'f' or 'd', corners of triangles as array 'I'."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        positions, triangles = (read_ply if data.startswith(b"ply") else read_obj)(data)
        check(positions, triangles)
    except OSError as error:
        raise MeshError(f"{path}: {error.strerror}") from error
    except MeshError as error:
        raise MeshError(f"{path}: {error}") from error
    return positions, array.array("I", triangles)


def read_frames(start_path, end_path):
    """Reads two frames of one mesh: the triangles, and the coordinates at the start and the end."""
    start, triangles = read_mesh(start_path)
    end, other_triangles = read_mesh(end_path)
    if len(start) != len(end):
        raise MeshError(f"{end_path}: {len(end) // 3} vertices, expected {len(start) // 3} as in "
                        f"{start_path}")
    if triangles != other_triangles:
        raise MeshError(f"{end_path}: the triangles differ from those of {start_path}")
    return triangles, start, end


def check_ending(path):
    """Refuses names that write_mesh knows no format for."""
    if not path.endswith((".obj", ".ply")):
        raise MeshError(f"{path}: the name ends neither with .obj nor with .ply")


def write_mesh(path, positions, triangles):
    """Writes OBJ or binary PLY, as the name ends: all of the file or nothing."""
    check_ending(path)
    data = (obj_bytes if path.endswith(".obj") else ply_bytes)(positions, triangles)
    temporary = f"{path}.{os.getpid()}.part"
    try:
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError as error:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise MeshError(f"{path}: {error.strerror}") from error


def obj_bytes(positions, triangles):
    lines = ["v {!r} {!r} {!r}".format(*positions[i:i + 3]) for i in range(0, len(positions), 3)]
    lines += ["f {} {} {}".format(*(corner + 1 for corner in triangles[i:i + 3]))
              for i in range(0, len(triangles), 3)]
    return ("\n".join(lines) + "\n").encode("ascii")


def ply_bytes(positions, triangles):
    kind = {"f": "float", "d": "double"}[positions.typecode]
    header = (f"ply\nformat binary_{sys.byteorder}_endian 1.0\n"
              f"element vertex {len(positions) // 3}\n"
              f"property {kind} x\nproperty {kind} y\nproperty {kind} z\n"
              f"element face {len(triangles) // 3}\n"
              "property list uchar uint vertex_indices\nend_header\n")
    faces = struct.Struct("=B3I")
    return (header.encode("ascii") + positions.tobytes() +
            b"".join(faces.pack(3, *triangles[i:i + 3]) for i in range(0, len(triangles), 3)))


def check(positions, triangles):
    count = len(positions) // 3
    if count == 0:
        raise MeshError("no vertices")
    if not all(map(math.isfinite, positions)):
        raise MeshError("a coordinate is not finite")
    for corner, index in enumerate(triangles):
        if not 0 <= index < count:
            raise MeshError(f"triangle {corner // 3}: vertex {index} does not exist, there are "
                            f"{count} (from 0)")


def triangulate(polygon, triangles):
    if len(polygon) < 3:
        raise MeshError(f"a face needs at least 3 vertices, not {len(polygon)}")
    for i in range(1, len(polygon) - 1):
        triangles.extend((polygon[0], polygon[i], polygon[i + 1]))


def read_obj(data):
    positions, triangles = array.array("d"), []
    # "utf-8-sig" skips the byte order mark that some editors write.
    for number, line in enumerate(data.decode("utf-8-sig", "replace").split("\n"), 1):
        words = line.split("#")[0].split()
        try:
            if words[:1] == ["v"]:
                x, y, z = map(float, words[1:4])
                positions.extend((x, y, z))
            elif words[:1] in (["f"], ["fo"]):
                triangulate(obj_corners(words[1:], len(positions) // 3), triangles)
        except (ValueError, MeshError) as error:
            raise MeshError(f"line {number}: {error}") from error
    return positions, triangles


def obj_corners(words, count):
    """The vertices of a face, from 0. A negative index counts back from the last vertex so far."""
    corners = []
    for word in words:
        index = int(word.split("/")[0])
        if index == 0 or count + index < 0:
            raise MeshError(f'"{word}" is not a vertex of a face (indices count from 1, or back '
                            f"from -1 to -{count})")
        corners.append(index - 1 if index > 0 else count + index)
    return corners


def read_ply(data):
    end = data.find(b"end_header")
    body = data.find(b"\n", end) + 1
    if end < 0 or body == 0:
        raise MeshError("the header has no end_header")
    order, elements = read_ply_header(data[:end].decode("ascii", "replace"))
    take = binary_values(data, body, order) if order else text_values(data[body:])
    positions, triangles = array.array("f"), []
    for name, count, properties in elements:
        if ("vertex", "d") in ((name, kind) for _, kind, key in properties if key == "x"):
            positions = array.array("d")
        for row in range(count):
            try:
                values = {key: [take(kind) for _ in range(whole(take(length)) if length else 1)]
                          for length, kind, key in properties}
                if name == "vertex":
                    positions.extend((values["x"][0], values["y"][0], values["z"][0]))
                elif name == "face":
                    corners = values.get("vertex_indices", values.get("vertex_index"))
                    triangulate([whole(corner) for corner in corners or ()], triangles)
            except (struct.error, StopIteration) as error:
                raise MeshError(f"{name} {row}: the file ends too early") from error
            except KeyError as error:
                raise MeshError(f"{name} {row}: no property {error.args[0]}") from error
            except (ValueError, OverflowError, MeshError) as error:
                raise MeshError(f"{name} {row}: {error}") from error
    return positions, triangles


def whole(value):
    """A length or an index, which a file may hold as any type."""
    if value != int(value):
        raise MeshError(f"{value} is not a whole number")
    return int(value)


def read_ply_header(text):
    """The byte order ("" for ASCII) and the elements: name, count, properties (types and name)."""
    elements, order = [], ""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        try:
            if words[:1] == ["format"]:
                order = BYTE_ORDERS[words[1]]
            elif words[:1] == ["element"]:
                elements.append((words[1], int(words[2]), []))
            elif words[:2] == ["property", "list"]:
                elements[-1][2].append((PLY_TYPES[words[2]], PLY_TYPES[words[3]], words[4]))
            elif words[:1] == ["property"]:
                elements[-1][2].append((None, PLY_TYPES[words[1]], words[2]))
        except (ValueError, KeyError, IndexError) as error:
            raise MeshError(f'line {number}: cannot read "{line[:40]}"') from error
    return order, elements


def text_values(data):
    """Returns a function that takes the next value of a type from text."""
    words = iter(data.split())
    return lambda kind: float(next(words)) if kind in "fd" else int(next(words))


def binary_values(data, at, order):
    """Returns a function that takes the next value of a type from the data."""
    readers = {kind: struct.Struct(order + kind) for kind in "bBhHiIfd"}

    def take(kind):
        nonlocal at
        value = readers[kind].unpack_from(data, at)[0]
        at += readers[kind].size
        return value

    return take
