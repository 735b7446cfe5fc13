#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0
"""Compares our times with those of others that were measured elsewhere; builds and runs nothing.

usage: compare_peers.py RESULT.json... [--peers benchmarks/peers/ccd-peers.json]

RESULT.json is what collision_scenes printed, or one or several (a list) of what collision_bench
printed. The file of peers says who took how long for what, where, and who says so; its format is in
benchmarks/README.md. Prints a line for each time of a peer that has one of ours beside it: of our
results of the same backend and machine the fastest traversal with the conservative root finder.
Ratios between different machines or scenes are marked, and compare those, too.
"""

import argparse
import json
import pathlib
import sys

FORMAT = "warpyard.peers.1"
REPORTS = {"earliest", "collisions", "candidates"}
DEFAULT_PEERS = pathlib.Path(__file__).resolve().parents[1] / "peers/ccd-peers.json"


class InputError(Exception):
    """A file that is not what it should be."""


def read(path):
    try:
        return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{path}: no JSON: {error}") from error


def need(condition, where, what):
    if not condition:
        raise InputError(f"{where}: {what}")


def check_peers(peers, path):
    """Refuses a file of peers that lacks what the comparison says about them."""
    need(isinstance(peers, dict) and peers.get("format") == FORMAT, path, f"format is not {FORMAT}")
    need(isinstance(peers.get("scenes"), dict), path, "scenes is missing")
    need(isinstance(peers.get("peers"), list) and peers["peers"], path, "peers is missing or empty")
    for i, peer in enumerate(peers["peers"]):
        where = f"{path}: peers[{i}]"
        for key in ("name", "machine", "date", "source"):
            need(isinstance(peer.get(key), str) and peer[key], where, f"{key} is missing")
        for time in peer.get("milliseconds", []):
            need(time.get("scene") in peers["scenes"], where, f"unknown scene {time.get('scene')}")
            need(time.get("report") in REPORTS, where, f"unknown report {time.get('report')}")
            value = time.get("value")
            need(isinstance(value, (int, float)) and value > 0, where, "value is no positive time")
        need(peer.get("milliseconds"), where, "milliseconds is missing or empty")


def option(command, name, default):
    words = command.split()
    return words[words.index(name) + 1] if name in words[:-1] else default


def scene_of(run, scenes):
    """The scene of a collision_bench result, which names files only: by its counts."""
    for name, scene in scenes.items():
        if all(run.get(key) == scene.get(key) for key in ("vertices", "triangles")):
            return name
    return None


def times_of(result, scenes, path):
    """Our times of one result file, conservative ones only."""
    times = []
    if isinstance(result, dict) and result.get("benchmark") == "bench.engine.collision.scenes":
        if option(result["command"], "--root-finder", "conservative") != "conservative":
            return []
        for cell in result["cells"]:
            if "error" not in cell:
                times.append({**cell, "backend": result["backend"], "machine": result["machine"]})
        return times
    for run in result if isinstance(result, list) else [result]:
        need(isinstance(run, dict) and run.get("benchmark") == "bench.engine.collision.step", path,
             "neither a result of collision_scenes nor of collision_bench")
        command = run["command"]
        if option(command, "--root-finder", "conservative") != "conservative":
            continue
        times.append({**run, "scene": scene_of(run, scenes),
                      "report": option(command, "--report", "collisions"),
                      "traversal": option(command, "--traversal", "clusters")})
    return times


def fastest(times):
    """The fastest of those that differ in the traversal only, by (scene, report, backend, machine)."""
    best = {}
    for time in times:
        key = (time["scene"], time["report"], time["backend"], time["machine"])
        if key not in best or median(time) < median(best[key]):
            best[key] = time
    return best


def median(time):
    return time["milliseconds"]["step"]["median"]


def is_same_machine(peer, ours):
    return peer["machine"] == ours["machine"] or (
        "device" in peer and ours["backend"].endswith(", " + peer["device"]))


def remarks(peer, time, scene, ours):
    """What keeps a ratio from being a fair one."""
    found = []
    if not is_same_machine(peer, ours):
        found.append(f"machines differ: {peer['machine']} against {ours['backend']} of "
                     f"{ours['machine'] or 'an unnamed machine'}")
    if "stands_for" in scene:
        found.append(f"scenes differ: ours stands for {scene['stands_for']}")
    elif any(key in scene and ours.get(key) != scene[key] for key in ("vertices", "triangles")):
        found.append("scenes differ: other numbers of vertices or triangles")
    found += [time[key] for key in ("frames",) if key in time]
    found += [peer[key] for key in ("note",) if key in peer]
    return found


def compare(peers, best):
    """Lines of the comparison, and the number of ratios in it."""
    lines, count = [], 0
    for peer in peers["peers"]:
        rows = []
        for time in peer["milliseconds"]:
            for (scene, report, backend, _), ours in sorted(best.items(), key=lambda item: item[0][1:]):
                if (scene, report) != (time["scene"], time["report"]):
                    continue
                rows.append(f"  {scene}, {report}: {time['value']:g} ms against ours "
                            f"{median(ours):.4g} ms ({backend}, {ours['traversal']}): "
                            f"{time['value'] / median(ours):.3g} times")
                rows += [f"    {remark}" for remark in
                         remarks(peer, time, peers["scenes"][scene], ours)]
                count += 1
        if rows:
            lines += [f"{peer['name']}; {peer['machine']}; {peer['date']}",
                      f"  from: {peer['source']}", *rows]
    return lines, count


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+")
    parser.add_argument("--peers", default=DEFAULT_PEERS)
    options = parser.parse_args(arguments)
    try:
        peers = read(options.peers)
        check_peers(peers, options.peers)
        times = []
        for path in options.results:
            try:
                times += times_of(read(path), peers["scenes"], path)
            except (KeyError, TypeError) as error:
                raise InputError(f"{path}: not complete: {error!r}") from error
        lines, count = compare(peers, fastest([t for t in times if t["scene"]]))
    except InputError as error:
        print(f"compare_peers: {error}", file=sys.stderr)
        return 1
    print("\n".join(lines) if count else "no scene and report of a peer is in the results")
    return 0


if __name__ == "__main__":
    sys.exit(main())
