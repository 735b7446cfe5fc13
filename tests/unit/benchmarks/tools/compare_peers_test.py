#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests benchmarks/tools/compare_peers.py on files that it reads, good and bad."""

import contextlib
import copy
import io
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "benchmarks" / "tools"))

import compare_peers  # noqa: E402

PEERS = {
    "format": "warpyard.peers.1",
    "scenes": {"ball": {"vertices": 30, "triangles": 50}, "bart-64": {"stands_for": "BART64"}},
    "peers": [{"name": "Peer 1", "machine": "one Chip", "device": "Chip", "date": "2026-01-02",
               "source": "its paper", "note": "loses some",
               "milliseconds": [{"scene": "ball", "report": "earliest", "value": 20},
                                {"scene": "bart-64", "report": "collisions", "value": 3,
                                 "frames": "a mean"}]}]}


def spread(median):
    return {"median": median, "min": median / 2, "max": 2 * median}


def cell(scene, report, traversal, milliseconds, **more):
    return {"scene": scene, "report": report, "traversal": traversal, "vertices": 30,
            "triangles": 50, "milliseconds": {"step": spread(milliseconds)}, **more}


def scenes_result(*cells, command="collision_scenes ball"):
    return {"benchmark": "bench.engine.collision.scenes", "backend": "cuda, Chip",
            "machine": "one Chip, 16 cores", "command": command, "cells": list(cells)}


def step_result(command, milliseconds, **more):
    return {"benchmark": "bench.engine.collision.step", "backend": "cpu, 2 threads",
            "machine": "2 cores", "command": command, "vertices": 30, "triangles": 50,
            "milliseconds": {"step": spread(milliseconds)}, **more}


class Comparing(unittest.TestCase):
    def run_on(self, *results, peers=None):
        """Exit status, stdout and stderr of a comparison of results that are written to files."""
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for i, content in enumerate([PEERS if peers is None else peers, *results]):
                paths.append(pathlib.Path(folder) / f"{i}.json")
                text = content if isinstance(content, str) else json.dumps(content)
                paths[-1].write_text(text, encoding="utf-8")
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = compare_peers.main([*map(str, paths[1:]), "--peers", str(paths[0])])
        return status, out.getvalue(), err.getvalue()

    def test_says_who_where_when_and_the_ratio(self):
        status, out, _ = self.run_on(scenes_result(cell("ball", "earliest", "clusters", 0.5)))
        self.assertEqual(status, 0)
        self.assertIn("Peer 1; one Chip; 2026-01-02\n  from: its paper\n", out)
        self.assertIn("ball, earliest: 20 ms against ours 0.5 ms (cuda, Chip, clusters): 40 times",
                      out)
        self.assertIn("loses some", out)
        self.assertNotIn("differ", out)

    def test_takes_the_fastest_traversal(self):
        _, out, _ = self.run_on(scenes_result(cell("ball", "earliest", "slow", 5),
                                              cell("ball", "earliest", "fast", 2),
                                              cell("ball", "earliest", "middle", 4)))
        self.assertIn("ours 2 ms (cuda, Chip, fast): 10 times", out)
        self.assertNotIn("slow", out)

    def test_says_where_machines_or_scenes_differ(self):
        _, out, _ = self.run_on(step_result("collision_bench a.ply b.ply --report earliest", 40))
        self.assertIn("ball, earliest: 20 ms against ours 40 ms (cpu, 2 threads, clusters): 0.5 ",
                      out)
        self.assertIn("machines differ: one Chip against cpu, 2 threads of 2 cores", out)
        _, out, _ = self.run_on(scenes_result(cell("bart-64", "collisions", "clusters", 1)))
        self.assertIn("scenes differ: ours stands for BART64", out)
        self.assertIn("a mean", out)
        other = cell("ball", "earliest", "clusters", 1)
        other["triangles"] = 51
        self.assertIn("scenes differ: other numbers", self.run_on(scenes_result(other))[1])

    def test_knows_scenes_of_files_by_their_counts_only(self):
        run = step_result("collision_bench a.ply b.ply --report earliest", 40, vertices=31)
        status, out, _ = self.run_on([run])
        self.assertEqual((status, out),
                         (0, "no scene and report of a peer is in the results\n"))

    def test_leaves_out_failed_cells_and_the_cubic_root_finder(self):
        failed = {"scene": "ball", "report": "earliest", "traversal": "clusters", "error": "memory"}
        cubic = scenes_result(cell("ball", "earliest", "clusters", 1),
                              command="collision_scenes ball --root-finder cubic")
        runs = [step_result("collision_bench a b --report earliest --root-finder cubic", 1)]
        self.assertIn("no scene", self.run_on(scenes_result(failed), cubic, runs)[1])

    def test_refuses_results_that_are_none(self):
        for bad, why in (("[", "no JSON"), ({}, "neither"), ([{"benchmark": "other"}], "neither"),
                         ([3], "neither"),
                         ({"benchmark": "bench.engine.collision.scenes"}, "not complete")):
            status, _, err = self.run_on(bad)
            self.assertEqual(status, 1, bad)
            self.assertIn(why, err)
        with contextlib.redirect_stderr(io.StringIO()) as err:
            self.assertEqual(compare_peers.main(["missing.json"]), 1)
        self.assertIn("missing.json: No such file", err.getvalue())

    def test_refuses_peers_without_what_must_be_said_about_them(self):
        for key in ("name", "machine", "date", "source", "milliseconds"):
            peers = copy.deepcopy(PEERS)
            del peers["peers"][0][key]
            status, _, err = self.run_on(scenes_result(), peers=peers)
            self.assertEqual(status, 1, key)
            self.assertIn(f"peers[0]: {key} is missing", err)
        for change, why in (({"scene": "cow"}, "unknown scene cow"),
                            ({"report": "all"}, "unknown report all"),
                            ({"value": 0}, "no positive time"), ({"value": "1"}, "no positive")):
            peers = copy.deepcopy(PEERS)
            peers["peers"][0]["milliseconds"][0].update(change)
            self.assertIn(why, self.run_on(scenes_result(), peers=peers)[2])
        self.assertIn("format", self.run_on(scenes_result(), peers={"format": "x"})[2])

    def test_reads_the_files_that_come_with_it(self):
        results = sorted((ROOT / "benchmarks" / "results").glob("collision-*.json"))
        self.assertTrue(results)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(compare_peers.main([str(path) for path in results]), 0)
        self.assertIn("cloth-ball, collisions: 402.1 ms against ours", out.getvalue())
        self.assertIn("machines differ", out.getvalue())


if __name__ == "__main__":
    unittest.main()
