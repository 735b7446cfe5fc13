#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests the Kubernetes manifests, the compose files and the Dockerfile without a cluster or an engine."""

import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import processes  # noqa: E402
from processes import CLI, SERVER, run  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None

DEPLOY = processes.SOURCE / "deploy"
OVERLAYS = ("cpu", "gpu")
FLAG = re.compile(r"^  (--[a-z-]+)", re.MULTILINE)
USER = 65532


def flags_of(*command):
    return set(FLAG.findall(run(*command, "--help").stdout))


def names_of(words):
    return {word.split("=")[0] for word in words if word.startswith("--")}


def render(overlay):
    """The objects of an overlay."""
    shown = run("kubectl", "kustomize", DEPLOY / "kubernetes" / "overlays" / overlay)
    assert shown.returncode == 0 and not shown.stderr, shown.stderr
    return list(yaml.safe_load_all(shown.stdout))


def of_kind(objects, kind):
    return [found for found in objects if found["kind"] == kind]


def only(objects, kind):
    found = of_kind(objects, kind)
    assert len(found) == 1, (kind, len(found))
    return found[0]


def without_environment(deployment):
    for container in deployment["spec"]["template"]["spec"]["containers"]:
        container.pop("env", None)
    for container in deployment["spec"]["template"]["spec"]["initContainers"]:
        container.pop("env", None)
    return deployment


