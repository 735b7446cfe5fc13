# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Arrays of numbers as the bytes of messages, and back."""

import array
import sys

from warpyard.v1 import mesh_pb2


def little_endian(numbers):
    if sys.byteorder != "little":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


def from_little_endian(typecode, data):
    numbers = array.array(typecode, data)
    if sys.byteorder != "little":
        numbers.byteswap()
    return numbers


def to_positions(numbers):
    """Coordinates of array 'f' or 'd', sent as they are."""
    is_float = numbers.typecode == "f"
    scalar = mesh_pb2.SCALAR_TYPE_FLOAT32 if is_float else mesh_pb2.SCALAR_TYPE_FLOAT64
    return mesh_pb2.Positions(scalar_type=scalar, data=little_endian(numbers))
