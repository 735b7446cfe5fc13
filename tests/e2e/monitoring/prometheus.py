# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""A Prometheus of its own that scrapes a server, with the rules of deploy/prometheus, for tests."""

import json
import shutil
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import processes

PROMETHEUS = shutil.which("prometheus")
RULES = processes.SOURCE / "deploy/prometheus/rules"
DASHBOARD = processes.SOURCE / "deploy/grafana/dashboards/warpyard.json"
# What Grafana puts in place of its variables.
VARIABLES = {"$__rate_interval": "15s", "$instance": ".*"}


def panels():
    """The panels of the dashboard that have queries."""
    board = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    return [panel for panel in board["panels"] if panel.get("targets")]


def rows_of_panels():
    """The title of the row of each panel, by the panel's number."""
    rows, title = {}, ""
    for panel in json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]:
        title = panel["title"] if panel["type"] == "row" else title
        rows[panel["id"]] = title
    return rows


def expressions(panel):
    """The queries of a panel by legend, as Grafana sends them."""
    found = {}
    for target in panel["targets"]:
        expr = target["expr"]
        for name, value in VARIABLES.items():
            expr = expr.replace(name, value)
        found[target["legendFormat"]] = expr
    return found


class Prometheus:
    """Scrapes once a second; keeps its data in a folder of the caller."""

    def __init__(self, folder, server, token):
        self.address = f"http://127.0.0.1:{processes.free_port()}"
        target = urllib.parse.urlparse(server.metrics_url).netloc
        config = Path(folder, "prometheus.json")
        config.write_text(json.dumps({
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": [str(RULES / "*.yaml")],
            "scrape_configs": [{
                "job_name": "warpyard", "static_configs": [{"targets": [target]}],
                "basic_auth": {"username": "prometheus", "password": token}}]}), encoding="utf-8")
        self.process = subprocess.Popen(
            [PROMETHEUS, f"--config.file={config}", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address={self.address.removeprefix('http://')}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        give_up = time.monotonic() + processes.PATIENCE_S
        while not self.is_ready():
            assert self.process.poll() is None, "Prometheus ended"
            assert time.monotonic() < give_up, "Prometheus is not ready"
            time.sleep(0.1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def is_ready(self):
        try:
            with urllib.request.urlopen(self.address + "/-/ready", timeout=5) as response:
                return response.status == 200
        except OSError:
            return False

    def ask(self, path, **arguments):
        """The data of an answer of the HTTP API. Raises ValueError with the error it gives."""
        url = f"{self.address}/api/v1/{path}?{urllib.parse.urlencode(arguments)}"
        try:
            with urllib.request.urlopen(url, timeout=30) as response:
                return json.load(response)["data"]
        except urllib.error.HTTPError as error:
            raise ValueError(json.load(error).get("error", str(error))) from error

    def query(self, expression):
        return self.ask("query", query=expression)["result"]

    def query_range(self, expression, start, end, step):
        return self.ask("query_range", query=expression, start=start, end=end, step=step)["result"]
