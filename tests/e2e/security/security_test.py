#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Who comes in: tokens of tenants, their rights and limits, and what command lines say."""

import base64
import shutil
import socket
import statistics
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import grpc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import processes  # noqa: E402
from processes import CLI, SERVER, run  # noqa: E402
from security.callers import Client, bearer, scene  # noqa: E402
from security.case import SecurityTest  # noqa: E402
from security.identities import Authority, new_token, token_entry, write_tenants  # noqa: E402
from warpyard.v1 import collision_service_pb2 as pb, job_pb2, upload_service_pb2  # noqa: E402

Code = grpc.StatusCode


class Tokens(SecurityTest):
    def serve(self, **tenant):
        """A server with the tenants robots and city. Returns it, and a client of each."""
        self.tokens = new_token(), new_token()
        robots = {"name": "robots", "number": 3, "tokens": [token_entry(self.tokens[0])], **tenant}
        city = {"name": "city", "number": 4, "tokens": [token_entry(self.tokens[1])]}
        write_tenants(self.tenants, robots, city)
        server = self.start("--tokens", self.tenants)
        channel = self.channel(server)
        return server, Client(channel, self.tokens[0]), Client(channel, self.tokens[1])

    def test_only_known_tokens_come_in(self):
        server, robots, _ = self.serve()
        robots.close(robots.open())
        channel = self.channel(server)
        self.assert_refused(Code.UNAUTHENTICATED, Client(channel, None).open, "missing")
        for _ in range(1000):
            self.assert_refused(Code.UNAUTHENTICATED, Client(channel, new_token()).open, "known")
        for header in (["Bearer "], ["Basic " + self.tokens[0]], [self.tokens[0]],
                       ["Bearer " + self.tokens[0] + "x"], ["Bearer " + "y" * 5000],
                       ["Bearer " + self.tokens[0], "Bearer " + self.tokens[1]]):
            stranger = Client(channel, None)
            stranger.metadata = [("authorization", value) for value in header]
            self.assert_refused(Code.UNAUTHENTICATED, stranger.open)
        robots.metadata = [("authorization", "bearer " + self.tokens[0])]
        robots.close(robots.open())

    def test_each_kind_of_call_asks(self):
        server, *_ = self.serve()
        stranger = Client(self.channel(server), new_token())
        step = pb.StreamStepsRequest(step=pb.StepRequest(scene="scene-0"))
        self.assert_refused(Code.UNAUTHENTICATED, lambda: list(
            stranger.collision.StreamSteps(iter([step]), metadata=stranger.metadata)))
        part = upload_service_pb2.UploadPart(start={"sha256": bytes(32), "size": 1})
        self.assert_refused(Code.UNAUTHENTICATED, lambda: stranger.uploads.Upload(
            iter([part]), metadata=stranger.metadata))
        self.assert_refused(Code.UNAUTHENTICATED, stranger.run_load().result)

    def assert_same_time(self, code, kinds, most=1.5):
        """Refusals of all kinds take as long. @shape kinds: a call that is refused, by its name"""
        times = {name: [] for name in kinds}
        for _ in range(300):  # in turns, so that other work of the machine meets all
            for name, call in kinds.items():
                begin = time.perf_counter()
                self.assert_refused(code, call)
                times[name].append(time.perf_counter() - begin)
        medians = {name: statistics.median(values) for name, values in times.items()}
        self.assertLess(max(medians.values()), most * min(medians.values()), medians)

    def test_the_time_of_a_refusal_tells_nothing(self):
        server, robots, city = self.serve()
        expired = new_token()
        write_tenants(self.tenants, {"name": "robots", "number": 3, "tokens": [
            token_entry(self.tokens[0]), token_entry(expired, not_after="2020-01-01T00:00:00Z")]})
        self.wait_until_refused(city)  # the new file is read
        channel = self.channel(server)
        near = self.tokens[0][:-1] + ("A" if self.tokens[0][-1] != "A" else "B")
        self.assert_same_time(Code.UNAUTHENTICATED, {
            name: Client(channel, token).open
            for name, token in (("near", near), ("far", new_token()), ("expired", expired))})
        robots.close(robots.open())

    def test_the_time_of_a_refusal_tells_of_no_handle(self):
        _, robots, city = self.serve()
        name = robots.open()
        self.assert_same_time(Code.NOT_FOUND, {
            "of others": lambda: city.close(name), "of nobody": lambda: city.close("scene-0")})
        robots.close(name)

    def test_a_token_expires(self):
        server, robots, _ = self.serve()
        robots.close(robots.open())
        old = {"name": "robots", "number": 3,
               "tokens": [token_entry(self.tokens[0], not_after="2020-01-01T00:00:00Z")]}
        write_tenants(self.tenants, old)
        self.wait_until_refused(robots)
        self.assert_refused(Code.UNAUTHENTICATED, robots.open, "expired")

    def wait_until_refused(self, client):
        give_up = time.monotonic() + processes.PATIENCE_S
        while time.monotonic() < give_up:
            try:
                client.close(client.open())
            except grpc.RpcError as error:
                return self.assertEqual(error.code(), Code.UNAUTHENTICATED)
            time.sleep(0.1)
        return self.fail("the new file was not read")

    def test_tokens_change_while_calls_run(self):
        _, robots, city = self.serve()
        running = city.run_load(amount=1_000_000_000)
        token = new_token()
        write_tenants(self.tenants, {"name": "robots", "number": 3, "tokens": [token_entry(token)]})
        self.wait_until_refused(robots)
        self.assertEqual(running.code(), Code.OK)  # what was admitted goes on
        robots.metadata = bearer(token)
        robots.close(robots.open())
        self.tenants.write_text("{", encoding="ascii")  # a broken file changes nothing
        time.sleep(2.5)
        robots.close(robots.open())

    def test_others_do_not_see_what_a_tenant_has(self):
        _, robots, city = self.serve()
        name = robots.open()
        details = self.assert_refused(Code.NOT_FOUND, lambda: city.close(name))
        unknown = name[:-4] + "0000"
        other = self.assert_refused(Code.NOT_FOUND, lambda: city.close(unknown))
        self.assertEqual(details.replace(name, ""), other.replace(unknown, ""))
        step = pb.StreamStepsRequest(step=pb.StepRequest(scene=name, end=scene().mesh.positions))
        self.assert_refused(Code.NOT_FOUND, lambda: list(
            city.collision.StreamSteps(iter([step]), metadata=city.metadata)))
        find = upload_service_pb2.FindUploadRequest(sha256=bytes(32), tenant=3)
        self.assert_refused(Code.PERMISSION_DENIED,
                            lambda: city.uploads.FindUpload(find, metadata=city.metadata), "tenant")
        robots.close(name)

    def test_others_do_not_see_the_sets_of_a_tenant(self):
        _, robots, city = self.serve(rights={"workloads": ["collision"]})
        name = robots.open_set()
        self.assertFalse(robots.step_set(name).HasField("error"))
        self.assertEqual(city.step_set(name).error.reason, "UNKNOWN_HANDLE")

    def test_a_right_to_collisions_is_one_to_batches(self):
        _, robots, _ = self.serve(rights={"workloads": ["load"]})
        self.assert_refused(Code.PERMISSION_DENIED, robots.open_set, "workload collision")

    def test_a_tenant_has_its_own_number(self):
        server, robots, _ = self.serve()
        robots.close(robots.open(tenant=3))
        self.assert_refused(Code.PERMISSION_DENIED, lambda: robots.open(tenant=4), "job.tenant")
        robots.run_load(amount=2_000_000).result()
        self.assert_metrics_need_a_right(server)

    def assert_metrics_need_a_right(self, server):
        for token in (None, self.tokens[0]):
            with self.assertRaises(urllib.error.HTTPError) as raised:
                self.scrape(server, token)
            self.assertEqual(raised.exception.code, 401)
        write_tenants(self.tenants, {"name": "watch", "number": 3, "rights": {"metrics": True},
                                     "tokens": [token_entry(self.tokens[0])]})
        time.sleep(2.5)
        self.assertIn("warpyard_residents 0", self.scrape(server, self.tokens[0]))

    @staticmethod
    def scrape(server, token):
        secret = base64.b64encode(f"prometheus:{token}".encode()).decode()
        request = urllib.request.Request(
            server.metrics_url, headers={"Authorization": f"Basic {secret}"} if token else {})
        with urllib.request.urlopen(request, timeout=processes.PATIENCE_S) as response:
            return response.read().decode()

    def test_rights(self):
        _, robots, city = self.serve(rights={"workloads": ["load"], "urgent": True})
        self.assert_refused(Code.PERMISSION_DENIED, robots.open, "workload collision")
        robots.run_load(priority=job_pb2.PRIORITY_URGENT).result()
        urgent = city.run_load(priority=job_pb2.PRIORITY_URGENT)
        self.assert_refused(Code.PERMISSION_DENIED, urgent.result, "PRIORITY_URGENT")

    def test_limits(self):
        _, robots, city = self.serve(limits={"calls_in_flight": 2, "residents": 1,
                                             "request_mib": 1, "deadline_horizon": "10s"})
        self.assert_limits_calls(robots, city)
        name = robots.open()
        self.assert_refused(Code.RESOURCE_EXHAUSTED, robots.open, "residents")
        robots.close(name)
        robots.close(robots.open())
        large = scene()
        large.mesh.positions.data = bytes(24 << 16)
        self.assert_refused(Code.RESOURCE_EXHAUSTED, lambda: robots.collision.OpenScene(
            large, metadata=robots.metadata), "bytes")
        far = robots.run_load(timeout=60)
        self.assert_refused(Code.INVALID_ARGUMENT, far.result, "job.deadline")
        robots.run_load(timeout=9).result()

    def assert_limits_calls(self, robots, city):
        for _ in range(10):  # on a busy machine the third call may come before the others
            running = [robots.run_load(amount=1_000_000_000, stages=2) for _ in range(2)]
            time.sleep(0.5)
            third = robots.run_load()
            city.close(city.open())
            codes = [call.code() for call in (third, *running)]
            if codes == [Code.RESOURCE_EXHAUSTED, Code.OK, Code.OK]:
                return self.assertIn("too many calls in flight", third.details())
        return self.fail("no call was refused")

    def test_one_call_after_another_stays_within_a_limit_of_one(self):
        _, robots, _ = self.serve(limits={"calls_in_flight": 1, "residents": 1, "request_mib": 2})
        request = scene()
        # Two requests of this size are more than the tenant may have at once.
        request.mesh.positions.data += bytes(24 << 16)
        for _ in range(200):
            robots.run_load(amount=1000).result()
            robots.close(robots.collision.OpenScene(request, metadata=robots.metadata).scene)

    def test_a_limit_of_jobs_a_second(self):
        _, robots, _ = self.serve(limits={"jobs_per_second": 5})
        begin = time.monotonic()
        calls = [robots.run_load() for _ in range(100)]
        codes = [call.code() for call in calls]
        passed = codes.count(Code.OK)
        self.assertEqual(passed + codes.count(Code.RESOURCE_EXHAUSTED), 100)
        self.assertGreaterEqual(passed, 5)
        self.assertLessEqual(passed, 5 + 5 * (time.monotonic() - begin) + 1)


