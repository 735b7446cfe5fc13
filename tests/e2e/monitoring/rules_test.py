#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Each alert fires in its own case, and in no other; just below its condition nothing fires."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[3]
RULES = sorted((SOURCE / "deploy/prometheus/rules").glob("*.yaml"))
PROMTOOL = shutil.which("promtool")
SKIPPED = 77
MINUTES = 7 * 60  # the longest window is 6 hours

# Promtool's notation: 'start+step x count', one sample a minute.
STEADY = f"x{MINUTES}"
UP = 'up{job="warpyard", instance="a"}'


def series(name, **labels):
    pairs = {"job": "warpyard", "instance": "a", **labels}
    return name + "{" + ", ".join(f'{key}="{value}"' for key, value in pairs.items()) + "}"


def level(value):
    return f"{value}+0{STEADY}"


def rate(per_minute):
    return f"0+{per_minute}{STEADY}"


def job_counters(finished=1000, failed=0, exhausted=0, refused=0, rejected=0):
    return {
        series("warpyard_jobs_submitted_total", kind="k", priority="normal"): rate(finished),
        series("warpyard_jobs_finished_total", kind="k", outcome="ok"):
            rate(finished - failed - exhausted - refused),
        series("warpyard_jobs_finished_total", kind="k", outcome="failed"): rate(failed),
        series("warpyard_jobs_finished_total", kind="k", outcome="exhausted"): rate(exhausted),
        series("warpyard_jobs_finished_total", kind="k", outcome="refused"): rate(refused),
        series("warpyard_jobs_rejected_total", kind="k", reason="exhausted"): rate(rejected),
    }


def deadlines(missed):
    return {series("warpyard_deadline_jobs_total", kind="k"): rate(1000),
            series("warpyard_deadline_misses_total", kind="k"): rate(missed)}


def fill(what, used, limit):
    return {series(f"warpyard_{what}"): level(used), series(limit): level(100)}


# A server that works hard, and well.
HEALTHY = {
    UP: level(1),
    series("warpyard_ready"): level(1),
    series("process_start_time_seconds"): level(1000),
    series("warpyard_device_lost", device="cuda:0"): level(0),
    series("warpyard_device_progress_age_seconds", device="cuda:0"): level(0),
    series("warpyard_jobs_pending_oldest_age_seconds", priority="low"): level(2),
    series("warpyard_jobs_rejected_total", kind="k", reason="unauthenticated"): rate(6),
    series("warpyard_callers_refused_total"): rate(6),
    series("warpyard_connections_refused_total", reason="limit"): rate(6),
    series("warpyard_memory_bytes", device="cuda:0"): level(50),
    series("warpyard_memory_limit_bytes", device="cuda:0"): level(100),
    **job_counters(), **deadlines(0),
    **fill("jobs_pending", 10, "warpyard_jobs_pending_limit"),
    **fill("request_bytes", 10, "warpyard_request_limit_bytes"),
    **fill("result_bytes", 10, "warpyard_result_limit_bytes"),
    **fill("upload_bytes", 10, "warpyard_upload_limit_bytes"),
    **fill("connections", 10, "warpyard_connections_limit"),
    series("process_open_fds"): level(10), series("process_max_fds"): level(100),
}

