#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Draws meshes side by side with their edges, as a PNG file: an original and coarser meshes of it.

Needs Debian's python3-matplotlib. All meshes are seen from the same side, in the box of the first one.
    benchmarks/tools/draw_meshes.py OUT.png TITLE=MESH.ply [TITLE=MESH.ply ...]
"""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "client_examples" / "python"))
import mesh_files

AZIMUTH, ELEVATION = np.radians(-50), np.radians(25)
LIGHT = np.array([0.3, 0.55, 0.78])  # in the axes of the picture: right, up, towards the camera
COLOUR = np.array([0.58, 0.68, 0.82])
AMBIENT = 0.35


def camera_axes():
    """Rows: right, up and back of the camera, with z up."""
    back = np.array([np.cos(ELEVATION) * np.cos(AZIMUTH), np.cos(ELEVATION) * np.sin(AZIMUTH),
                     np.sin(ELEVATION)])
    right = np.cross([0, 0, 1], back)
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(back, right), back])


def read(path):
    positions, corners = mesh_files.read_mesh(path)
    return np.reshape(positions, (-1, 3)), np.reshape(corners, (-1, 3))


def draw(axes, title, points, triangles):
    """Draws the triangles from the back to the front."""
    seen = points @ camera_axes().T
    corners = seen[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    shade = AMBIENT + (1 - AMBIENT) * np.clip(normals @ (LIGHT / np.linalg.norm(LIGHT)), 0, 1)
    order = np.argsort(corners[:, :, 2].mean(axis=1))
    width = min(0.4, 40 / np.sqrt(len(triangles)))
    axes.add_collection(PolyCollection(corners[order][:, :, :2], linewidths=width,
                                       edgecolors=(0.1, 0.15, 0.25, 0.6),
                                       facecolors=shade[order, None] * COLOUR))
    axes.set_title(f"{title}: {len(triangles):,} triangles", fontsize=9)
    axes.set_aspect("equal")
    axes.set_axis_off()


def main():
    if len(sys.argv) < 3 or any("=" not in word for word in sys.argv[2:]):
        sys.exit(__doc__)
    meshes = [(title, *read(path)) for title, path in
              (word.split("=", 1) for word in sys.argv[2:])]
    box = meshes[0][1] @ camera_axes().T
    figure, panels = plt.subplots(1, len(meshes), figsize=(4 * len(meshes), 4), squeeze=False)
    for panel, mesh in zip(panels[0], meshes):
        draw(panel, *mesh)
        panel.set_xlim(box[:, 0].min(), box[:, 0].max())
        panel.set_ylim(box[:, 1].min(), box[:, 1].max())
    figure.tight_layout()
    figure.savefig(sys.argv[1], dpi=90, bbox_inches="tight")


main()
