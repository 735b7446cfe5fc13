#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""What a scrape of a server that has just started has: names, units, and how many series."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from pathlib import Path

import grpc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import processes  # noqa: E402
from monitoring.mixed_load import serve_tenants  # noqa: E402
from security.callers import Client  # noqa: E402

MOST_SERIES = 2500
PROMTOOL = shutil.which("promtool")
OTHERS = re.compile(r"exposer_\w+")  # of the client library
PARTS = re.compile(r"_(bucket|count|sum)$")


def listed():
    """The metrics of the table: the type of each name."""
    page = (processes.SOURCE / "docs/monitoring.md").read_text(encoding="utf-8")
    table = page.split("\n## Metrics\n")[1].split("\n## ")[0]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| `")]
    return {name: row[2].strip() for row in rows for name in re.findall(r"`(\w+)`", row[1])}


def types(text):
    """The types that a scrape declares."""
    found = dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE))
    return {name: kind for name, kind in found.items() if not OTHERS.fullmatch(name)}


def series(text):
    return [line for line in text.splitlines() if line and not line.startswith("#")]


class MetricsTest(unittest.TestCase):
    def test_there_are_not_too_many_series(self):
        with processes.Server() as server:
            self.assertLessEqual(len(series(server.metrics())), MOST_SERIES)

    def test_all_that_is_listed_is_there_from_the_start(self):
        with tempfile.TemporaryDirectory() as folder:
            server, tokens = serve_tenants(folder)
            with server:
                request = urllib.request.Request(server.metrics_url)
                manager = urllib.request.HTTPPasswordMgrWithDefaultRealm()
                manager.add_password(None, request.full_url, "any", tokens["robots"])
                opener = urllib.request.build_opener(urllib.request.HTTPBasicAuthHandler(manager))
                text = opener.open(request, timeout=processes.PATIENCE_S).read().decode()
        self.assertEqual(types(text), listed())
        sampled = {re.match(r"\w+", line).group() for line in series(text)}
        for name, kind in listed().items():
            self.assertIn(name + ("_count" if kind == "histogram" else ""), sampled)
        for name in sampled - {name for name in sampled if OTHERS.fullmatch(name)}:
            self.assertTrue(name in listed() or PARTS.sub("", name) in listed(), name)

    def test_what_nobody_uses_is_counted_when_it_goes(self):
        with processes.Server("--resident-ttl", "1s") as server:
            with grpc.insecure_channel(server.address) as channel:
                Client(channel, None).open()
                server.wait_for_metric("warpyard_residents_expired_total 1\n")
            server.wait_for_metric("warpyard_residents 0\n")

    @unittest.skipIf(PROMTOOL is None, "promtool is not installed")
    def test_names_and_units_are_those_of_prometheus(self):
        with processes.Server() as server:
            checked = subprocess.run([PROMTOOL, "check", "metrics"], input=server.metrics(),
                                     capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((checked.returncode, checked.stdout + checked.stderr), (0, ""))


if __name__ == "__main__":
    processes.main()
