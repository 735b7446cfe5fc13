#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0
"""Plots what scheduler_bench, collision_scenes, grammar_bench --figure, fleet_simulation, fleet_bench,
fleet_load or several runs of collision_bench wrote.

usage: plot.py RESULT.json [--out docs/plots] [--format svg|png]

Writes a file for each kind of plot that the result has cells for: deadlines, overhead, quota,
models, accuracy; scaling and phases of collision steps; frames of a flight through a city; ways to
balance a fleet; how well scenes share a device, and which deadlines they meet by load; or, from
a list of runs of collision_bench with --blocks, collision steps by blocks. Needs matplotlib (Debian:
python3-matplotlib).
"""

import argparse
import json
import pathlib

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

COLOURS = ["#1b6ca8", "#d1495b", "#edae49", "#3c8d5a", "#6b4e9b", "#777777"]
NAMES = {"edf": "earliest deadline first", "fifo": "first in, first out",
         "streams": "prioritised streams"}
CONTENDERS = {"fifo": "first in, first out", "priority": "priorities",
              "service": "earliest deadline first", "admission": "the same, with admission"}
FRAMES = {"around": "all that is near", "seen": "what is seen", "changed": "what changes"}
MODELS = [("megakernel_million_per_s", "megakernel"),
          ("kernels_million_per_s", "kernels with queues")]


def cells_of(result, case):
    """Cells of a case; none if it was not measured."""
    for one in result["cases"]:
        if one["case"] == case:
            return one["cells"]
    return []


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


def plot_deadlines(cells):
    """Which share of the jobs took longer than a time, by contender."""
    packages = distinct(cell["axes"]["background_package_us"] for cell in cells)
    figure, axes = panels(len(packages))
    for axis, package in zip(axes, packages):
        own = [cell for cell in cells if cell["axes"]["background_package_us"] == package]
        for cell, colour in zip(own, COLOURS):
            curve = cell["curves"]["latency_us"]
            total, later, x, y = sum(curve["y"]), sum(curve["y"]), [], []
            for upper, count in zip(curve["x"], curve["y"]):
                later -= count
                if total > later:
                    x.append(upper)
                    y.append(max(later / total, 0.3 / total))
            axis.step(x, y, where="post", color=colour, label=NAMES[cell["axes"]["who"]])
        deadline = own[0]["axes"]["deadline_us"]
        axis.axvline(deadline, color="#777777", linestyle="--", linewidth=1)
        axis.annotate("deadline", (deadline, 1), xytext=(4, -2), textcoords="offset points",
                      va="top", fontsize=8, color="#777777")
        axis.set(xscale="log", yscale="log", xlabel="latency (µs)",
                 title=f"background packages of {package:g} µs")
    axes[0].set_ylabel("share of jobs that took longer")
    axes[-1].legend(frameon=False, fontsize=8)
    return figure


def plot_overhead(cells):
    """Overhead over the length of packages."""
    cells = [cell for cell in cells if "fma" in cell["axes"]]
    figure, axes = panels(2, sharey=False)
    titles = [("overhead_percent", "more time than without a scheduler"),
              ("not_busy_percent", "workers' time without work")]
    for axis, (measure, title) in zip(axes, titles):
        for kind, colour in zip(distinct(cell["axes"]["packages"] for cell in cells), COLOURS):
            own = [cell for cell in cells if cell["axes"]["packages"] == kind]
            axis.errorbar([cell["axes"]["fma"] for cell in own],
                          [median(cell, measure) for cell in own],
                          yerr=list(zip(*[spread(cell, measure) for cell in own])), color=colour,
                          marker="o", markersize=4, capsize=2, label=f"{kind} packages")
        axis.axhline(0, color="#777777", linewidth=0.8)
        axis.set(xscale="log", xlabel="multiply-adds of a thread", ylabel="%", title=title)
    axes[-1].legend(frameon=False, fontsize=8)
    return figure


def plot_quota(cells):
    """Shares of tenants over time; the measured run of quotas of each length of packages."""
    cells = [cell for cell in cells if cell["axes"]["policy"] == "quota"]
    figure, axes = panels(len(cells))
    for axis, cell in zip(axes, cells):
        for tenant, colour in zip(range(1, 5), COLOURS):
            curve = cell["curves"][f"tenant_{tenant}_percent_by_ms"]
            axis.plot(curve["x"], curve["y"], color=colour, label=f"tenant {tenant}")
            axis.axhline(10 * tenant, color=colour, linestyle=":", linewidth=0.8)
        packages = "a stage" if cell["axes"].get("packages") == "stage" else "chains"
        axis.set(xlabel="time (ms)", ylim=(0, None),
                 title=f"{packages} of packages of {cell['axes']['fma']:g} multiply-adds")
    axes[0].set_ylabel("share of the device (%)")
    axes[-1].legend(frameon=False, fontsize=8, ncols=2)
    return figure


