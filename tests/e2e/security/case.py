# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""What tests of servers that know their callers have in common."""

import tempfile
import unittest
from pathlib import Path

import grpc

from processes import Server


class SecurityTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.tenants = self.folder / "tenants.json"

    def start(self, *flags):
        server = Server("--enable-load-jobs", *map(str, flags))
        self.addCleanup(server.__exit__)
        return server

    def channel(self, server, credentials=None):
        channel = (grpc.insecure_channel(server.address) if credentials is None
                   else grpc.secure_channel(server.address, credentials))
        self.addCleanup(channel.close)
        return channel

    def assert_refused(self, code, call, part=""):
        with self.assertRaises(grpc.RpcError) as raised:
            call()
        self.assertEqual(raised.exception.code(), code, raised.exception.details())
        self.assertIn(part, raised.exception.details())
        return raised.exception.details()
