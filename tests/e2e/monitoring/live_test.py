#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Every query of the dashboard and of the rules returns data from a real Prometheus."""

import math
import re
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import processes  # noqa: E402
from monitoring import prometheus  # noqa: E402
from monitoring.mixed_load import MixedLoad, serve_tenants  # noqa: E402

SECONDS = 10  # of load, and more where the machine is busy
MOST_SECONDS = 90
KEYWORD = re.compile(r'"[^"]*"|\[[^\]]*\]')
NAME = re.compile(r"\b(?:warpyard|process|up)[\w:]*")


def has_data(result):
    """Whether a query has an answer that is a number. An error is a text."""
    return isinstance(result, list) and any(
        not math.isnan(float(series["value"][1])) for series in result)


class LiveTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        server, tokens = serve_tenants(folder.name)
        cls.addClassCleanup(server.__exit__)
        cls.prometheus = prometheus.Prometheus(folder.name, server, tokens["robots"])
        cls.addClassCleanup(cls.prometheus.__exit__)
        cls.load = MixedLoad(server.address, tokens)
        queries = [(panel["title"], legend, expression) for panel in prometheus.panels()
                   for legend, expression in prometheus.expressions(panel).items()]
        with cls.load:
            give_up = time.monotonic() + MOST_SECONDS
            time.sleep(SECONDS)
            while True:
                cls.results = {query: cls.try_query(query[2]) for query in queries}
                if all(map(has_data, cls.results.values())) or time.monotonic() > give_up:
                    break
                time.sleep(1)

    @classmethod
    def try_query(cls, expression):
        try:
            return cls.prometheus.query(expression)
        except ValueError as error:
            return str(error)

    def test_the_load_did_all_that_it_should(self):
        self.assertEqual(self.load.errors, [])
        self.assertEqual(len(self.load.done), len(self.load.threads), self.load.done)

    def test_every_panel_returns_data(self):
        for (title, legend, expression), result in self.results.items():
            with self.subTest(panel=title, legend=legend, expression=expression):
                self.assertTrue(has_data(result), result)

    def test_the_legends_have_their_labels(self):
        for (title, legend, expression), result in self.results.items():
            with self.subTest(panel=title, expression=expression):
                for label in re.findall(r"{{(\w+)}}", legend):
                    for series in result:
                        self.assertIn(label, series["metric"])

    def test_every_rule_is_evaluated(self):
        groups = self.prometheus.ask("rules")["groups"]
        rules = [rule for group in groups for rule in group["rules"]]
        self.assertGreater(len(rules), 30)
        for rule in rules:
            with self.subTest(rule=rule["name"]):
                self.assertEqual(rule["health"], "ok", rule.get("lastError"))
                if rule["type"] == "recording":
                    self.assertTrue(self.prometheus.query(rule["name"]), "no data")

    def test_only_metrics_that_exist_are_named(self):
        known = set(self.prometheus.ask("label/__name__/values"))
        texts = {expression for _, _, expression in self.results}
        for group in self.prometheus.ask("rules")["groups"]:
            texts |= {rule["query"] for rule in group["rules"]}
        for text in texts:
            named = set(NAME.findall(KEYWORD.sub("", text)))
            with self.subTest(expression=text):
                self.assertTrue(named)
                self.assertEqual(named - known, set())

    def test_what_happened_is_seen(self):
        for expression in ('sum(warpyard_jobs_finished_total{outcome="ok"})',
                           "sum(warpyard_deadline_jobs_total)",
                           "sum(warpyard_deadline_misses_total)",
                           "sum(warpyard_cancellations_total)",
                           'warpyard_tenant_refused_total{tenant="3"}',
                           'sum(warpyard_jobs_rejected_total{reason="unauthenticated"})',
                           'sum(warpyard_jobs_rejected_total{reason="invalid"})',
                           'sum(warpyard_jobs_rejected_total{reason="not_found"})',
                           'sum(warpyard_tenant_busy_seconds_total{tenant="2"})',
                           "sum(warpyard_job_queue_wait_seconds_count)",
                           "sum(warpyard_rpc_received_bytes_total)",
                           "sum(warpyard_rpc_sent_bytes_total)"):
            with self.subTest(expression=expression):
                result = self.prometheus.query(expression)
                self.assertGreater(float(result[0]["value"][1]), 0)


if __name__ == "__main__":
    if prometheus.PROMETHEUS is None:
        print("prometheus is not installed")
        sys.exit(processes.SKIPPED)
    processes.main()
