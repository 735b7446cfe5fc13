# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""How the clients connect to a server, and the flags for it."""

import collections

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
ON_THIS_MACHINE = ("127.", "localhost:", "[::1]", "unix:")


class NoServer(Exception):
    """Nothing answers at an address, or the files for the connection are wrong."""


def add_flags(parser):
    """Adds the flags of a connection to an argparse parser."""
    parser.add_argument("--server", default="127.0.0.1:7843", metavar="HOST:PORT",
                        help="where warpyard-server listens (default %(default)s)")
    parser.add_argument("--tls-ca", metavar="FILE",
                        help="encrypt; the server's certificate is of this authority (PEM)")
    parser.add_argument("--tls-cert", metavar="FILE", help="certificate of this client (PEM)")
    parser.add_argument("--tls-key", metavar="FILE", help="its private key (PEM)")
    parser.add_argument("--tls-name", metavar="NAME", help="the name in the server's certificate, "
                        "if it is not that of the address")
    parser.add_argument("--token-file", metavar="FILE",
                        help="a token that shows who the client is")


class _Call(collections.namedtuple(
        "_Call", "method timeout metadata credentials wait_for_ready compression"),
            grpc.ClientCallDetails):
    """A call with other metadata."""


class _AddToken(grpc.UnaryUnaryClientInterceptor, grpc.UnaryStreamClientInterceptor,
                grpc.StreamUnaryClientInterceptor, grpc.StreamStreamClientInterceptor):
    """Adds a bearer token to each call. gRPC's own credentials of calls work with TLS alone."""

    def __init__(self, token):
        self._header = ("authorization", f"Bearer {token}")

    def _go_on(self, go_on, call, request):
        metadata = [*(call.metadata or ()), self._header]
        return go_on(_Call(call.method, call.timeout, metadata, call.credentials,
                           call.wait_for_ready, call.compression), request)

    intercept_unary_unary = _go_on
    intercept_unary_stream = _go_on
    intercept_stream_unary = _go_on
    intercept_stream_stream = _go_on


def _read(flag, path):
    if path is None:
        return None
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise NoServer(f"{flag}: {path}: {error.strerror}") from error


def _read_token(server, flags):
    if flags.tls_ca is None and not server.startswith(ON_THIS_MACHINE):
        raise NoServer(f"--token-file: a token goes to {server} with --tls-ca only: "
                       "others could read it")
    token = _read("--token-file", flags.token_file).decode("ascii", "replace").strip()
    if not token or not token.isprintable() or len(token.split()) != 1:
        raise NoServer(f"--token-file: {flags.token_file}: is not one token")
    return token


def _channel(server, flags):
    if flags is None or flags.tls_ca is None:
        return grpc.insecure_channel(server, options=OPTIONS)
    credentials = grpc.ssl_channel_credentials(
        _read("--tls-ca", flags.tls_ca), _read("--tls-key", flags.tls_key),
        _read("--tls-cert", flags.tls_cert))
    name = [] if flags.tls_name is None else [("grpc.ssl_target_name_override", flags.tls_name)]
    return grpc.secure_channel(server, credentials, options=OPTIONS + name)


def connect(server, flags=None):
    """A channel to a server; waits a little, so that a client may be started together with it.

    flags: what add_flags added, where the server asks for TLS or a token.
    """
    token = None
    if flags is not None and flags.token_file is not None:
        token = _read_token(server, flags)
    channel = _channel(server, flags)
    try:
        grpc.channel_ready_future(channel).result(timeout=CONNECT_TIMEOUT_S)
    except grpc.FutureTimeoutError as error:
        channel.close()
        if flags is not None and flags.tls_ca is not None:
            raise NoServer(f"no server answers at {server} with TLS and a certificate of "
                           f"{flags.tls_ca}") from error
        raise NoServer(f"no server answers at {server}; start one with: "
                       f"warpyard-server --listen {server}, or pass --tls-ca if it speaks TLS"
                       ) from error
    return channel if token is None else grpc.intercept_channel(channel, _AddToken(token))
