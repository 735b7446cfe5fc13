# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Reads the triangles of a GLB file, with its instances, and draws their silhouette, for tests."""

import json
import struct
from pathlib import Path

FORMATS = {5121: "B", 5123: "H", 5125: "I", 5126: "f", 5120: "b", 5122: "h"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
LEAST = {5120: 127, 5121: 255, 5122: 32767, 5123: 65535}


class Glb:
    def __init__(self, path):
        data = Path(path).read_bytes()
        length = struct.unpack_from("<I", data, 12)[0]
        self.json = json.loads(data[20:20 + length])
        self.binary = data[28 + length:]

    def accessor(self, index):
        """The tuples of an accessor; normalised integers as floats."""
        one = self.json["accessors"][index]
        view = self.json["bufferViews"][one["bufferView"]]
        width = WIDTHS[one["type"]]
        form = struct.Struct(f"<{width}{FORMATS[one['componentType']]}")
        begin = view.get("byteOffset", 0) + one.get("byteOffset", 0)
        stride = view.get("byteStride", form.size)
        rows = [form.unpack_from(self.binary, begin + i * stride) for i in range(one["count"])]
        if not one.get("normalized"):
            return rows
        scale = LEAST[one["componentType"]]
        return [tuple(value / scale for value in row) for row in rows]

    def instances(self, node):
        """(translation, rotation, scale) of each instance of a node."""
        extension = node.get("extensions", {}).get("EXT_mesh_gpu_instancing")
        if not extension:
            return [((0, 0, 0), (0, 0, 0, 1), (1, 1, 1))]
        arrays = {name: self.accessor(index) for name, index in extension["attributes"].items()}
        count = len(next(iter(arrays.values())))
        return list(zip(arrays.get("TRANSLATION", [(0, 0, 0)] * count),
                        arrays.get("ROTATION", [(0, 0, 0, 1)] * count),
                        arrays.get("SCALE", [(1, 1, 1)] * count)))

    def triangles(self):
        """Triangles in the space of the scene, as three points each."""
        found = []
        for index in self.json["scenes"][self.json.get("scene", 0)]["nodes"]:
            self._add_node(index, lambda point: point, found)
        return found

    def _add_node(self, index, outer, found):
        node = self.json["nodes"][index]
        assert "matrix" not in node, "nodes have no matrix"
        own = (tuple(node.get("translation", (0, 0, 0))), tuple(node.get("rotation", (0, 0, 0, 1))),
               tuple(node.get("scale", (1, 1, 1))))

        def place(point):
            return outer(transformed(point, own))
        for child in node.get("children", []):
            self._add_node(child, place, found)
        if "mesh" not in node:
            return
        for primitive in self.json["meshes"][node["mesh"]]["primitives"]:
            points = self.accessor(primitive["attributes"]["POSITION"])
            corners = ([row[0] for row in self.accessor(primitive["indices"])]
                       if "indices" in primitive else range(len(points)))
            for instance in self.instances(node):
                moved = [place(transformed(point, instance)) for point in points]
                found += [tuple(moved[corner] for corner in corners[i:i + 3])
                          for i in range(0, len(corners), 3)]


def transformed(point, place):
    """The point, scaled, then turned by the quaternion (x, y, z, w), then moved."""
    move, (qx, qy, qz, qw), scale = place
    x, y, z = (a * b for a, b in zip(point, scale))
    tx, ty, tz = 2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)
    return (x + qw * tx + qy * tz - qz * ty + move[0],
            y + qw * ty + qz * tx - qx * tz + move[1],
            z + qw * tz + qx * ty - qy * tx + move[2])


def silhouette(triangles, to_pixels, pixels):
    """The pixels whose centres triangles cover: rows from the bottom to the top."""
    mask = bytearray(pixels * pixels)
    for triangle in triangles:
        (ax, ay), (bx, by), (cx, cy) = map(to_pixels, triangle)
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if area == 0:
            continue
        left = max(0, int(min(ax, bx, cx)))
        right = min(pixels - 1, int(max(ax, bx, cx)))
        for y in range(max(0, int(min(ay, by, cy))), min(pixels - 1, int(max(ay, by, cy))) + 1):
            for x in range(left, right + 1):
                px, py = x + 0.5, y + 0.5
                u = ((bx - ax) * (py - ay) - (by - ay) * (px - ax)) / area
                v = ((cx - bx) * (py - by) - (cy - by) * (px - bx)) / area
                if u >= 0 and v >= 0 and u + v <= 1:
                    mask[y * pixels + x] = 1
    return mask
