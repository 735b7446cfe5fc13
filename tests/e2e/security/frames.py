# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Frames of HTTP/2, and a client that sends a request which never ends, for tests."""

import socket
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = (
    0, 1, 3, 4, 6, 7, 8, 9)
INITIAL_WINDOW = 4
FRAME_BYTES, WINDOW_BYTES = 16384, 65535  # by default
PATIENCE_S = 10


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def literal(name, value):
    """A header of HPACK that is neither compressed nor remembered; both parts below 127 bytes."""
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


CALL = b"".join(literal(name, value) for name, value in (
    (b":method", b"POST"), (b":scheme", b"http"), (b":authority", b"x"),
    (b":path", b"/warpyard.v1.CollisionService/Step"), (b"te", b"trailers"),
    (b"content-type", b"application/grpc")))


class EndlessRequest:
    """A call whose message is never complete, on a connection of its own."""

    def __init__(self, connect, message_bytes):
        """connect: gives a connected socket, plain or with TLS. message_bytes: that it promises."""
        self.sent = 0
        self.refused = False
        self._rest = b"\x00" + struct.pack(">I", message_bytes)  # the head of the message
        self._windows = {0: WINDOW_BYTES, 1: WINDOW_BYTES}
        self._initial = WINDOW_BYTES
        self._connection = connect()
        self._connection.settimeout(PATIENCE_S)
        self._connection.sendall(PREFACE + frame(SETTINGS) + frame(HEADERS, 4, 1, CALL))

    def close(self):
        self._connection.close()

    def send(self, most):
        """Sends so many bytes, or fewer if the server ends the call or leaves no room for more."""
        try:
            while self.sent < most and not self.refused:
                room = min(*self._windows.values(), FRAME_BYTES)
                if room > 0:
                    self._send_part(room)
                else:
                    self._receive()
        except OSError:
            self.refused = True

    def _send_part(self, size):
        part = (self._rest + bytes(size))[:size]
        self._rest = self._rest[size:]
        self._connection.sendall(frame(DATA, 0, 1, part))
        self.sent += size
        for window in self._windows:
            self._windows[window] -= size

    def _read(self, size):
        data = b""
        while len(data) < size:
            part = self._connection.recv(size - len(data))
            if not part:
                raise ConnectionError
            data += part
        return data

    def _receive(self):
        head = self._read(9)
        payload = self._read(int.from_bytes(head[:3], "big"))
        kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
        if kind == WINDOW_UPDATE:
            self._windows[stream] += int.from_bytes(payload, "big")
        elif kind == SETTINGS and not flags & 1:
            self._take_settings(payload)
            self._connection.sendall(frame(SETTINGS, 1))
        elif kind == PING and not flags & 1:
            self._connection.sendall(frame(PING, 1, 0, payload))
        elif kind in (HEADERS, RST_STREAM, GOAWAY):
            self.refused = True

    def _take_settings(self, payload):
        for name, value in struct.iter_unpack(">HI", payload):
            if name == INITIAL_WINDOW:
                self._windows[1] += value - self._initial
                self._initial = value
