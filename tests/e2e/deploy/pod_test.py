#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Runs the container of the manifests as a process, with the secrets of deploy/make_secrets.sh."""

import base64
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import processes  # noqa: E402
from processes import CLI, Server, run  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None

DEPLOY = processes.SOURCE / "deploy"


def render():
    shown = run("kubectl", "kustomize", DEPLOY / "kubernetes/overlays/cpu")
    objects = {found["kind"]: found for found in yaml.safe_load_all(shown.stdout)}
    pod = objects["Deployment"]["spec"]["template"]["spec"]
    return pod["containers"][0], objects["ConfigMap"]["data"]


class Pod(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.secrets = Path(folder.name, "secrets")
        made = run(DEPLOY / "make_secrets.sh", self.secrets)
        self.assertEqual(made.returncode, 0, made.stderr)

    def here(self, words, values):
        """The words with the values of the ConfigMap and the files of this machine."""
        places = {"/etc/warpyard/tls": self.secrets / "server",
                  "/etc/warpyard/tenants": self.secrets / "server"}
        for word in words:
            word = re.sub(r"\$\((\w+)\)", lambda name: values[name[1]], word)
            for path, place in places.items():
                word = word.replace(path, str(place))
            yield word

    def test_flags_probes_tokens_and_metrics(self):
        container, values = render()
        # A test has ports of its own.
        flags = [word for word in self.here(container["args"], values)
                 if not word.startswith(("--listen=", "--metrics="))]
        server = Server(*flags)
        self.addCleanup(server.__exit__)
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            command = list(self.here(container[probe]["exec"]["command"], values))
            command = [word.replace("127.0.0.1:7843", server.address) for word in command]
            shown = run(CLI, *command[1:])
            self.assertEqual((shown.returncode, shown.stdout), (0, "SERVING\n"), shown.stderr)
        meshes = processes.write_meshes(self.secrets.parent)
        clients = self.secrets / "clients"
        tls = ("--tls-ca", clients / "ca.crt")
        self.assertEqual(processes.collide(server, *meshes, *tls).returncode, 1)
        shown = processes.collide(server, *meshes, *tls, "--token-file", clients / "token")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        token = (self.secrets / "prometheus/token").read_text(encoding="ascii")
        secret = base64.b64encode(f"prometheus:{token}".encode()).decode()
        request = urllib.request.Request(server.metrics_url,
                                         headers={"Authorization": f"Basic {secret}"})
        with urllib.request.urlopen(request, timeout=processes.PATIENCE_S) as response:
            self.assertIn("warpyard_ready 1", response.read().decode())
        self.assertEqual(server.stop(), 0)

    def test_secrets_are_never_replaced(self):
        script = DEPLOY / "make_secrets.sh"
        key = (self.secrets / "server/tls.key").read_bytes()
        again = run(script, self.secrets)
        self.assertEqual(again.returncode, 1)
        self.assertIn("exists", again.stderr)
        self.assertEqual((self.secrets / "server/tls.key").read_bytes(), key)
        self.assertEqual(run(script).returncode, 2)
        wrong = self.secrets.parent / "wrong"
        self.assertEqual(run(script, wrong, "1.2.3.4.5").returncode, 1)
        self.assertEqual(list(self.secrets.parent.glob("wrong*")), [])


@unittest.skipIf(shutil.which("promtool") is None, "promtool is not installed")
class Autoscaler(unittest.TestCase):
    def test_the_wait_is_that_of_the_slowest_priority_and_0_without_jobs(self):
        rules = yaml.safe_load((DEPLOY / "kubernetes/prometheus_adapter.yaml").read_text())["rules"]
        query = (rules[0]["metricsQuery"].replace("<<.GroupBy>>", "pod")
                 .replace("<<.Series>>", "warpyard_job_queue_wait_seconds_bucket")
                 .replace("<<.LabelMatchers>>", 'namespace="warpyard"'))
        series = [{"series": "warpyard_job_queue_wait_seconds_bucket{namespace=\"warpyard\","
                             f'pod="{pod}",priority="{priority}",le="{le}"}}',
                   "values": f"0+{step}x10"}
                  for pod, priority, steps in (("busy", "low", (0, 60, 60)),
                                               ("busy", "high", (60, 60, 60)),
                                               ("idle", "low", (0, 0, 0)))
                  for le, step in zip(("0.1", "1", "+Inf"), steps)]
        case = {"interval": "1m", "input_series": series, "promql_expr_test": [{
            "expr": query, "eval_time": "10m",
            "exp_samples": [{"labels": '{pod="busy"}', "value": 0.91},
                            {"labels": '{pod="idle"}', "value": 0}]}]}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "case.yaml")
            path.write_text(yaml.safe_dump({"tests": [case]}), encoding="utf-8")
            shown = subprocess.run(["promtool", "test", "rules", path], capture_output=True,
                                   text=True, check=False)
        self.assertEqual(shown.returncode, 0, shown.stdout + shown.stderr)


if __name__ == "__main__":
    if yaml is None or shutil.which("kubectl") is None:
        print("skipped: python3-yaml or kubectl is not installed")
        sys.exit(processes.SKIPPED)
    processes.main()
