#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Writes the dashboard for Grafana: deploy/grafana/dashboards/warpyard.json.

usage: make_dashboard.py [--check]

--check only compares, and exits with 1 if the file is not what the program would write.
"""

import json
import sys
from pathlib import Path

FILE = Path(__file__).resolve().parents[1] / "deploy/grafana/dashboards/warpyard.json"
WHERE = 'instance=~"$instance"'
WIDTH = 24  # of Grafana's grid
HEIGHT = 8

UTILISATION = """One kernel stays on each GPU and schedules the work itself. Tools that ask whether a kernel is \
there (`nvidia-smi`, DCGM's `GPU_UTIL` and `GR_ENGINE_ACTIVE`) therefore read **100 %**, also when no job runs. The \
panel *Busy workers* shows the share of the workers' time that goes into procedures. For power, temperature and errors \
use the exporter of DCGM."""


def rate(metric, by="", of=""):
    """Events a second, summed."""
    where = f"{of}, {WHERE}" if of else WHERE
    by = f" by ({by})" if by else ""
    return f"sum{by} (rate({metric}{{{where}}}[$__rate_interval]))"


def quantile(part, histogram, by=""):
    by = f"{by}, le" if by else "le"
    return f"histogram_quantile({part}, {rate(histogram + '_bucket', by)})"


def gauge(metric, of=""):
    where = f"{of}, {WHERE}" if of else WHERE
    return f"{metric}{{{where}}}"


REFUSED = 'outcome="refused"'

# Each panel: title, unit, and its queries by legend. "stat" shows the last value alone.
ROWS = [
    ("Overview", [
        ("Ready servers", "none", {"": f"sum({gauge('warpyard_ready')})"}, "stat"),
        ("Jobs", "ops", {"": rate("warpyard_jobs_finished_total")}, "stat"),
        ("Deadlines missed", "percentunit",
         {"": f"{rate('warpyard_deadline_misses_total')} / {rate('warpyard_deadline_jobs_total')}"},
         "stat"),
        ("Longest wait now", "s",
         {"": f"max({gauge('warpyard_jobs_pending_oldest_age_seconds')})"}, "stat"),
        ("Busy workers", "percentunit",
         {"": f"{rate('warpyard_device_busy_seconds_total')} / "
              f"sum({gauge('warpyard_device_workers')})"}, "stat"),
        ("Devices lost", "none", {"": f"sum({gauge('warpyard_device_lost')})"}, "stat"),
    ]),
    ("Calls", [
        ("Rate by method", "reqps", {"{{method}}": rate("warpyard_rpc_started_total", "method")}),
        ("Errors by code", "reqps",
         {"{{code}}": rate("warpyard_rpc_completed_total", "code", 'code!="OK"')}),
        ("Duration, 99 of 100", "s",
         {"{{method}}": quantile(0.99, "warpyard_rpc_duration_seconds", "method")}),
        ("Bytes", "Bps", {"received": rate("warpyard_rpc_received_bytes_total"),
                          "sent": rate("warpyard_rpc_sent_bytes_total")}),
    ]),
    ("Jobs", [
        ("Finished by kind", "ops", {"{{kind}}": rate("warpyard_jobs_finished_total", "kind")}),
        ("Outcomes", "ops", {"{{outcome}}": rate("warpyard_jobs_finished_total", "outcome")}),
        ("Rejected before they were jobs", "ops",
         {"{{reason}}": rate("warpyard_jobs_rejected_total", "reason"),
          "unknown, over TLS": rate("warpyard_callers_refused_total")}),
        ("Duration, median", "s", {"{{kind}}": quantile(0.5, "warpyard_job_duration_seconds", "kind")}),
        ("Duration, 99 of 100", "s",
         {"{{kind}}": quantile(0.99, "warpyard_job_duration_seconds", "kind")}),
        ("Phases, mean", "s",
         {"{{phase}}": f"{rate('warpyard_job_phase_duration_seconds_sum', 'phase')} / "
                       f"{rate('warpyard_job_phase_duration_seconds_count', 'phase')}"}),
    ]),
    ("Queues", [
        ("Jobs that have not started", "none",
         {"{{priority}}": f"sum by (priority) ({gauge('warpyard_queue_jobs')})"}),
        ("Wait, 99 of 100", "s",
         {"{{priority}}": quantile(0.99, "warpyard_job_queue_wait_seconds", "priority")}),
        ("Oldest job that waits", "s",
         {"{{priority}}":
              f"max by (priority) ({gauge('warpyard_jobs_pending_oldest_age_seconds')})"}),
        ("Fill of the limits", "percentunit", {"{{what}}": f"max by (what) ({gauge('warpyard:fill:ratio')})"}),
        ("Items that wait for a procedure", "none",
         {"{{queue}}": f"sum by (queue) ({gauge('warpyard_queue_items')})"}),
        ("Fill of the devices' queues", "percentunit",
         {"{{device}}": f"max by (device) ({gauge('warpyard_queue_items')} / "
                        f"{gauge('warpyard_queue_capacity_items')})"}),
    ]),
    ("Deadlines", [
        ("Missed", "percentunit",
         {"{{kind}}": f"{rate('warpyard_deadline_misses_total', 'kind')} / "
                      f"({rate('warpyard_deadline_jobs_total', 'kind')} > 0)"}),
        ("Refused at once", "percentunit",
         {"{{kind}}": f"{rate('warpyard_jobs_finished_total', 'kind', REFUSED)} / "
                      f"({rate('warpyard_jobs_finished_total', 'kind')} > 0)"}),
        ("Jobs with a deadline", "ops", {"{{kind}}": rate("warpyard_deadline_jobs_total", "kind")}),
        ("Time left at the end", "s",
         {"1 of 100": quantile(0.01, "warpyard_deadline_slack_seconds"),
          "10 of 100": quantile(0.1, "warpyard_deadline_slack_seconds"),
          "median": quantile(0.5, "warpyard_deadline_slack_seconds")}),
        ("Cancelled", "ops", {"{{stage}}": rate("warpyard_cancellations_total", "stage")}),
        ("From cancel to end, 99 of 100", "s",
         {"": quantile(0.99, "warpyard_cancel_latency_seconds")}),
    ]),
    ("Devices", [
        ("Busy workers", "percentunit",
         {"{{instance}} {{device}}": f"rate({gauge('warpyard_device_busy_seconds_total')}[$__rate_interval]) / "
                                     f"{gauge('warpyard_device_workers')}"}),
        ("Why other tools say 100 %", "", UTILISATION, "text"),
        ("Busiest procedures", "none",
         {"{{procedure}}": f"topk(8, {rate('warpyard_procedure_busy_seconds_total', 'procedure')})"}),
        ("Executed items", "ops", {"": rate("warpyard_procedure_items_total")}),
        ("Longest elements so far", "s",
         {"{{procedure}}":
              f"topk(8, max by (procedure) ({gauge('warpyard_procedure_longest_seconds')}))"}),
        ("Running jobs and events", "none",
         {"jobs": f"sum({gauge('warpyard_device_jobs_running')})",
          "events": f"sum({gauge('warpyard_device_events')})"}),
        ("Scheduling", "ops",
         {"looks": rate("warpyard_device_looks_total"),
          "claims": rate("warpyard_device_claims_total"),
          "missed claims": rate("warpyard_device_missed_claims_total"),
          "given to others": rate("warpyard_device_spilled_items_total"),
          "pauses": rate("warpyard_device_back_offs_total")}),
        ("Others wait for a near deadline", "percentunit",
         {"{{instance}} {{device}}": f"rate({gauge('warpyard_device_held_seconds_total')}[$__rate_interval])"}),
        ("Time without progress", "s",
         {"{{instance}} {{device}}": gauge("warpyard_device_progress_age_seconds")}),
    ]),
    ("Tenants", [
        ("Time of workers", "none",
         {"{{name}}": f"sum by (name) (rate({gauge('warpyard_tenant_busy_seconds_total')}[$__rate_interval]) "
                      f"* on (instance, tenant) group_left (name) warpyard_tenant_info)"}),
        ("Calls now", "none",
         {"{{name}}": f"sum by (name) ({gauge('warpyard_tenant_calls')} "
                      "* on (instance, tenant) group_left (name) warpyard_tenant_info)"}),
        ("Residents", "none",
         {"{{name}}": f"sum by (name) ({gauge('warpyard_tenant_residents')} "
                      "* on (instance, tenant) group_left (name) warpyard_tenant_info)"}),
        ("Refused by their limits", "ops",
         {"{{name}}": f"sum by (name) (rate({gauge('warpyard_tenant_refused_total')}[$__rate_interval]) "
                      "* on (instance, tenant) group_left (name) warpyard_tenant_info)"}),
    ]),
    ("Memory", [
        ("Devices", "bytes",
         {"{{instance}} {{device}}": gauge("warpyard_memory_bytes"),
          "limit of {{instance}} {{device}}": gauge("warpyard_memory_limit_bytes")}),
        ("Requests, results, uploads", "bytes",
         {"requests": f"sum({gauge('warpyard_request_bytes')})",
          "results": f"sum({gauge('warpyard_result_bytes')})",
          "uploads": f"sum({gauge('warpyard_upload_bytes')})"}),
        ("Of the process", "bytes", {"{{instance}}": gauge("process_resident_memory_bytes", 'job="warpyard"')}),
        ("Residents and uploads", "none",
         {"residents": f"sum({gauge('warpyard_residents')})",
          "uploads": f"sum({gauge('warpyard_uploads')})"}),
    ]),
    ("Process", [
        ("Processors", "none", {"{{instance}}": rate("process_cpu_seconds_total", "instance", 'job="warpyard"')}),
        ("Files and connections", "none",
         {"files": f"sum({gauge('process_open_fds', 'job=' + chr(34) + 'warpyard' + chr(34))})",
          "connections": f"sum({gauge('warpyard_connections')})"}),
        ("Connections that come", "ops",
         {"accepted": rate("warpyard_connections_accepted_total"),
          "refused: {{reason}}": rate("warpyard_connections_refused_total", "reason")}),
        ("What runs", "none",
         {"{{instance}}: {{version}}, {{backend}}, {{policy}}": gauge("warpyard_build_info")}),
    ]),
]

DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}


def targets(queries):
    return [{"datasource": DATASOURCE, "expr": expr, "legendFormat": legend or "__auto",
             "range": True, "refId": chr(ord("A") + i)}
            for i, (legend, expr) in enumerate(queries.items())]


def body(unit, content, kind):
    """The part of a panel that its kind decides."""
    if kind == "text":
        return {"type": "text", "options": {"mode": "markdown", "content": content}}
    defaults = {"unit": unit, "min": 0} if unit in ("percentunit", "bytes") else {"unit": unit}
    if kind == "timeseries":
        defaults["custom"] = {"lineWidth": 1, "fillOpacity": 10, "showPoints": "never"}
    options = ({"reduceOptions": {"calcs": ["lastNotNull"]}} if kind == "stat"
               else {"legend": {"displayMode": "list", "placement": "bottom"},
                     "tooltip": {"mode": "multi", "sort": "desc"}})
    return {"type": kind, "datasource": DATASOURCE, "targets": targets(content), "options": options,
            "fieldConfig": {"defaults": defaults, "overrides": []}}


def widths(panels):
    """Thirds of the grid; the panels of a row of single values are narrow."""
    if all(len(panel) == 4 and panel[3] == "stat" for panel in panels):
        return WIDTH // len(panels), HEIGHT // 2
    return WIDTH // 3, HEIGHT


def panels():
    made, top = [], 0
    for title, row in ROWS:
        made.append({"type": "row", "title": title, "collapsed": False, "panels": [],
                     "id": len(made) + 1, "gridPos": {"x": 0, "y": top, "w": WIDTH, "h": 1}})
        top += 1
        width, height = widths(row)
        across = WIDTH // width
        for i, (name, unit, content, *kind) in enumerate(row):
            place = {"x": i % across * width, "y": top + i // across * height, "w": width, "h": height}
            made.append({"title": name, "id": len(made) + 1, "gridPos": place,
                         **body(unit, content, kind[0] if kind else "timeseries")})
        top += (len(row) + across - 1) // across * height
    return made


def dashboard():
    return {
        "uid": "warpyard", "title": "Warpyard", "tags": ["warpyard"], "schemaVersion": 39,
        "version": 1, "editable": False, "graphTooltip": 1, "refresh": "10s",
        "time": {"from": "now-1h", "to": "now"}, "timezone": "browser",
        "templating": {"list": [
            {"name": "datasource", "type": "datasource", "query": "prometheus", "label": "Prometheus"},
            {"name": "instance", "type": "query", "label": "Server", "datasource": DATASOURCE,
             "query": "label_values(warpyard_ready, instance)", "includeAll": True, "multi": True,
             "allValue": ".*", "current": {"text": "All", "value": "$__all"}, "refresh": 2}]},
        "panels": panels(),
    }


def main():
    text = json.dumps(dashboard(), indent=1, ensure_ascii=False) + "\n"
    if "--check" not in sys.argv:
        FILE.write_text(text, encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != text:
        sys.exit(f"{FILE}: not what {sys.argv[0]} writes; run it")


if __name__ == "__main__":
    main()
