#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Writes the manual page of a program from what its --help prints, the one source of its flags.

usage: make_man.py PROGRAM VERSION SECTION SUMMARY OUT [COMMAND]...

COMMANDs are sub-commands with a --help of their own.
"""

import subprocess
import sys
from pathlib import Path


def roff(text):
    """Text that roff takes as it is."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").splitlines()
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in lines)


def printed(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def section(title, text):
    return f".SH {title}\n.nf\n{roff(text.strip())}\n.fi\n"


def main():
    program, version, number, summary, out = sys.argv[1:6]
    name = Path(program).name
    page = (f'.TH {name.upper()} {number} "" "Warpyard {version}" "Warpyard"\n'
            f".SH NAME\n{roff(name)} \\- {roff(summary)}\n")
    commands = sys.argv[6:]
    if not commands:
        usage, _, rest = printed(program, "--help").partition("\n\n")
        page += section("SYNOPSIS", usage.removeprefix("usage: ")) + section("DESCRIPTION", rest)
    else:
        texts = {command: printed(program, command, "--help") for command in commands}
        uses = [text.partition("\n\n")[0].removeprefix("usage:") for text in texts.values()]
        page += section("SYNOPSIS", "\n".join(line.strip() for use in uses
                                              for line in use.splitlines()))
        for command, text in texts.items():
            page += section(f'"{name.upper()} {command.upper()}"', text.partition("\n\n")[2])
    Path(out).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