def dropped(before, after, path=""):
    """Paths of what `after` lacks of `before`: fields that a typed decoder does not know."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [lost for key, value in before.items()
                for lost in ([f"{path}/{key}"] if key not in after
                             else dropped(value, after[key], f"{path}/{key}"))]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return [lost for i, value in enumerate(before)
                for lost in dropped(value, after[i], f"{path}/{i}")]
    return [path] if isinstance(before, (dict, list)) and before != after else []


class Manifests(unittest.TestCase):
    def setUp(self):
        self.overlays = {name: render(name) for name in OVERLAYS}
        self.pods = {name: only(objects, "Deployment")["spec"]["template"]["spec"]
                     for name, objects in self.overlays.items()}

    def test_the_base_renders(self):
        shown = run("kubectl", "kustomize", DEPLOY / "kubernetes/base")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))

    def decode(self, deployment):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name, "deployment.yaml")
        path.write_text(yaml.safe_dump(deployment), encoding="utf-8")
        return run("kubectl", "set", "env", "--local", "-f", path, "PROBE=1", "-o", "yaml")

    def test_the_deployment_has_only_known_fields(self):
        for objects in self.overlays.values():
            deployment = only(objects, "Deployment")
            shown = self.decode(deployment)
            self.assertEqual(shown.returncode, 0, shown.stderr)
            after = without_environment(yaml.safe_load(shown.stdout))
            self.assertEqual(dropped(deployment, after), [])
        deployment["spec"]["template"]["spec"]["containers"][0]["readinesProbe"] = {}
        after = yaml.safe_load(self.decode(deployment).stdout)
        self.assertTrue(dropped(deployment, after)[0].endswith("/readinesProbe"))

    def test_flags_exist_and_have_values(self):
        server, client = flags_of(SERVER), flags_of(CLI, "health")
        for name, objects in self.overlays.items():
            pod = self.pods[name]
            main, check = pod["containers"][0], pod["initContainers"][0]
            self.assertEqual(main["args"], check["args"])
            self.assertEqual(check["command"][1:], ["--check"])
            self.assertIn("--check", server)
            self.assertEqual(names_of(main["args"]) - server, set())
            values = only(objects, "ConfigMap")["data"]
            used = set(re.findall(r"\$\((\w+)\)", " ".join(main["args"])))
            self.assertEqual(used, set(values))
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                command = main[probe]["exec"]["command"]
                self.assertEqual(command[:2], ["/opt/warpyard/bin/warpyard", "health"])
                self.assertEqual(names_of(command) - client, set())
            for flag, value in ((flag, values[variable]) for flag, variable in re.findall(
                    r"(--[a-z-]+)=\$\((\w+)\)", " ".join(main["args"]))):
                # Help comes after the values before it have been parsed.
                shown = run(SERVER, f"{flag}={value}", "--help")
                self.assertEqual(shown.returncode, 0, shown.stderr)

    def test_pods_are_restricted_and_drain(self):
        for name, pod in self.pods.items():
            self.assertEqual(pod["securityContext"]["runAsUser"], USER)
            self.assertIs(pod["automountServiceAccountToken"], False)
            for container in pod["containers"] + pod["initContainers"]:
                security = container["securityContext"]
                self.assertIs(security["readOnlyRootFilesystem"], True)
                self.assertIs(security["allowPrivilegeEscalation"], False)
                self.assertEqual(security["capabilities"], {"drop": ["ALL"]})
            values = only(self.overlays[name], "ConfigMap")["data"]
            drain = int(values["WARPYARD_DRAIN_TIMEOUT"].rstrip("s"))
            pause = int(pod["containers"][0]["lifecycle"]["preStop"]["exec"]["command"][1])
            self.assertGreater(pod["terminationGracePeriodSeconds"], drain + pause + 5)
            memory = sum(int(values[f"WARPYARD_{what}_MIB"]) for what in
                         ("MAX_PENDING", "MAX_UNREAD", "UPLOAD_MEMORY", "MEMORY_LIMIT"))
            limits = pod["containers"][0]["resources"]["limits"]
            self.assertLess(memory, 1024 * int(limits["memory"].rstrip("Gi")))
            self.assertEqual("nvidia.com/gpu" in limits, name == "gpu")

    def test_ports_labels_and_images_agree(self):
        version = re.search(r"project\(warpyard VERSION ([0-9.]+)",
                            (processes.SOURCE / "CMakeLists.txt").read_text()).group(1)
        for name, objects in self.overlays.items():
            pod = self.pods[name]
            ports = {port["name"]: port["containerPort"] for port in pod["containers"][0]["ports"]}
            self.assertEqual(ports, {"grpc": 7843, "metrics": 9843})
            for service in of_kind(objects, "Service"):
                for port in service["spec"]["ports"]:
                    self.assertEqual(ports[port["targetPort"]], port["port"])
            labels = only(objects, "Deployment")["spec"]["template"]["metadata"]["labels"]
            selectors = [service["spec"]["selector"] for service in of_kind(objects, "Service")]
            selectors += [only(objects, kind)["spec"][where]["matchLabels"] for kind, where in (
                ("PodDisruptionBudget", "selector"), ("NetworkPolicy", "podSelector"))]
            for selector in selectors:
                self.assertLessEqual(selector.items(), labels.items())
            backend = {"cpu": "cpu", "gpu": "cuda"}[name]
            for container in pod["containers"] + pod["initContainers"]:
                self.assertTrue(container["image"].endswith(f"/warpyard:{version}-{backend}"))


class Compose(unittest.TestCase):
    def setUp(self):
        self.files = {path.name: yaml.safe_load(path.read_text(encoding="utf-8"))
                      for path in DEPLOY.glob("compose*.yaml")}

    def test_mounts_exist_and_images_are_pinned(self):
        self.assertEqual(len(self.files), 3)
        for content in self.files.values():
            for service in content["services"].values():
                for volume in service.get("volumes", ()):
                    source = volume.split(":")[0]
                    if source.startswith(".") and not source.startswith("./secrets/"):
                        self.assertTrue((DEPLOY / source).exists(), source)
                if "image" in service:
                    self.assertRegex(service["image"], r":v?\d+\.\d+\.\d+")
                for port in service.get("ports", ()):
                    self.assertTrue(port.startswith("127.0.0.1:"), port)

    def test_flags_exist(self):
        server, client = flags_of(SERVER), flags_of(CLI, "health")
        for content in self.files.values():
            service = content["services"]["warpyard"]
            words = service.get("command", []) + service.get("entrypoint", [])
            self.assertEqual(names_of(words) - server, set())
            check = service.get("healthcheck", {"test": []})["test"]
            self.assertEqual(names_of(check) - client, set())

    def test_the_dockerfile_agrees(self):
        dockerfile = (processes.SOURCE / "Dockerfile").read_text(encoding="utf-8")
        self.assertIn(f"USER {USER}:{USER}\n", dockerfile)
        self.assertEqual(self.files["compose.yaml"]["services"]["warpyard"]["user"],
                         f"{USER}:{USER}")
        self.assertIn("EXPOSE 7843 9843\n", dockerfile)
        for content in self.files.values():
            target = content["services"]["warpyard"].get("build", {}).get("target", "runtime-cpu")
            self.assertIn(f" AS {target}\n", dockerfile)


if __name__ == "__main__":
    if yaml is None or shutil.which("kubectl") is None:
        print("skipped: python3-yaml or kubectl is not installed")
        sys.exit(processes.SKIPPED)
    processes.main()
