#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0
"""Renews the tables of docs/grammar-measured.md from the results that there are.

usage: grammar_tables.py [--results benchmarks/results] [--page docs/grammar-measured.md]

Reads grammar-KIND-MACHINE.json, where KIND is tables, figure or by-hand (what grammar_bench
--tables, grammar_bench --figure and grammar_by_hand printed) and MACHINE one of those below. A table
has a column for each machine with a result. The thesis' values stand in this file. A file has a
run or a list of runs, of which the tables have the median of the medians.
"""

import argparse
import json
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MACHINES = {"cpu-2-cores": "2 CPU cores", "cpu-16-cores": "16 CPU cores", "h200": "H200",
            "h100": "H100"}

# [Steinberger Table 10.3]: nodes, terminals, polygons.
THESIS_COUNTS = {
    "Tree4,3": ("121", "283", "5232"), "Tree8,4": ("9k", "23k", "10M"),
    "Residential": ("297", "2423", "62k"), "Cross-Towers": ("3327", "17k", "182k"),
    "Skyscrapers, full": ("73M", "59M", "724M"), "Skyscrapers": ("292k", "825k", "3.82M"),
    "CityOverview, full": ("67M", "91M", "2.23G"), "CityOverview": ("228k", "842k", "5.66M"),
    "Suburban": ("796k", "6.0M", "167.8M")}
# [Steinberger Table 10.2], milliseconds: CPU, C-PGA 4, GPU, GPU G, G-PGA, transfer.
THESIS_TIMES = {
    "Tree4,3": (11.7, 4.49, 1.57, 1.55, 0.84, 0.18),
    "Tree8,4": (53546.1, 135.40, 56.72, 48.87, 19.29, 154.02),
    "Residential": (77.8, 8.36, 7.38, 4.90, 2.31, 1.77),
    "Cross-Towers": (2092.8, 24.12, 19.17, 11.86, 6.97, 7.44),
    "Skyscrapers": (6262.6, 545.15, 394.65, 263.37, 164.09, 187.68),
    "CityOverview": (16573.0, 996.33, 708.02, 346.73, 249.89, 331.98),
    "Suburban": (53605.3, 13115.90, 11041.17, 6689.11, 4551.21, None)}
# [Steinberger §10.5.2], milliseconds a frame. The CPU and the basic method derive all that is near.
THESIS_FRAMES = {
    (1000, "around"): "65 (CPU: 250 to 400)", (1000, "seen"): "30", (1000, "changed"): "5",
    (3500, "around"): "525 (CPU: 3500)", (3500, "seen"): "280", (3500, "changed"): "50"}
# Terminals of Table 10.3 in the time of G-PGA, in millions a second.
THESIS_RATES = {"Tree4,3": "0.34", "Tree8,4": "1.2", "Residential": "1.05", "Cross-Towers": "2.4",
                "Skyscrapers": "5.0", "CityOverview": "3.4", "Suburban": "1.3"}
BYTES_OF_INSTANCE, GPU_BYTES_PER_MS = 64, {"H200": 4.8e9, "H100": 3.35e9}
METHODS = {"around": "all that is near", "seen": "what is seen", "changed": "what changes",
           "visible": "what is not hidden"}
AS_WRITTEN = "as written"


def short(number):
    """A count with three digits."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if number >= size:
            return f"{number / (1e3 if letter == 'k' else size):.3g}{letter}"
    return f"{number:d}"


def ms(value):
    if value is None:
        return ""
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}".replace(",", " ")


def cell_of(times):
    """Median, and the least and the greatest time."""
    return f"{ms(times['median'])} ({ms(times['min'])} to {ms(times['max'])})"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def counts(results):
    """Table 10.3: of any machine, since all have to make the same."""
    rows = next(iter(results["tables"].values()))["rows"]
    found = {row["row"]: row for row in rows if row["rule_threads"] == AS_WRITTEN}
    return table(["Scene", "nodes: thesis", "ours", "terminals: thesis", "ours", "polygons: thesis",
                  "ours"],
                 [[name, nodes, short(found[name]["nodes"]), terminals,
                   short(found[name]["terminals"]), polygons, short(found[name]["triangles"])]
                  for name, (nodes, terminals, polygons) in THESIS_COUNTS.items()])


def rates(results):
    """Millions of terminals a second, and what writing instances takes of a device's memory."""
    columns = list(columns_of(results))
    terminals = {row["row"]: row["terminals"]
                 for row in next(iter(results["tables"].values()))["rows"]}
    rows = []
    for name in THESIS_COUNTS:
        line = [name, THESIS_RATES.get(name, "")]
        for title, own in columns:
            median = own[name]["derive"]["median"]
            line.append(f"{terminals[name] / median / 1e3:.3g}")
            if title in GPU_BYTES_PER_MS:
                written = terminals[name] * BYTES_OF_INSTANCE / GPU_BYTES_PER_MS[title]
                line.append(f"{100 * written / median:.2g} %")
        rows.append(line)
    head = ["Scene", "thesis: G-PGA"]
    for title, _ in columns:
        head += [f"ours: {title}"] + ["of its bandwidth"] * (title in GPU_BYTES_PER_MS)
    return table(head, rows)


