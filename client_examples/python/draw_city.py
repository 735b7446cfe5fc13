#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Draws a derived city from above, as a PNG file.

Needs Python's standard library only. CITY is what `warpyard grammar derive --out` wrote:
    client_examples/python/draw_city.py CITY.wyi OUT.png --assets client_examples/grammars
"""

import argparse
import math
import os.path
import sys

import city_mesh
import mesh_files
import png
from raster import Camera, average, axes, blend, dot, minus, rasterize, unit

SAMPLES = 2  # along each side of a pixel
SHADOW_SIDE = 1600
LIGHT = (-0.55, -0.62, 0.95)
SKY = ((232, 240, 247), (250, 247, 240))  # above and below
SUN_LIGHT, SKY_LIGHT, GROUND_LIGHT = (0.62, 0.59, 0.52), (0.46, 0.49, 0.55), (0.30, 0.29, 0.27)


class Shadow:
    """What the light sees of a city."""

    def __init__(self, city):
        self.right, self.up, self.back = axes(LIGHT)
        self.centre = city.centre
        self.scale = 0.98 * SHADOW_SIDE / 2 / city.radius
        self.bias = 2.5 / self.scale
        points = [self.project(point) for point in city.points]
        self.depths, _ = rasterize(points, city.faces, SHADOW_SIDE, SHADOW_SIDE)

    def project(self, point):
        seen = minus(point, self.centre)
        return (SHADOW_SIDE / 2 + self.scale * dot(seen, self.right),
                SHADOW_SIDE / 2 + self.scale * dot(seen, self.up), dot(seen, self.back))

    def is_lit(self, point):
        x, y, depth = self.project(point)
        if not (0 <= x < SHADOW_SIDE and 0 <= y < SHADOW_SIDE):
            return True
        return self.depths[int(y) * SHADOW_SIDE + int(x)] <= depth + self.bias


def shades(city, camera):
    """The colour of each face in the sun and in the shadow."""
    light, pairs = unit(LIGHT), []
    for faces, normal, colour in zip(city.faces, city.normals, city.colours):
        if dot(normal, minus(camera.place, city.points[faces[0]])) < 0:
            normal = minus((0, 0, 0), normal)
        sun, up = max(0.0, dot(normal, light)), 0.5 + normal[2] / 2
        ambient = blend(GROUND_LIGHT, SKY_LIGHT, up)
        dark = tuple(c * a for c, a in zip(colour, ambient))
        pairs.append((tuple(d + c * sun * s for d, c, s in zip(dark, colour, SUN_LIGHT)), dark))
    return pairs


def visible(city, camera):
    """The faces that look to the camera: bodies hide the others."""
    return [face if not one_sided or
            dot(normal, minus(camera.place, city.points[face[0]])) > 0 else face[:1] * 3
            for face, normal, one_sided in zip(city.faces, city.normals, city.one_sided)]


def render(city, width, height, angles):
    """The rows of the picture, three bytes a pixel."""
    camera = Camera(city, width * SAMPLES, height * SAMPLES, angles)
    shadow = Shadow(city)
    screen = [camera.project(point) for point in city.points]
    depths, owners = rasterize(screen, visible(city, camera), camera.width, camera.height)
    colours = shades(city, camera)

    def sample(x, y):
        at = y * camera.width + x
        if owners[at] < 0:
            return None
        lit, dark = colours[owners[at]]
        if lit == dark:
            return dark
        far = 1 / depths[at]
        place = [p + far * r for p, r in zip(camera.place, camera.ray(x + 0.5, y + 0.5))]
        return lit if shadow.is_lit(place) else dark

    corners = [(x, y) for y in range(SAMPLES) for x in range(SAMPLES)]
    rows = []
    for y in range(height):
        plain = blend(*SKY, y / height)
        rows.append(b"".join(
            average([sample(x * SAMPLES + dx, y * SAMPLES + dy) for dx, dy in corners], plain)
            for x in range(width)))
    return rows


def add_size_flags(parser):
    parser.add_argument("--width", type=int, default=1200, help="pixels (default %(default)s)")
    parser.add_argument("--height", type=int, default=675, help="pixels (default %(default)s)")
    parser.add_argument("--azimuth", type=float, default=-62,
                        help="degrees: from where the camera looks (default %(default)s)")
    parser.add_argument("--elevation", type=float, default=34,
                        help="degrees above the ground (default %(default)s)")


def draw(city, path, arguments):
    """Writes the picture of a city."""
    angles = math.radians(arguments.azimuth), math.radians(arguments.elevation)
    png.write(path, render(city, arguments.width, arguments.height, angles))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("city", metavar="CITY", help=".wyi file")
    parser.add_argument("out", metavar="OUT", help="PNG file")
    parser.add_argument("--assets", metavar="FOLDER",
                        help="of the meshes that the grammar names (default: that of CITY)")
    add_size_flags(parser)
    arguments = parser.parse_args()
    try:
        folder = arguments.assets or os.path.dirname(arguments.city)
        draw(city_mesh.read_city(arguments.city, folder), arguments.out, arguments)
    except (mesh_files.MeshError, OSError, ValueError) as error:
        print(f"draw_city: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
