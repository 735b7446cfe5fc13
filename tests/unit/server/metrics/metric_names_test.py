#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""docs/monitoring.md has every metric of server/metrics/metric_names.h, and no other."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
NAME = re.compile(r"\b(?:warpyard|process)_\w+")
# What Prometheus makes of a histogram.
SERIES = re.compile(r"_(bucket|count|sum)$")


def metrics():
    """Returns the names of all metrics."""
    text = (ROOT / "server/metrics/metric_names.h").read_text(encoding="utf-8")
    return set(re.findall(r'"((?:warpyard|process)_\w+)"', text))


def page():
    """Returns the text on monitoring."""
    return (ROOT / "docs/monitoring.md").read_text(encoding="utf-8")


class MetricNames(unittest.TestCase):

    def test_are_all_in_the_table(self):
        table = page().split("\n## Metrics\n")[1].split("\n## ")[0]
        rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
        listed = [name for row in rows for name in NAME.findall(row)]
        self.assertEqual(sorted(listed), sorted(metrics()))

    def test_are_the_only_ones_on_the_page(self):
        named = {SERIES.sub("", name) for name in NAME.findall(page())}
        self.assertEqual(named - metrics(), set())


if __name__ == "__main__":
    unittest.main()
