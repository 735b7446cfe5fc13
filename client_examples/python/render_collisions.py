#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Draws a mesh with its colliding triangles marked, as a PNG file.

Needs Python's standard library only. MESH is a PLY or OBJ file, z up; COLLISIONS is what
`warpyard collide --out` wrote:
    client_examples/python/render_collisions.py MESH COLLISIONS.json OUT.png
"""

import argparse
import json
import math
import sys

import mesh_files
import png
from raster import Camera, average, axes, blend, cross, dot, minus, rasterize, unit

SAMPLES = 2  # along each side of a pixel
SHADOW_SIDE, FLOOR_SIDE = 1000, 250  # of the shadow on the mesh and on the floor
AZIMUTH, ELEVATION = math.radians(-62), math.radians(20)  # of the camera
LIGHT = (-0.42, -0.38, 0.82)
BACKGROUND = ((248, 249, 251), (214, 219, 227))  # above and below
BODIES = ((112, 146, 196), (226, 220, 208), (150, 176, 140), (190, 160, 190))
MARK_EARLY, MARK_LATE = (232, 62, 40), (250, 166, 60)


def read_collisions(path):
    with open(path, encoding="utf-8") as file:
        try:
            collisions = json.load(file)
            widths = {len(pair) for pair in collisions["vertex_face"]}, \
                {len(pair) for pair in collisions["edge_edge"]}
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path}: not what `warpyard collide --out` writes") from error
    if not (widths[0] <= {3} and widths[1] <= {5}):
        raise ValueError(f"{path}: pairs without times; candidates cannot be drawn")
    return collisions


class Mesh:
    """Points and corners, with what shading needs: normals, bodies, and marks by time of impact."""

    def __init__(self, path, collisions):
        positions, corners = mesh_files.read_mesh(path)
        self.points = list(zip(positions[0::3], positions[1::3], positions[2::3]))
        self.triangles = list(zip(corners[0::3], corners[1::3], corners[2::3]))
        lowest = [min(axis) for axis in zip(*self.points)]
        highest = [max(axis) for axis in zip(*self.points)]
        self.centre = tuple((low + high) / 2 for low, high in zip(lowest, highest))
        self.radius = max(math.dist(self.centre, point) for point in self.points) or 1.0
        self.floor = lowest[2] - 0.02 * self.radius
        self.normals = self.vertex_normals()
        self.colours = self.mark(collisions)

    def vertex_normals(self):
        sums = [[0.0, 0.0, 0.0] for _ in self.points]
        for corners in self.triangles:
            a, b, c = (self.points[corner] for corner in corners)
            normal = cross(minus(b, a), minus(c, a))
            for corner in corners:
                for axis in range(3):
                    sums[corner][axis] += normal[axis]
        return [unit(total) for total in sums]

    def bodies(self):
        """The number of the body of each vertex: a body is what triangles connect."""
        parents = list(range(len(self.points)))

        def root(vertex):
            while parents[vertex] != vertex:
                parents[vertex] = parents[parents[vertex]]
                vertex = parents[vertex]
            return vertex

        for a, b, c in self.triangles:
            parents[root(a)] = parents[root(b)] = root(c)
        numbers = {}
        return [numbers.setdefault(root(vertex), len(numbers)) for vertex in range(len(parents))]

    def mark(self, collisions):
        """The colour of each triangle: its body's, or one for the earliest time of impact."""
        bodies = self.bodies()
        times = {}

        def note(triangle, time):
            times[triangle] = min(time, times.get(triangle, 1.0))

        for _, face, time in collisions["vertex_face"]:
            if face >= len(self.triangles):
                raise ValueError(f"face {face} does not exist: the collisions are of another mesh")
            note(face, time)
        edges = {}
        for a0, a1, b0, b1, time in collisions["edge_edge"]:
            for edge in ((a0, a1), (b0, b1)):
                edges[edge] = min(time, edges.get(edge, 1.0))
        for triangle, (a, b, c) in enumerate(self.triangles):
            for edge in ((a, b), (b, c), (c, a)):
                time = edges.get((min(edge), max(edge)))
                if time is not None:
                    note(triangle, time)
        colours = [BODIES[bodies[a] % len(BODIES)] for a, _, _ in self.triangles]
        for triangle, time in times.items():
            colours[triangle] = blend(MARK_EARLY, MARK_LATE, time)
        return colours


class Shadow:
    """What the light sees: depths for the mesh's own shadows, and a soft mask for the floor."""

    def __init__(self, mesh):
        self.right, self.up, self.back = axes(LIGHT)
        # The mesh takes three quarters of the map, which leaves the floor room for blurred edges.
        self.centre, self.scale = mesh.centre, 0.75 * SHADOW_SIDE / 2 / mesh.radius
        self.bias = 0.012 * mesh.radius
        self.points = [self.project(point) for point in mesh.points]
        self.depths, owners = rasterize(self.points, mesh.triangles, SHADOW_SIDE, SHADOW_SIDE)
        step = SHADOW_SIDE // FLOOR_SIDE
        self.mask = [float(owners[y * SHADOW_SIDE + x] >= 0) for y in range(0, SHADOW_SIDE, step)
                     for x in range(0, SHADOW_SIDE, step)]
        for _ in range(3):
            self.mask = blur(blur(self.mask, FLOOR_SIDE), FLOOR_SIDE)

    def project(self, point):
        seen = minus(point, self.centre)
        return (SHADOW_SIDE / 2 + self.scale * dot(seen, self.right),
                SHADOW_SIDE / 2 + self.scale * dot(seen, self.up), dot(seen, self.back))

    def on_mesh(self, x, y, depth):
        """The share of light at a place of the mesh."""
        depth += self.bias
        return between(self.depths, SHADOW_SIDE, (x, y), lambda other: other < depth)

    def on_floor(self, point):
        x, y, _ = self.project(point)
        scale = FLOOR_SIDE / SHADOW_SIDE
        return 1 - between(self.mask, FLOOR_SIDE, (x * scale, y * scale), lambda value: value)


