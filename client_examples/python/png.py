# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Writes PNG files."""

import struct
import zlib

PIXEL_BYTES = 3


def write(path, rows):
    """Writes rows of red, green and blue bytes."""
    with open(path, "wb") as file:
        file.write(encode(rows))


def encode(rows):
    width = len(rows[0]) // PIXEL_BYTES
    header = struct.pack(">2I5B", width, len(rows), 8, 2, 0, 0, 0)  # 8 bits, true colour
    lines, above = [], bytes(len(rows[0]))
    for row in rows:
        lines.append(filtered(row, above))
        above = row
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(b"".join(lines), 9)) + chunk(b"IEND", b""))


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def filtered(row, above):
    """The row by the filter that leaves the smallest differences, which is what compresses best."""
    left = bytes(PIXEL_BYTES) + row[:-PIXEL_BYTES]
    corner = bytes(PIXEL_BYTES) + above[:-PIXEL_BYTES]
    predictions = {1: left, 2: above,
                   3: [(a + b) // 2 for a, b in zip(left, above)],
                   4: [paeth(a, b, c) for a, b, c in zip(left, above, corner)]}
    lines = [bytes([number]) + bytes((value - guess) & 255 for value, guess in zip(row, guesses))
             for number, guesses in predictions.items()]
    return min(lines, key=lambda line: sum(min(byte, 256 - byte) for byte in line[1:]))


def paeth(left, above, corner):
    """The neighbour that is nearest to left + above - corner (PNG specification, 9.4)."""
    guess = left + above - corner
    return min((left, above, corner), key=lambda value: abs(guess - value))
