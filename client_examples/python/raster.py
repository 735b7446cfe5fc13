# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Draws flat faces: vectors, a camera, and which face is nearest at each place of the picture."""

import array
import math

DISTANCE = 4.0  # of the camera, in radii of the mesh
FILLED = 0.84  # of the picture's width or height by the mesh


def minus(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(v):
    length = math.sqrt(dot(v, v)) or 1.0
    return (v[0] / length, v[1] / length, v[2] / length)


def axes(towards):
    """Right, up and back of somebody who looks against a direction, with z up."""
    back = unit(towards)
    right = unit(cross((0, 0, 1), back))
    return right, cross(back, right), back


def blend(a, b, share):
    return tuple(x + (y - x) * share for x, y in zip(a, b))


def rasterize(points, faces, width, height):
    """The nearest face of each sample (-1: none) and its depth; a greater depth is nearer.

    Points are x, y and a depth that is linear on the screen. Faces are flat and convex.
    """
    depths, owners = [-math.inf] * (width * height), array.array("i", [-1]) * (width * height)
    for number, corners in enumerate(faces):
        around = [points[corner] for corner in corners]
        (ax, ay, ad), (bx, by, bd), (cx, cy, cd) = around[:3]
        sides = list(zip(around, around[1:] + around[:1]))
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if area == 0:
            continue
        slope_x = ((bd - ad) * (cy - ay) - (cd - ad) * (by - ay)) / area
        slope_y = ((cd - ad) * (bx - ax) - (bd - ad) * (cx - ax)) / area
        levels = [point[1] for point in around]
        first = max(0, math.ceil(min(levels) - 0.5))
        last = min(height - 1, math.floor(max(levels) - 0.5))
        for y in range(first, last + 1):
            middle = y + 0.5
            cuts = [p[0] + (middle - p[1]) * (q[0] - p[0]) / (q[1] - p[1])
                    for p, q in sides if (p[1] <= middle) != (q[1] <= middle)]
            if not cuts:
                continue
            left = max(0, math.ceil(min(cuts) - 0.5))
            right = min(width, math.ceil(max(cuts) - 0.5))
            depth = ad + (left + 0.5 - ax) * slope_x + (middle - ay) * slope_y
            for at in range(y * width + left, y * width + right):
                if depth > depths[at]:
                    depths[at] = depth
                    owners[at] = number
                depth += slope_x
    return depths, owners


class Camera:
    """Looks at a mesh from a side and from above, so that all of it is in the picture.

    The mesh has points, and a centre and a radius around them. The angles are those of its place:
    around the upright axis, and above the ground.
    """

    def __init__(self, mesh, width, height, angles):
        azimuth, elevation = angles
        towards = (math.cos(elevation) * math.cos(azimuth), math.cos(elevation) * math.sin(azimuth),
                   math.sin(elevation))
        self.right, self.up, self.back = axes(towards)
        self.place = tuple(c + DISTANCE * mesh.radius * b for c, b in zip(mesh.centre, self.back))
        self.width, self.height = width, height
        self.scale, self.middle = 1.0, (0.0, 0.0)
        xs, ys, _ = zip(*map(self.project, mesh.points))
        self.scale = FILLED / max((max(xs) - min(xs)) / width, (max(ys) - min(ys)) / height, 1e-9)
        self.middle = (width / 2 - self.scale * (min(xs) + max(xs)) / 2,
                       height / 2 - self.scale * (min(ys) + max(ys)) / 2)

    def project(self, point):
        """Where a point is on the screen, and one over its distance."""
        seen = minus(point, self.place)
        near = -1 / dot(seen, self.back)
        return (self.middle[0] + self.scale * dot(seen, self.right) * near,
                self.middle[1] - self.scale * dot(seen, self.up) * near, near)

    def ray(self, x, y):
        """The direction from the camera to a place on the screen; one long along the view."""
        right, up = (x - self.middle[0]) / self.scale, (self.middle[1] - y) / self.scale
        return tuple(right * r + up * u - b for r, u, b in zip(self.right, self.up, self.back))


def average(samples, plain):
    """The colour of a pixel: samples are None where the background shows."""
    total = [0.0, 0.0, 0.0]
    for sample in samples:
        for channel, value in enumerate(sample or plain):
            total[channel] += min(255.0, value)
    return bytes(int(value / len(samples) + 0.5) for value in total)