def between(values, side, place, function):
    """A function of the four values of a square around a place, weighted; outside of it 0."""
    column, row = int(place[0] - 0.5), int(place[1] - 0.5)
    if not (0 <= column < side - 1 and 0 <= row < side - 1):
        return 0.0
    at = row * side + column
    right, down = place[0] - 0.5 - column, place[1] - 0.5 - row
    above = function(values[at]) * (1 - right) + function(values[at + 1]) * right
    below = function(values[at + side]) * (1 - right) + function(values[at + side + 1]) * right
    return above * (1 - down) + below * down


def blur(values, side):
    """Blurs the rows of a square by a running mean and returns them as columns."""
    reach = side // 40
    columns = [None] * side
    for row in range(side):
        padded = [0.0] * reach + values[row * side:(row + 1) * side] + [0.0] * reach
        total, means = sum(padded[:2 * reach]), []
        for x in range(side):
            total += padded[x + 2 * reach]
            means.append(total / (2 * reach + 1))
            total -= padded[x]
        columns[row] = means
    return [value for column in zip(*columns) for value in column]


def backdrop(camera, mesh, shadow):
    """The colour of each pixel of the background: a floor that fades away, with a shadow on it."""
    rows = []
    for y in range(0, camera.height, SAMPLES):
        plain = blend(*BACKGROUND, y / camera.height)
        row = []
        for x in range(0, camera.width, SAMPLES):
            ray = camera.ray(x + SAMPLES / 2, y + SAMPLES / 2)
            light = 1.0
            if ray[2] < 0:
                far = (mesh.floor - camera.place[2]) / ray[2]
                light = shadow.on_floor([p + far * r for p, r in zip(camera.place, ray)])
            row.append(plain if light == 1 else tuple((0.72 + 0.28 * light) * c for c in plain))
        rows.append(row)
    return rows


def brightness(mesh, camera, shadow):
    """How bright each vertex is: sky, the light where nothing is before it, and darker rims."""
    light, values = unit(LIGHT), []
    for normal, place in zip(mesh.normals, shadow.points):
        facing_camera = dot(normal, camera.back)
        if facing_camera < 0:  # the other side of a cloth is seen
            normal, facing_camera = minus((0, 0, 0), normal), -facing_camera
        facing_light = dot(normal, light)
        lit = facing_light * shadow.on_mesh(*place) if facing_light > 0 else 0.0
        rim = 1 - facing_camera
        values.append(0.50 + 0.10 * normal[2] + 0.52 * lit - 0.14 * rim * rim)
    return values


def plane(corners, values):
    """The numbers of value = at_zero + slope_x * x + slope_y * y through a triangle's corners."""
    (ax, ay, _), (bx, by, _), (cx, cy, _) = corners
    a, b, c = values
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    slope_x = ((b - a) * (cy - ay) - (c - a) * (by - ay)) / area
    slope_y = ((c - a) * (bx - ax) - (b - a) * (cx - ax)) / area
    return a - slope_x * ax - slope_y * ay, slope_x, slope_y


def render(mesh, width, height):
    """The rows of the picture, three bytes a pixel."""
    camera = Camera(mesh, width * SAMPLES, height * SAMPLES, (AZIMUTH, ELEVATION))
    shadow = Shadow(mesh)
    screen = [camera.project(point) for point in mesh.points]
    _, owners = rasterize(screen, mesh.triangles, camera.width, camera.height)
    bright = brightness(mesh, camera, shadow)
    planes = {number: plane([screen[corner] for corner in mesh.triangles[number]],
                            [bright[corner] for corner in mesh.triangles[number]])
              for number in set(owners) if number >= 0}

    def sample(x, y):
        number = owners[y * camera.width + x]
        if number < 0:
            return None
        at_zero, slope_x, slope_y = planes[number]
        value = at_zero + slope_x * (x + 0.5) + slope_y * (y + 0.5)
        red, green, blue = mesh.colours[number]
        return red * value, green * value, blue * value

    corners = [(x, y) for y in range(SAMPLES) for x in range(SAMPLES)]
    def pixel(x, y, plain):
        samples = [sample(x * SAMPLES + dx, y * SAMPLES + dy) for dx, dy in corners]
        return average(samples, plain)

    return [b"".join(pixel(x, y, plain) for x, plain in enumerate(row))
            for y, row in enumerate(backdrop(camera, mesh, shadow))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mesh", help="PLY or OBJ file")
    parser.add_argument("collisions", help="JSON file that `warpyard collide --out` wrote")
    parser.add_argument("out", help="PNG file")
    parser.add_argument("--width", type=int, default=1200, help="pixels (default 1200)")
    parser.add_argument("--height", type=int, default=675, help="pixels (default 675)")
    arguments = parser.parse_args()
    try:
        mesh = Mesh(arguments.mesh, read_collisions(arguments.collisions))
        png.write(arguments.out, render(mesh, arguments.width, arguments.height))
    except (mesh_files.MeshError, OSError, ValueError) as error:
        print(f"render_collisions: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
