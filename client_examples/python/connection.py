# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""How the clients connect to a server, and the flags for it."""

import collections

import grpc

import service_config
import session

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


class _AddMetadata(grpc.UnaryUnaryClientInterceptor, grpc.UnaryStreamClientInterceptor,
                   grpc.StreamUnaryClientInterceptor, grpc.StreamStreamClientInterceptor):
    """Adds metadata to each call: what _more gives."""

    def _more(self):
        raise NotImplementedError

    def _go_on(self, go_on, call, request):
        metadata = [*(call.metadata or ()), *self._more()]
        return go_on(_Call(call.method, call.timeout, metadata, call.credentials,
                           call.wait_for_ready, call.compression), request)

    def intercept_unary_unary(self, go_on, call, request):
        return self._go_on(go_on, call, request)

    def intercept_unary_stream(self, go_on, call, request):
        return self._go_on(go_on, call, request)

    def intercept_stream_unary(self, go_on, call, requests):
        return self._go_on(go_on, call, requests)

    def intercept_stream_stream(self, go_on, call, requests):
        return self._go_on(go_on, call, requests)


class _AddToken(_AddMetadata):
    """Adds a bearer token. gRPC's own credentials of calls work with TLS alone."""

    def __init__(self, token):
        self._token = token

    def _more(self):
        return [("authorization", f"Bearer {self._token}")]


class _StayWithOneServer(_AddMetadata):
    """Names the server of the first answer, so that a proxy sends all later calls there.

    For programs that end soon: what the first calls opened is in no other server. The first call
    must be a unary one; it is waited for. Not for several threads at a time.
    """

    def __init__(self):
        self._server = None

    def _more(self):
        return [(session.SERVER, self._server)] if self._server else []

    def intercept_unary_unary(self, go_on, call, request):
        done = self._go_on(go_on, call, request)
        if self._server is None:
            self._server = session.server_of(done)
        return done


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


def connect(server, flags=None, stay=True):
    """A channel to a server; waits a little, so that a client may be started together with it.

    flags: what add_flags added, where the server asks for TLS or a token. stay: where a proxy has
    several servers, all calls go to that of the first answer; False for those that use
    session.Resident, which names servers itself.
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
    interceptors = [] if token is None else [_AddToken(token)]
    if stay:
        interceptors.append(_StayWithOneServer())
    return grpc.intercept_channel(channel, *interceptors) if interceptors else channel
