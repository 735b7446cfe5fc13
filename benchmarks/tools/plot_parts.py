# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0
"""What the plots of plot.py have in common."""

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

COLOURS = ["#1b6ca8", "#d1495b", "#edae49", "#3c8d5a", "#6b4e9b", "#777777"]


def distinct(values):
    """The values, each once, in the order of their first appearance."""
    return list(dict.fromkeys(values))


def median(cell, measure):
    return cell["measures"][measure]["median"]


def spread(cell, measure):
    """Distances from the median down to the least and up to the largest value."""
    values = cell["measures"][measure]
    return values["median"] - values["min"], values["max"] - values["median"]


def panels(count, height=3.2, sharey=True):
    """A figure with panels beside each other."""
    figure, axes = pyplot.subplots(1, count, figsize=(4.6 * count, height), sharey=sharey,
                                   squeeze=False, layout="constrained")
    for axis in axes[0]:
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(axis="y", color="#dddddd", linewidth=0.6)
        axis.set_axisbelow(True)
    return figure, list(axes[0])