# Alert: what changes so that it fires, and so that it just does not.
CASES = {
    "WarpyardDown": ({UP: level(0)}, {UP: "1+0x418 0 1"}),
    "WarpyardNotReady": ({series("warpyard_ready"): level(0)},
                         {series("warpyard_ready"): f"1+0x{MINUTES - 1} 0"}),
    "WarpyardRestarts": (
        {series("process_start_time_seconds"): "1+0x410 2 3 4 4 4 4 4 4 4 4"},
        {series("process_start_time_seconds"): "1+0x410 2 3 3 3 3 3 3 3 3 3"}),
    "WarpyardDeviceLost": ({series("warpyard_device_lost", device="cuda:0"): level(1)}, {}),
    "WarpyardDeviceStalled": (
        {series("warpyard_device_progress_age_seconds", device="cuda:0"): level(5.1)},
        {series("warpyard_device_progress_age_seconds", device="cuda:0"): level(5)}),
    # 15 % for two hours, within 6 hours: too few for the slow alert.
    "WarpyardDeadlineMissFast": (
        {series("warpyard_deadline_misses_total", kind="k"): "0+0x300 0+150x119"},
        {series("warpyard_deadline_misses_total", kind="k"): "0+0x400 0+150x19"}),
    "WarpyardDeadlineMissSlow": (deadlines(61), deadlines(59)),
    "WarpyardFull": (fill("result_bytes", 81, "warpyard_result_limit_bytes"),
                     fill("result_bytes", 80, "warpyard_result_limit_bytes")),
    "WarpyardMemoryNearlyFull": (
        {series("warpyard_memory_bytes", device="cuda:0"): level(91)},
        {series("warpyard_memory_bytes", device="cuda:0"): level(90)}),
    "WarpyardStarvation": (
        {series("warpyard_jobs_pending_oldest_age_seconds", priority="low"): level(61)},
        {series("warpyard_jobs_pending_oldest_age_seconds", priority="low"): level(60)}),
    "WarpyardExhausted": (job_counters(rejected=30, exhausted=30),
                          job_counters(rejected=25, exhausted=25)),
    "WarpyardRefused": (job_counters(refused=51), job_counters(refused=49)),
    "WarpyardFailures": (job_counters(failed=11), job_counters(failed=9)),
    "WarpyardUnknownCallers": (
        {series("warpyard_jobs_rejected_total", kind="k", reason="unauthenticated"): rate(66)},
        {series("warpyard_jobs_rejected_total", kind="k", reason="unauthenticated"): rate(47)}),
    "WarpyardConnectionsRefused": (
        {series("warpyard_connections_refused_total", reason="limit"): rate(66)},
        {series("warpyard_connections_refused_total", reason="limit"): rate(54)}),
}
# Other reasons for the same alert.
MORE = {
    "WarpyardFull": [fill("jobs_pending", 81, "warpyard_jobs_pending_limit"),
                     fill("request_bytes", 81, "warpyard_request_limit_bytes"),
                     fill("upload_bytes", 81, "warpyard_upload_limit_bytes"),
                     fill("connections", 81, "warpyard_connections_limit"),
                     {series("process_open_fds"): level(81)}],
    "WarpyardUnknownCallers": [
        {series("warpyard_jobs_rejected_total", kind="k", reason="no_right"): rate(66)},
        {series("warpyard_callers_refused_total"): rate(66)}],
}


def case(changes, alert=None):
    """A test of promtool: which alerts fire at the end."""
    samples = [{"labels": f'{{alertname="{alert}"}}', "value": 1}] if alert else []
    return {
        "interval": "1m",
        "input_series": [{"series": name, "values": values}
                         for name, values in {**HEALTHY, **changes}.items()],
        "promql_expr_test": [{
            "expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
            "eval_time": f"{MINUTES}m", "exp_samples": samples}],
    }


def names(kind):
    text = "".join(path.read_text(encoding="utf-8") for path in RULES)
    return re.findall(rf"- {kind}: (\S+)", text)


class RulesTest(unittest.TestCase):
    def promtool(self, *arguments):
        shown = subprocess.run([PROMTOOL, *map(str, arguments)], capture_output=True, text=True,
                               timeout=120, check=False)
        self.assertEqual(shown.returncode, 0, shown.stdout + shown.stderr)

    def run_cases(self, cases):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cases.yaml"
            path.write_text(json.dumps({"rule_files": [str(rule) for rule in RULES],
                                        "evaluation_interval": "1m", "tests": cases}),
                            encoding="utf-8")
            self.promtool("test", "rules", path)

    def test_rules_and_configuration_are_valid(self):
        self.promtool("check", "rules", *RULES)
        self.promtool("check", "config", SOURCE / "deploy/prometheus/prometheus.yaml")

    def test_every_alert_has_a_case_and_a_page(self):
        self.assertEqual(sorted(names("alert")), sorted(CASES))
        page = (SOURCE / "docs/monitoring.md").read_text(encoding="utf-8")
        headings = re.findall(r"^### (Warpyard\w+)$", page, re.MULTILINE)
        self.assertEqual(headings, names("alert"))

    def test_nothing_fires_where_all_is_well(self):
        self.run_cases([case({})])

    def test_each_alert_fires_alone(self):
        cases = [case(fires, alert) for alert, (fires, _) in CASES.items()]
        cases += [case(fires, alert) for alert, more in MORE.items() for fires in more]
        self.run_cases(cases)

    def test_nothing_fires_just_below(self):
        self.run_cases([case(calm) for _, calm in CASES.values()])


if __name__ == "__main__":
    if PROMTOOL is None:
        print("promtool is not installed")
        sys.exit(SKIPPED)
    unittest.main()
