#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""docs/new-workload.md quotes the example word for word, and the lists as they are."""

import pathlib
import re
import unittest

EXAMPLE = pathlib.Path(__file__).resolve().parent
ROOT = EXAMPLE.parents[1]
PAGE = ROOT / "docs" / "new-workload.md"
QUOTED = {"cpp": {".h", ".cc"}, "proto": {".proto"}, "cmake": {".txt"}}
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#]+)\)")


def blocks(language):
    """Returns the fenced blocks of the page in a language."""
    return [text for name, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")) if name == language]


def hunks():
    """Yields (file, lines around and before added ones, added lines) of each part of the diffs."""
    for text in blocks("diff"):
        for part in re.split(r"^--- ", text, flags=re.MULTILINE)[1:]:
            path, *lines = part.splitlines()
            yield (path, [line[1:] for line in lines if line.startswith(" ")],
                   [line[1:] for line in lines if line.startswith("+")])


class NewWorkloadPage(unittest.TestCase):

    def test_knows_the_language_of_every_block(self):
        languages = {name for name, _ in BLOCK.findall(PAGE.read_text(encoding="utf-8"))}
        self.assertEqual(languages - {"diff"}, set(QUOTED))

    def test_quotes_the_example(self):
        for language, suffixes in QUOTED.items():
            files = [path.read_text(encoding="utf-8") for path in sorted(EXAMPLE.rglob("*"))
                     if path.suffix in suffixes]
            for block in blocks(language):
                with self.subTest(block=block.splitlines()[0]):
                    self.assertTrue(any("\n" + block in text for text in files),
                                    "no file of tests/example has this block:\n" + block)

    def test_adds_to_lists_as_they_are(self):
        added = {}
        for path, context, lines in hunks():
            text = (ROOT / path).read_text(encoding="utf-8")
            with self.subTest(list=path):
                self.assertIn("\n" + "\n".join(context) + "\n", text)
            added[path] = added.get(path, 0) + len(lines)
        rows = re.findall(r"^\| `([^`]+)` \| (\d+) \| 0 \|$", PAGE.read_text(encoding="utf-8"),
                          re.MULTILINE)
        self.assertEqual(added, {path: int(count) for path, count in rows})

    def test_links_to_files_that_exist(self):
        for link in LINK.findall(BLOCK.sub("", PAGE.read_text(encoding="utf-8"))):
            with self.subTest(link=link):
                self.assertTrue((PAGE.parent / link).exists())


if __name__ == "__main__":
    unittest.main()
