#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0
"""Plots what scheduler_bench, collision_scenes, grammar_bench --figure, fleet_simulation, fleet_bench,
fleet_load or several runs of collision_bench wrote.

usage: plot.py RESULT.json [--out docs/plots] [--format svg|png]

Writes a file for each kind of plot that the result has cells for: deadlines, overhead, quota,
models, accuracy; scaling and phases of collision steps; frames of a flight through a city; ways to
balance a fleet; how well scenes share a device, and which deadlines they meet by load; or, from a
list of runs of collision_bench with --blocks, steps by blocks. Of a list of runs of scheduler_bench
it draws the last one of each case. Needs matplotlib (Debian: python3-matplotlib).
"""

import argparse
import json
import pathlib

import matplotlib

from plot_parts import COLOURS, distinct, median, panels, pyplot, spread
import scheduler_plots

CONTENDERS = {"fifo": "first in, first out", "priority": "priorities",
              "service": "earliest deadline first", "admission": "the same, with admission"}
FRAMES = {"around": "all that is near", "seen": "what is seen", "changed": "what changes"}


def is_scaling(cell):
    return cell["scene"].startswith("cloth-") and cell["scene"][6].isdigit()


def plot_scaling(cells):
    """Time of a step over the triangles of the same cloth, and its least time by bandwidth."""
    reports = distinct(cell["report"] for cell in cells)
    figure, axes = panels(len(reports), height=3.6)
    for axis, report in zip(axes, reports):
        for traversal, colour in zip(distinct(cell["traversal"] for cell in cells), COLOURS):
            own = sorted((cell for cell in cells if cell["report"] == report
                          and cell["traversal"] == traversal), key=lambda cell: cell["triangles"])
            times = [cell["milliseconds"]["step"] for cell in own]
            axis.errorbar([cell["triangles"] for cell in own], [time["median"] for time in times],
                          yerr=[[time["median"] - time["min"] for time in times],
                                [time["max"] - time["median"] for time in times]],
                          color=colour, marker="o", markersize=4, capsize=2, label=traversal)
        own = {cell["triangles"]: cell["roofline"]["step"] for cell in cells
               if cell["report"] == report}
        for bound, style, name in (("gathered_ms", ":", "bytes, no cache"),
                                   ("least_ms", "--", "bytes, each once")):
            axis.plot(sorted(own), [own[triangles][bound] for triangles in sorted(own)],
                      color="#777777", linestyle=style, linewidth=1, label=name)
        axis.set(xscale="log", yscale="log", xlabel="triangles of the cloth", title=report)
    axes[0].set_ylabel("step (ms)")
    axes[-1].legend(frameon=False, fontsize=8)
    return figure


def plot_phases(cells):
    """Shares of the phases in a step, by scene, report and traversal, with its time."""
    reports = distinct(cell["report"] for cell in cells)
    figure, axes = panels(len(reports), height=0.8 + 0.2 * len(cells) / len(reports), sharey=False)
    for axis, report in zip(axes, reports):
        own = [cell for cell in cells if cell["report"] == report]
        before = [0.0] * len(own)
        for phase, colour in zip(("copy_in", "refit", "broad", "narrow", "copy_out"), COLOURS):
            shares = [100 * cell["milliseconds"][phase]["median"]
                      / cell["milliseconds"]["step"]["median"] for cell in own]
            axis.barh(range(len(own)), shares, left=before, color=colour, label=phase)
            before = [left + share for left, share in zip(before, shares)]
        for row, cell in enumerate(own):
            median_ms = cell["milliseconds"]["step"]["median"]
            axis.annotate(f"{median_ms:.3g} ms" if median_ms < 100 else f"{median_ms:.0f} ms",
                          (max(before[row], 100), row), xytext=(4, 0), textcoords="offset points",
                          va="center", fontsize=7)
        axis.set_yticks(range(len(own)), [f"{cell['scene']}, {cell['traversal']}" for cell in own],
                        fontsize=7)
        axis.invert_yaxis()
        axis.set(xlabel="% of the step", title=report, xlim=(0, max(130, max(before) + 25)))
    axes[0].legend(frameon=False, fontsize=7, ncols=5, loc="upper left",
                   bbox_to_anchor=(0, -0.12))
    return figure


def line_of(run):
    """What a run of collision_bench was of, by its command."""
    words = run["command"].split()
    return pathlib.Path(words[1]).stem, words[words.index("--report") + 1]


