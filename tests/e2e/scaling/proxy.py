# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""HAProxy as a process of its own, for tests."""

import re
import shutil
import subprocess
from pathlib import Path

import processes

HAPROXY = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")
CONFIG = processes.SOURCE / "deploy/haproxy/haproxy.cfg"


class Proxy:
    """HAProxy with the shipped configuration, but other addresses.

    servers: addresses of calls and of metrics. certificate, authority: PEM files; with them the
    proxy speaks TLS with its clients and its servers, as comments in the configuration say.
    """

    def __init__(self, folder, servers, certificate=None, authority=None):
        self.address = f"127.0.0.1:{processes.free_port()}"
        text = CONFIG.read_text(encoding="utf-8")
        front = "proto h2" if certificate is None else f"ssl crt {certificate} alpn h2"
        back = "proto h2" if authority is None else f"ssl alpn h2 ca-file {authority}"
        text = re.sub(r"bind \S+ proto h2", f"bind {self.address} {front}", text)
        options = re.search(r"\n    server a \S+ port \d+ (.*)", text)[1]
        options = options.replace("proto h2", back)
        text = re.sub(r"\n    server .*", "", text)
        for i, (calls, metrics) in enumerate(servers):
            text += f"    server s{i} {calls} port {metrics.rpartition(':')[2]} {options}\n"
        path = Path(folder, "haproxy.cfg")
        path.write_text(text, encoding="utf-8")
        self.process = subprocess.Popen([HAPROXY, "-f", str(path)], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
