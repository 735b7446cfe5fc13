#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Draws the panels of the dashboard from a run of a server under a mixed load: docs/monitoring.png.

usage: draw_dashboard.py [--seconds 60] [--out docs/monitoring.png]

Needs Prometheus and matplotlib (Debian: python3-matplotlib), and the environment of the tests
beside it. The queries are those that Grafana would send; Grafana itself is not needed.
"""

import argparse
import math
import sys
import tempfile
import time
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot, ticker  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import processes  # noqa: E402
from monitoring import prometheus  # noqa: E402
from monitoring.mixed_load import MixedLoad, serve_tenants  # noqa: E402

COLUMNS = 3
STEP_S = 1
MOST_LINES = 8
UNITS = {"s": "s", "ops": "1/s", "reqps": "1/s", "percentunit": "ratio", "bytes": "bytes",
         "Bps": "bytes/s", "none": ""}


def legend_of(pattern, labels):
    """What Grafana writes beside a line."""
    text = pattern.replace("__auto", "")
    for name, value in labels.items():
        text = text.replace("{{" + name + "}}", value.removeprefix("warpyard.v1."))
    return text


def lines_of(panel, server, span):
    """The lines of a panel: their legends, times and values."""
    lines = []
    for pattern, expression in prometheus.expressions(panel).items():
        for series in server.query_range(expression, *span, STEP_S):
            points = [(when - span[0], float(value)) for when, value in series["values"]]
            points = [point for point in points if not math.isnan(point[1])]
            if points:
                lines.append((legend_of(pattern, series["metric"]), *zip(*points)))
    return sorted(lines, key=lambda line: -max(line[2]))[:MOST_LINES]


def draw(axis, title, panel, lines):
    for name, times, values in lines:
        axis.plot(times, values, linewidth=1, label=name[:40])
    unit = UNITS[panel["fieldConfig"]["defaults"]["unit"]]
    axis.set_title(title, fontsize=8, loc="left")
    axis.set_ylabel(unit, fontsize=6)
    axis.tick_params(labelsize=6)
    axis.yaxis.set_major_formatter(ticker.EngFormatter(sep=""))
    axis.set_ylim(bottom=min(0, axis.get_ylim()[0]))
    axis.spines[["top", "right"]].set_visible(False)
    if any(name for name, _, _ in lines):
        axis.legend(fontsize=6, frameon=False, loc="upper left", bbox_to_anchor=(1, 1))


def record(seconds):
    """Runs the load, and returns each panel with its lines."""
    with tempfile.TemporaryDirectory() as folder:
        server, tokens = serve_tenants(folder)
        with server, prometheus.Prometheus(folder, server, tokens["robots"]) as scraper:
            begin = time.time()
            load = MixedLoad(server.address, tokens)
            with load:
                time.sleep(seconds)
                span = begin, time.time()
            if load.errors:
                raise load.errors[0]
            return [(panel, lines_of(panel, scraper, span)) for panel in prometheus.panels()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--out", default=processes.SOURCE / "docs/monitoring.png")
    arguments = parser.parse_args()
    drawn = record(arguments.seconds)
    rows_of = prometheus.rows_of_panels()
    rows = math.ceil(len(drawn) / COLUMNS)
    figure, axes = pyplot.subplots(rows, COLUMNS, figsize=(4.4 * COLUMNS, 1.7 * rows),
                                   layout="constrained")
    for axis, (panel, lines) in zip(axes.flat, drawn):
        draw(axis, f"{rows_of[panel['id']]}: {panel['title']}", panel, lines)
    for axis in axes.flat[len(drawn):]:
        axis.axis("off")
    figure.savefig(arguments.out, dpi=80)


if __name__ == "__main__":
    main()