def columns_of(results):
    """(title, {row: phase: times}) for each machine and number of threads."""
    for machine, result in results["tables"].items():
        for threads in dict.fromkeys(row["threads"] for row in result["rows"]):
            own = {row["row"]: row["milliseconds"] for row in result["rows"]
                   if row["threads"] == threads and row["rule_threads"] == AS_WRITTEN}
            one = "1 thread" if threads == 1 else f"{threads} threads"
            yield (MACHINES[machine] if result["backend"] == "cuda" else one), own


def times(results):
    """Table 10.2."""
    columns = list(columns_of(results))
    head = ["Scene", "thesis: CPU", "C-PGA 4", "GPU", "GPU G", "G-PGA", "transfer"]
    rows = []
    for name in THESIS_COUNTS:
        thesis = [ms(value) for value in THESIS_TIMES.get(name, [None] * 6)]
        rows.append([name, *thesis, *[ms(own[name]["derive"]["median"]) for _, own in columns],
                     *[ms(own[name]["copy_out"]["median"]) for title, own in columns
                       if title in GPU_BYTES_PER_MS]])
    ours = [f"ours: {title}" for title, _ in columns]
    copies = [f"{title}, transfer" for title, _ in columns if title in GPU_BYTES_PER_MS]
    return table(head + ours + copies, rows)


def rule_threads(results):
    """Times by threads for a rule, of the last GPU, where they run together, or of the first machine."""
    gpus = [machine for machine in results["tables"] if MACHINES[machine] in GPU_BYTES_PER_MS]
    machine = gpus[-1] if gpus else next(iter(results["tables"]))
    rows = results["tables"][machine]["rows"]
    # More threads of a CPU would add the noise of other work.
    rows = [row for row in rows if row["threads"] == rows[0]["threads"]]
    variants = list(dict.fromkeys(row["rule_threads"] for row in rows))
    found = {(row["row"], row["rule_threads"]): row["milliseconds"]["derive"] for row in rows}
    return table([f"{MACHINES[machine]}, `@threads`", *variants],
                 [[name, *[cell_of(found[name, variant]) for variant in variants]]
                  for name in THESIS_COUNTS if (name, variants[-1]) in found])


def by_hand(results):
    machines = results["by-hand"]
    found = {}  # (scene, parcels, contender) -> machine -> what it measured
    for machine, result in machines.items():
        for scene in result["scenes"]:
            for contender in scene["contenders"]:
                key = scene["scene"], scene["parcels"], contender["name"]
                found.setdefault(key, {})[machine] = contender
    lines = []
    for (scene, parcels, name), own in found.items():
        line = [f"`{scene}`, {parcels}", name.replace("_", " ")]
        for machine in machines:
            line += ([cell_of(own[machine]["milliseconds"]["derive"]),
                      f"{own[machine]['bytecode_over_this']:.2f}"] if machine in own else ["", ""])
        lines.append(line)
    head = ["Scene, parcels", "Rules"]
    for machine in machines:
        head += [f"{MACHINES[machine]}: ms", "bytecode takes times"]
    return table(head, lines)


def frames(results):
    """Figure 10.10: medians of all frames, and of the parts of the flight."""
    lines = []
    for machine, result in results["figure"].items():
        for series in result["series"]:
            key = int(series["clip_m"]), series["method"]
            lines.append([MACHINES[machine], f"{key[0]} m", METHODS[key[1]],
                          THESIS_FRAMES.get(key, ""),
                          *[ms(part["milliseconds"]["made"]["median"])
                            for part in series["parts"]]])
    parts = next(iter(results["figure"].values()))["series"][0]["parts"]
    head = ["Machine", "Distance", "Derived", "thesis", *[part["part"] for part in parts]]
    return table(head, lines)


TABLES = {"counts": ("tables", counts), "times": ("tables", times), "rates": ("tables", rates),
          "rule threads": ("tables", rule_threads), "by hand": ("by-hand", by_hand),
          "frames": ("figure", frames)}


def merged(runs):
    """Equal results of several runs as one: nobody chooses the run that suits him."""
    first = runs[0]
    if isinstance(first, dict):
        if set(first) == {"median", "min", "max"}:
            return {"median": statistics.median(run["median"] for run in runs),
                    "min": min(run["min"] for run in runs), "max": max(run["max"] for run in runs)}
        return {key: merged([run[key] for run in runs]) for key in first}
    if isinstance(first, list):
        return [merged(list(each)) for each in zip(*runs, strict=True)]
    return statistics.median(runs) if isinstance(first, float) else first


def read_result(path):
    result = json.loads(path.read_text(encoding="utf-8"))
    return merged(result) if isinstance(result, list) else result


def read_results(folder):
    """{kind: {machine: result}}, in the order of MACHINES."""
    results = {}
    for kind in ("tables", "figure", "by-hand"):
        paths = {machine: folder / f"grammar-{kind}-{machine}.json" for machine in MACHINES}
        results[kind] = {machine: read_result(path) for machine, path in paths.items()
                         if path.exists()}
    return results


def renewed(page, results):
    """The page with all tables that have a result."""
    for name, (kind, make) in TABLES.items():
        marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        if not marks.search(page):
            raise ValueError(f"the page has no place for the table '{name}'")
        if results[kind]:
            made = make(results)
            page = marks.sub(lambda found, made=made: f"{found[1]}{made}\n{found[2]}", page)
    return page


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "benchmarks/results")
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "docs/grammar-measured.md")
    arguments = parser.parse_args()
    page = renewed(arguments.page.read_text(encoding="utf-8"), read_results(arguments.results))
    arguments.page.write_text(page, encoding="utf-8")
    print(arguments.page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
