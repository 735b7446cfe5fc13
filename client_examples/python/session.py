# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Residents that outlive their server: opened again wherever they were lost.

A scene, a model or a compiled grammar lives in one server. Behind a proxy with several servers its
calls must reach that one, and when the server ends, the resident is gone. A Resident knows the
server of its handle, repeats calls that no server could take, and opens the resident again, from
the request that it keeps, when the server has lost it.

    scene = session.Resident(stub.OpenScene, api.OpenSceneRequest(mesh=mesh), "scene")
    response = scene.call(stub.Step, lambda step, is_new: step_request(step, is_new), timeout=5)
"""

import random
import time

import grpc

SERVER = "warpyard-server"  # metadata: the name of a server
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 2
OPEN_TIMEOUT_S = 60
LOST = (grpc.StatusCode.NOT_FOUND,)
AGAIN = (grpc.StatusCode.UNAVAILABLE,)


def server_of(call):
    """The name of the server that answered a call, or None. A refusal has it in its last metadata."""
    for key, value in (*(call.initial_metadata() or ()), *(call.trailing_metadata() or ())):
        if key == SERVER:
            return value
    return None


class Resident:
    """One resident. Not for several threads at a time.

    open_method: a method of a stub, which answers with a handle. field: the handle in its response.
    tries: of each call, counting those that open the resident.
    """

    def __init__(self, open_method, request, field, tries=10):
        self._open_method, self._request, self._field = open_method, request, field
        self._tries = tries
        self._handle = self._server = None
        self.opened = 0  # times that the resident was opened

    def call(self, method, make_request, timeout=None):
        """Calls a method on the resident and returns the response.

        make_request(handle, is_new): the request. It is made for each try; is_new says whether no
        call since the resident was opened has succeeded, so that it is as it was when opened. Each try
        has the timeout. Raises the grpc.RpcError of the last try.
        """
        for attempt in range(1, self._tries + 1):
            try:
                if self._handle is None:
                    self._open()
                request = make_request(self._handle, self._is_new)
                response = method(request, timeout=timeout, metadata=self._metadata())
                self._is_new = False
                return response
            except grpc.RpcError as error:
                lost = error.code() in LOST and self._handle is not None
                if not lost and error.code() not in AGAIN or attempt == self._tries:
                    raise
                # A server that cannot be reached, or drains, will not come back with the resident.
                self._handle = self._server = None
                if not lost:
                    time.sleep(pause(attempt))
        raise AssertionError("unreachable")

    def close(self, method, make_request):
        """Closes the resident where it is. A server that is gone has closed it already."""
        if self._handle is None:
            return
        try:
            method(make_request(self._handle), metadata=self._metadata(), timeout=OPEN_TIMEOUT_S)
        except grpc.RpcError as error:
            if error.code() not in LOST + AGAIN:
                raise
        finally:
            self._handle = self._server = None

    def _open(self):
        response, call = self._open_method.with_call(self._request, timeout=OPEN_TIMEOUT_S)
        self._handle, self._server = getattr(response, self._field), server_of(call)
        self._is_new = True
        self.opened += 1

    def _metadata(self):
        return [(SERVER, self._server)] if self._server else []


def pause(attempt):
    """Seconds before the next try, at random, so that clients of a lost server do not come at once."""
    return random.uniform(0.5, 1) * min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (attempt - 1))