def plot_models(cells):
    """Elements a second of both models."""
    examples = distinct(cell["axes"]["example"] for cell in cells)
    figure, axes = panels(len(examples), height=4.4, sharey=False)
    for axis, example in zip(axes, examples):
        own = [cell for cell in cells if cell["axes"]["example"] == example]
        for k, cell in enumerate(own):
            ends = [median(cell, measure) for measure, _ in MODELS if measure in cell["measures"]]
            axis.plot(ends, [k] * len(ends), color="#bbbbbb", linewidth=2, zorder=1)
        for (measure, name), colour in zip(MODELS, COLOURS):
            known = [(k, cell) for k, cell in enumerate(own) if measure in cell["measures"]]
            axis.scatter([median(cell, measure) for _, cell in known], [k for k, _ in known],
                         s=28, color=colour, label=name, zorder=2)
        axis.set_yticks(range(len(own)),
                        [f"{cell['axes']['elements']}, {cell['axes']['work']}" for cell in own],
                        fontsize=8)
        axis.grid(axis="x", color="#dddddd", linewidth=0.6)
        axis.invert_yaxis()
        axis.set(xscale="log", xlabel="million elements a second", title=example)
    axes[-1].legend(frameon=False, fontsize=8)
    return figure


def plot_accuracy(cells):
    """Accuracy and extra run time by levels."""
    cells = [cell for cell in cells if cell["axes"]["levels"] > 0]
    figure, axes = panels(2, sharey=False)
    lengths = distinct(cell["axes"]["fma"] for cell in cells)
    levels = distinct(cell["axes"]["levels"] for cell in cells)
    titles = [("exact_accuracy_percent", "pairs in the order of their priorities"),
              ("extra_time_percent", "more time than unsorted")]
    for axis, (measure, title) in zip(axes, titles):
        for i, fma in enumerate(lengths):
            own = [cell for cell in cells if cell["axes"]["fma"] == fma]
            bars = axis.bar([k + 0.4 * i - 0.2 for k in range(len(own))],
                            [median(cell, measure) for cell in own], width=0.38,
                            color=COLOURS[i], label=f"{fma:g} multiply-adds")
            axis.bar_label(bars, fmt="%.1f", fontsize=7)
        axis.set_xticks(range(len(levels)), [f"{level:g}" for level in levels])
        axis.axhline(0, color="#777777", linewidth=0.8)
        axis.set(xlabel="levels", ylabel="%", title=title)
        axis.margins(y=0.12)
    axes[-1].legend(frameon=False, fontsize=8)
    return figure


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
PLOTS = {"deadlines": plot_deadlines, "overhead": plot_overhead, "quota": plot_quota,
         "models": plot_models, "accuracy": plot_accuracy}


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


def plots_of(result):
    """(kind of benchmark, name, function, cells) of each plot that the result has cells for."""
    if isinstance(result, list):
        return [("collision", "blocks", plot_blocks, [run for run in result if run["blocks"]])]
    if result.get("benchmark") == "bench.grammar.figure":
        return [("grammar", "frames", plot_frames, result["series"])]
    if result.get("benchmark") == "bench.engine.fleet_load":
        return [("fleet", "load", plot_load, result["cells"])]
    if result.get("benchmark") == "bench.engine.fleet":
        return [("fleet", "sharing", plot_sharing, result["cells"])]
    if result.get("benchmark") == "bench.scaling.fleet":
        return [("scaling", "balancers", plot_fleet, result["cells"])]
    if result.get("benchmark") == "bench.engine.collision.scenes":
        measured = [cell for cell in result["cells"] if "error" not in cell]
        found = [("collision", name, plot, [cell for cell in measured
                                            if is_scaling(cell) == (name == "scaling")])
                 for name, plot in COLLISION_PLOTS.items()]
    else:
        found = [("scheduler", name, plot, cells_of(result, name))
                 for name, plot in PLOTS.items()]
    return [one for one in found if one[3]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("result", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("docs/plots"))
    parser.add_argument("--format", choices=["svg", "png"], default="svg")
    arguments = parser.parse_args()
    result = json.loads(arguments.result.read_text(encoding="utf-8"))
    if isinstance(result, list) and result[0]["benchmark"] == "bench.grammar.figure":
        result = result[0]  # frames of one flight: a median of several would hide what they do
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