class CommandLines(SecurityTest):
    def test_names_the_file_that_is_wrong(self):
        text = self.folder / "text"
        text.write_text("nothing", encoding="ascii")
        for flags, part in ((["--tls-cert", text], "--tls-key: missing"),
                            (["--tls-key", text], "--tls-cert: missing"),
                            (["--tls-cert", text, "--tls-key", text], "no certificate in PEM"),
                            (["--tls-cert", self.folder / "no", "--tls-key", text], "cannot be read")):
            shown = run(SERVER, "--backend", "cpu", "--metrics", "off", *flags)
            self.assertEqual(shown.returncode, 2, flags)
            self.assertIn(part, shown.stderr)
        shown = run(SERVER, "--backend", "cpu", "--metrics", "off", "--tokens", text)
        self.assertEqual(shown.returncode, 1)
        self.assertIn("--tokens: ", shown.stderr)

    def test_a_key_must_be_of_its_certificate(self):
        if shutil.which("openssl") is None:
            self.skipTest("openssl is not installed")
        authority = Authority(self.folder)
        (one, _), (_, other) = authority.sign("one"), authority.sign("other")
        shown = run(SERVER, "--backend", "cpu", "--tls-cert", one, "--tls-key", other)
        self.assertIn("is not the key of the certificate", shown.stderr)
        old, key = authority.sign("old", expired=True)
        shown = run(SERVER, "--backend", "cpu", "--tls-cert", old, "--tls-key", key)
        self.assertIn("has expired", shown.stderr)

    def test_a_token_of_the_tool_comes_in(self):
        shown = run(CLI, "token", "--tenant", "robots", "--number", "7")
        token, tenants = shown.stdout.splitlines()
        self.tenants.write_text(tenants, encoding="ascii")
        client = Client(self.channel(self.start("--tokens", self.tenants)), token)
        client.close(client.open(tenant=7))
        self.assertNotEqual(run(CLI, "token").stdout, run(CLI, "token").stdout)
        self.assertEqual(run(CLI, "token", "--number", "16").returncode, 2)

    def test_serves_on_a_unix_socket(self):
        path = self.folder / "socket"
        process = processes.subprocess.Popen(
            [SERVER, "--listen", f"unix:{path}", "--metrics", "off", "--backend", "cpu",
             "--threads", "1"], stdout=processes.subprocess.PIPE, text=True)
        try:
            self.assertIn(f"listening on unix:{path}, ", process.stdout.readline())
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(str(path))
            meshes = processes.write_meshes(self.folder)
            shown = run(CLI, "collide", *meshes, "--server", f"unix:{path}")
            self.assertEqual(shown.returncode, 0, shown.stderr)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


if __name__ == "__main__":
    processes.main()
