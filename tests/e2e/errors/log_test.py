# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""The log of the executable, the errors of the Python clients, and methods of the service config."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import grpc

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path.insert(0, str(ROOT / "client_examples" / "python"))

import call_error  # noqa: E402
import service_config  # noqa: E402
from warpyard.v1 import collision_service_pb2 as api  # noqa: E402
from warpyard.v1 import collision_service_pb2_grpc as service  # noqa: E402
from warpyard.v1 import (grammar_service_pb2, load_service_pb2, simplify_service_pb2,  # noqa: E402
                         upload_service_pb2)

PATIENCE_S = 20


class Server:
    """The executable, with its log in a file."""

    def __init__(self, *flags):
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [os.environ["WARPYARD_SERVER"], "--listen", "127.0.0.1:0", "--metrics", "off",
             "--backend", "cpu", "--threads", "1", *flags],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        first = self.process.stdout.readline()
        self.address = first.split("listening on ")[1].split(",")[0]

    def lines(self):
        """All lines of the log, after the server has ended."""
        self.process.terminate()
        self.process.wait(PATIENCE_S)
        self.process.stdout.close()
        self.log.seek(0)
        lines = [json.loads(line) for line in self.log]
        self.log.close()
        return lines


def unknown_scene(server, *metadata):
    """The error of a step of a scene that nobody has opened."""
    with grpc.insecure_channel(server.address) as channel:
        stub = service.CollisionServiceStub(channel)
        try:
            stub.Step(api.StepRequest(scene="nobody's"), metadata=metadata, timeout=PATIENCE_S)
        except grpc.RpcError as error:
            return error
    raise AssertionError("the step has worked")


class LogTest(unittest.TestCase):
    def test_every_line_is_an_object_whatever_clients_send(self):
        server = Server()
        hostile = ["x\"y", "{}", "a" * 5000, "%00", "\\u0000", "' OR 1"]
        for name in hostile:
            unknown_scene(server, ("x-request-id", name), ("traceparent", name))
        lines = server.lines()
        calls = [line for line in lines if line["event"] == "call_end"]
        self.assertEqual(len(calls), len(hostile))
        for line in calls:
            self.assertEqual((line["code"], line["reason"]), ("NOT_FOUND", "UNKNOWN_HANDLE"))
            self.assertNotIn("trace_id", line)
            self.assertRegex(line["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$")
        self.assertEqual([line["event"] for line in lines if line not in calls], ["drain"])

    def test_a_flood_of_errors_does_not_flood_the_log(self):
        server = Server()
        with grpc.insecure_channel(server.address) as channel:
            stub = service.CollisionServiceStub(channel)
            calls = [stub.Step.future(api.StepRequest(scene="x")) for _ in range(1500)]
            for call in calls:
                self.assertEqual(call.code(), grpc.StatusCode.NOT_FOUND)
        lines = server.lines()
        shown = sum(line["event"] == "call_end" for line in lines)
        dropped = sum(line.get("over_rate", 0) for line in lines)
        self.assertEqual(shown + dropped, 1500)
        self.assertEqual(sum(line["event"] == "drain" for line in lines), 1)
        self.assertLess(shown, 1500)

    def test_the_level_off_leaves_stderr_empty(self):
        server = Server("--log-level", "off")
        unknown_scene(server)
        self.assertEqual(server.lines(), [])

    def test_the_level_debug_has_all_jobs_with_their_phases(self):
        server = Server("--log-level", "debug", "--enable-load-jobs")
        with grpc.insecure_channel(server.address) as channel:
            call = channel.unary_unary("/warpyard.v1.LoadService/RunLoad")
            try:
                call(load_service_pb2.RunLoadRequest().SerializeToString(), timeout=PATIENCE_S)
            except grpc.RpcError:
                pass  # an empty load may be refused; then its failure is the line
        lines = [line for line in server.lines() if line["event"] in ("job_end", "call_end")]
        self.assertEqual(len(lines), 1)
        self.assertEqual(lines[0]["method"], "warpyard.v1.LoadService/RunLoad")

    def test_a_wrong_level_is_refused(self):
        shown = subprocess.run([os.environ["WARPYARD_SERVER"], "--log-level", "loud"],
                               capture_output=True, text=True, check=False, timeout=PATIENCE_S)
        self.assertEqual(shown.returncode, 2)
        self.assertIn("--log-level: \"loud\"", shown.stderr)

    def test_a_log_that_nobody_reads_does_not_stop_the_server(self):
        process = subprocess.Popen(
            [os.environ["WARPYARD_SERVER"], "--listen", "127.0.0.1:0", "--metrics", "off",
             "--backend", "cpu", "--threads", "1", "--log-level", "debug"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        address = process.stdout.readline().split("listening on ")[1].split(",")[0]
        with grpc.insecure_channel(address) as channel:
            stub = service.CollisionServiceStub(channel)
            for _ in range(1500):  # their lines do not fit into the pipe
                with self.assertRaises(grpc.RpcError):
                    stub.Step(api.StepRequest(scene="s" * 64), timeout=PATIENCE_S)
        begin = time.monotonic()
        process.terminate()
        self.assertEqual(process.wait(PATIENCE_S), 0)
        self.assertLess(time.monotonic() - begin, PATIENCE_S)
        process.stdout.close()
        process.stderr.close()


class PythonClientTest(unittest.TestCase):
    def test_an_error_is_explained(self):
        server = Server()
        error = unknown_scene(server, ("x-request-id", "order-17"))
        details = call_error.details_of(error)
        self.assertEqual(details["ErrorInfo"].domain, "warpyard")
        self.assertEqual(call_error.explain(error),
                         f"{error.details()} (UNKNOWN_HANDLE, request order-17)")
        server.lines()

    def test_an_error_without_a_server_has_its_text(self):
        with grpc.insecure_channel("127.0.0.1:1") as channel:
            try:
                service.CollisionServiceStub(channel).Step(api.StepRequest(), timeout=PATIENCE_S)
            except grpc.RpcError as error:
                self.assertEqual(call_error.explain(error), error.details())

    def test_the_service_config_names_methods_that_exist(self):
        known = {(found.full_name, method.name)
                 for module in (api, grammar_service_pb2, simplify_service_pb2, upload_service_pb2)
                 for found in module.DESCRIPTOR.services_by_name.values()
                 for method in found.methods}
        (_, text), = service_config.channel_options()
        for entry in json.loads(text)["methodConfig"]:
            for name in entry["name"]:
                self.assertIn((name["service"], name["method"]), known)


if __name__ == "__main__":
    unittest.main()
