#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""The dashboard is what its program writes, and its panels lie beside each other."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[3]


class DashboardTest(unittest.TestCase):
    def setUp(self):
        path = SOURCE / "deploy/grafana/dashboards/warpyard.json"
        self.board = json.loads(path.read_text(encoding="utf-8"))

    def test_is_current(self):
        shown = subprocess.run([sys.executable, SOURCE / "tools/make_dashboard.py", "--check"],
                               capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(shown.returncode, 0, shown.stderr)

    def test_panels_do_not_overlap(self):
        taken = {}
        for panel in self.board["panels"]:
            place = panel["gridPos"]
            self.assertLessEqual(place["x"] + place["w"], 24, panel["title"])
            for x in range(place["x"], place["x"] + place["w"]):
                for y in range(place["y"], place["y"] + place["h"]):
                    self.assertIsNone(taken.setdefault((x, y), None), panel["title"])
                    taken[x, y] = panel["title"]

    def test_panels_have_names_and_numbers_of_their_own(self):
        numbers = [panel["id"] for panel in self.board["panels"]]
        self.assertEqual(len(set(numbers)), len(numbers))
        for panel in self.board["panels"]:
            self.assertTrue(panel["title"])

    def test_queries_follow_the_variables(self):
        for panel in self.board["panels"]:
            for target in panel.get("targets", []):
                self.assertEqual(target["datasource"]["uid"], "${datasource}")
                self.assertIn('instance=~"$instance"', target["expr"], panel["title"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