def plot_blocks(runs):
    """Time of a step over the blocks of the kernel."""
    figure, axes = panels(1, height=3.6)
    for line, colour in zip(distinct(line_of(run) for run in runs), COLOURS):
        own = sorted((run for run in runs if line_of(run) == line), key=lambda run: run["blocks"])
        blocks = [run["blocks"] - 1 for run in own]
        times = [run["milliseconds"]["step"]["median"] for run in own]
        axes[0].plot(blocks, times, color=colour, marker="o", markersize=4, label=", ".join(line))
        axes[0].plot(blocks, [times[0] * blocks[0] / count for count in blocks], color=colour,
                     linestyle=":", linewidth=1)
    axes[0].set(xscale="log", yscale="log", xlabel="working blocks (dotted: in proportion)",
                ylabel="step (ms)")
    axes[0].legend(frameon=False, fontsize=8)
    return figure


def plot_frames(series):
    """Time of each frame of a flight, by what is derived. [Steinberger Figure 10.10]"""
    clips = distinct(one["clip_m"] for one in series)
    figure, axes = panels(len(clips), height=3.8)
    for axis, clip in zip(axes, clips):
        own = [one for one in series if one["clip_m"] == clip]
        for one, colour in zip(own, COLOURS):
            axis.plot(one["frames"]["milliseconds"]["made"], color=colour, linewidth=1,
                      label=FRAMES[one["method"]])
        begin = 0
        for part in own[0]["parts"]:
            axis.axvline(begin, color="#bbbbbb", linewidth=0.8, linestyle=":")
            axis.annotate(part["part"], (begin, 1), xycoords=("data", "axes fraction"),
                          xytext=(2, -2), textcoords="offset points", rotation=90, va="top",
                          fontsize=6, color="#777777")
            begin += part["frames"]
        axis.set(yscale="log", xlabel="frame", title=f"up to {clip:g} m away")
    axes[0].set_ylabel("until all instances are made (ms)")
    axes[0].set_ylim(top=6 * axes[0].get_ylim()[1])  # room for the names of the parts
    axes[-1].legend(frameon=False, fontsize=8, loc="lower right")
    return figure


COLLISION_PLOTS = {"scaling": plot_scaling, "phases": plot_phases}


def plot_fleet(cells):
    """Missed deadlines and busy servers by load, a line for each way to balance."""
    figure, (missed, busy) = panels(2, sharey=False)
    kinds = [cell for cell in cells if cell["group"] in ("balancer", "order")]
    for i, name in enumerate(distinct(cell["name"] for cell in kinds)):
        own = [cell for cell in kinds if cell["name"] == name]
        loads = [cell["load"] for cell in own]
        style = {"color": (COLOURS + ["#222222"])[i], "marker": "o", "markersize": 3}
        missed.plot(loads, [100 * median(cell, "miss_ratio") for cell in own], label=name, **style)
        busy.plot(loads, [100 * median(cell, "utilisation") for cell in own], **style)
    missed.set_title("deadlines missed, of 100")
    missed.set_yscale("symlog", linthresh=0.1)
    busy.set_title("time that servers are busy, of 100")
    for axis in (missed, busy):
        axis.set_xlabel("load")
    missed.legend(fontsize=6, frameon=False)
    return figure


def plot_load(cells):
    """Deadlines missed, work that was met, and accepted work that was late, by load."""
    figure, (missed, met, late) = panels(3, sharey=False)
    for contender, colour in zip(distinct(cell["contender"] for cell in cells), COLOURS):
        own = [cell for cell in cells if cell["contender"] == contender]
        loads = [cell["load"] for cell in own]
        style = {"color": colour, "marker": "o", "markersize": 4,
                 "label": CONTENDERS.get(contender, contender)}
        missed.plot(loads, [100 * cell["miss_ratio"] for cell in own], **style)
        met.plot(loads, [100 * cell["met_of_capacity"] for cell in own], **style)
        taken = [1 - cell["refused"] - cell["full"] for cell in own]
        late.plot(loads, [100 * cell["late"] / part if part > 0 else 0
                          for cell, part in zip(own, taken)], **style)
    loads = sorted({cell["load"] for cell in cells})
    missed.plot(loads, [100 * max(0, 1 - 1 / load) for load in loads], color="#777777",
                linestyle="--", linewidth=1, label="what no device can do")
    missed.set(title="steps that were not met", ylabel="% of all steps")
    met.set(title="work that was met", ylabel="% of the capacity")
    late.set(title="accepted steps that were late", ylabel="% of accepted steps")
    for axis in (missed, met, late):
        axis.set(xscale="log", xlabel="load", ylim=(0, None))
        axis.set_xticks(loads, [f"{load:g}" for load in loads])
        axis.minorticks_off()
    missed.legend(frameon=False, fontsize=7)
    return figure


