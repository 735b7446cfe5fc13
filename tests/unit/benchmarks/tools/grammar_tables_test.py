#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests benchmarks/tools/grammar_tables.py on small results."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "benchmarks" / "tools"))

import grammar_tables  # noqa: E402

PAGE = "\n".join(f"<!-- {name} -->\nold {name}\n<!-- end of {name} -->"
                 for name in grammar_tables.TABLES)


def spread(median):
    return {"median": median, "min": median / 2, "max": 2 * median}


def tables(backend, threads, factor):
    return {"backend": backend, "rows": [
        {"row": row, "threads": number, "rule_threads": variant, "nodes": 12345, "terminals": 999,
         "triangles": 2_500_000, "milliseconds": {"derive": spread(factor / max(1, number)),
                                                  "copy_out": spread(7 * factor)}}
        for number in threads for row in grammar_tables.THESIS_COUNTS
        for variant in ("as written", "1")]}


class Renewing(unittest.TestCase):
    def renew(self, **results):
        empty = {kind: {} for kind, _ in grammar_tables.TABLES.values()}
        return grammar_tables.renewed(PAGE, {**empty, **results})

    def test_leaves_tables_without_results(self):
        self.assertEqual(self.renew(), PAGE)

    def test_has_a_column_for_each_machine_and_number_of_threads(self):
        page = self.renew(tables={"cpu-2-cores": tables("cpu", [1, 2], 8),
                                  "h200": tables("cuda", [0], 0.5)})
        self.assertIn("| ours: 1 thread | ours: 2 threads | ours: H200 | H200, transfer |", page)
        self.assertIn("| Tree4,3 | 11.7 | 4.49 | 1.57 | 1.55 | 0.84 | 0.18 | 8 | 4 |", page)
        self.assertIn("| Tree4,3 | 121 | 12.3k | 283 | 999 | 5232 | 2.5M |", page)
        self.assertIn("| Tree4,3 | 0.34 | 0.125 | 0.25 | 2 | 0.0027 % |", page)
        self.assertNotIn("old times", page)
        self.assertIn("old frames", page)

    def test_compares_rules_by_hand_between_machines(self):
        contenders = [{"name": "by_hand_grouped", "bytecode_over_this": 1.5,
                       "milliseconds": {"derive": spread(3)}}]
        small = {"scene": "tree.wyg", "parcels": 1, "contenders": contenders}
        large = {**small, "parcels": 9}
        page = self.renew(**{"by-hand": {"cpu-2-cores": {"scenes": [small]},
                                         "h200": {"scenes": [large, small]}}})
        both = "3 (1.5 to 6) | 1.50 | 3 (1.5 to 6) | 1.50 |"
        self.assertIn(f"| `tree.wyg`, 1 | by hand grouped | {both}", page)
        self.assertIn("| `tree.wyg`, 9 | by hand grouped |  |  | 3 (1.5 to 6) | 1.50 |", page)

    def test_has_the_frames_of_the_figure(self):
        part = {"part": "walk", "milliseconds": {"made": spread(4)}}
        result = {"series": [{"clip_m": 3500, "method": "seen", "parts": [part]}]}
        page = self.renew(figure={"h200": result})
        self.assertIn("| H200 | 3500 m | what is seen | 280 | 4 |", page)

    def test_takes_the_median_of_runs_and_all_of_their_range(self):
        runs = [{"rows": [{"threads": 2, "ms": spread(ms), "ratio": ms}]} for ms in (9.0, 1.0, 4.0)]
        self.assertEqual(grammar_tables.merged(runs),
                         {"rows": [{"threads": 2, "ratio": 4.0,
                                    "ms": {"median": 4, "min": 0.5, "max": 18}}]})

    def test_refuses_a_page_without_a_place(self):
        with self.assertRaises(ValueError):
            grammar_tables.renewed("nothing", {})


if __name__ == "__main__":
    unittest.main()
