# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0
"""Plots of scheduler_bench, for plot.py."""

from plot_parts import COLOURS, distinct, median, panels, spread

NAMES = {"edf": "earliest deadline first", "fifo": "first in, first out",
         "streams": "prioritised streams"}
MODELS = [("megakernel_million_per_s", "megakernel"),
          ("kernels_million_per_s", "kernels with queues")]


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


OVERHEAD_FORMS = {"flat": "packages of a stage", "recursive": "chains of packages",
                  "warps": "warps of a stage"}


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
                          marker="o", markersize=4, capsize=2, label=OVERHEAD_FORMS[kind])
        axis.axhline(0, color="#777777", linewidth=0.8)
        axis.set(xscale="log", xlabel="multiply-adds of a thread", ylabel="%", title=title)
    axes[-1].legend(frameon=False, fontsize=8)
    return figure


QUOTA_FORMS = {"chains": "chains of packages", "stage": "a stage of packages",
               "stage of warps": "a stage of warps"}


def plot_quota(cells):
    """Shares of tenants over time; the measured run of quotas of each length of packages."""
    cells = [cell for cell in cells if cell["axes"]["policy"] == "quota"]
    figure, axes = panels(len(cells))
    for axis, cell in zip(axes, cells):
        for tenant, colour in zip(range(1, 5), COLOURS):
            curve = cell["curves"][f"tenant_{tenant}_percent_by_ms"]
            axis.plot(curve["x"], curve["y"], color=colour, label=f"tenant {tenant}")
            axis.axhline(10 * tenant, color=colour, linestyle=":", linewidth=0.8)
        packages = QUOTA_FORMS[cell["axes"].get("packages", "chains")]
        axis.set(xlabel="time (ms)", ylim=(0, None),
                 title=f"{packages} of {cell['axes']['fma']:g} multiply-adds")
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


PLOTS = {"deadlines": plot_deadlines, "overhead": plot_overhead, "quota": plot_quota,
         "models": plot_models, "accuracy": plot_accuracy}
