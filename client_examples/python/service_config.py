# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""When clients repeat calls by themselves: the service config that the C++ clients have, too."""

import pathlib

FILE = pathlib.Path(__file__).resolve().parent.parent / "support" / "service_config.json"


def channel_options():
    """Options of a channel. Without the file, which a copied client may lack, nothing is repeated."""
    if not FILE.is_file():
        return []
    return [("grpc.service_config", FILE.read_text(encoding="utf-8"))]
