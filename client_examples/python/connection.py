# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""How the clients connect to a server."""

import grpc

import service_config

CONNECT_TIMEOUT_S = 3
OPTIONS = [
    # Allows responses of any size. By default gRPC refuses more than 4 MiB.
    ("grpc.max_receive_message_length", -1),
    # By default gRPC waits a second before it tries again, too long for a server that is just
    # starting.
    ("grpc.initial_reconnect_backoff_ms", 100),
    *service_config.channel_options(),
]


class NoServer(Exception):
    """Nothing answers at an address."""


def connect(server):
    """A channel to a server; waits a little, so that a client may be started together with it."""
    channel = grpc.insecure_channel(server, options=OPTIONS)
    try:
        grpc.channel_ready_future(channel).result(timeout=CONNECT_TIMEOUT_S)
    except grpc.FutureTimeoutError as error:
        channel.close()
        raise NoServer(f"no server answers at {server}; "
                       f"start one with: warpyard-server --listen {server}") from error
    return channel