def plot_sharing(cells):
    """Triangles a second of scenes in flight, and over those of the best cell of all."""
    figure, (rate, efficiency) = panels(2, sharey=False)
    most = max(cell["triangles_per_second"] for cell in cells)
    for scene, colour in zip(distinct(cell["scene"] for cell in cells), COLOURS):
        own = sorted((cell for cell in cells if cell["scene"] == scene),
                     key=lambda cell: cell["in_flight"])
        count = [cell["in_flight"] for cell in own]
        style = {"color": colour, "marker": "o", "markersize": 4, "label": scene}
        rate.plot(count, [cell["triangles_per_second"] * 1e-6 for cell in own], **style)
        efficiency.plot(count, [100 * cell["triangles_per_second"] / most for cell in own],
                        **style)
    rate.set(xscale="log", yscale="log", title="million triangles a second")
    efficiency.set(xscale="log", ylim=(0, None), ylabel="%", title="sharing efficiency")
    for axis in (rate, efficiency):
        axis.set_xlabel("scenes in flight")
    rate.legend(frameon=False, fontsize=8)
    return figure


ONE_PLOT = {"bench.grammar.figure": ("grammar", "frames", plot_frames, "series"),
            "bench.engine.fleet_load": ("fleet", "load", plot_load, "cells"),
            "bench.engine.fleet": ("fleet", "sharing", plot_sharing, "cells"),
            "bench.scaling.fleet": ("scaling", "balancers", plot_fleet, "cells")}


def plots_of(result):
    """(kind of benchmark, name, function, cells) of each plot that the result has cells for."""
    if isinstance(result, list):
        return [("collision", "blocks", plot_blocks, [run for run in result if run["blocks"]])]
    kind = result.get("benchmark")
    if kind in ONE_PLOT:
        where, name, plot, cells = ONE_PLOT[kind]
        return [(where, name, plot, result[cells])]
    if kind == "bench.engine.collision.scenes":
        measured = [cell for cell in result["cells"] if "error" not in cell]
        found = [("collision", name, plot, [cell for cell in measured
                                            if is_scaling(cell) == (name == "scaling")])
                 for name, plot in COLLISION_PLOTS.items()]
    else:
        cells = {case["case"]: case["cells"] for case in result["cases"]}
        found = [("scheduler", name, plot, cells.get(name))
                 for name, plot in scheduler_plots.PLOTS.items()]
    return [one for one in found if one[3]]


def merged(result):
    """One result for runs that are drawn as one."""
    kind = result[0]["benchmark"] if isinstance(result, list) else None
    if kind == "bench.grammar.figure":
        return result[0]  # frames of one flight: a median of several would hide what they do
    if kind == "bench.scheduler":
        cases = {case["case"]: case for run in result for case in run["cases"]}
        return result[-1] | {"cases": list(cases.values())}
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("result", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("docs/plots"))
    parser.add_argument("--format", choices=["svg", "png"], default="svg")
    arguments = parser.parse_args()
    result = merged(json.loads(arguments.result.read_text(encoding="utf-8")))
    arguments.out.mkdir(parents=True, exist_ok=True)
    # The same result gives the same file: no date, no random names. Text stays text.
    matplotlib.rcParams.update({"font.size": 9, "axes.titlesize": 10, "svg.fonttype": "none",
                                "svg.hashsalt": "warpyard"})
    for kind, name, plot, cells in plots_of(result):
        figure = plot(cells)
        backend = (result[0] if isinstance(result, list) else result).get("backend", "simulated")
        backend = backend.split(",")[0]
        path = arguments.out / f"{kind}-{name}-{backend}.{arguments.format}"
        metadata = {"Date": None} if arguments.format == "svg" else {}
        figure.savefig(path, metadata=metadata, dpi=120)
        pyplot.close(figure)
        print(path)


if __name__ == "__main__":
    main()
