#!/usr/bin/env python3
"""comments.py [--check]: wraps comments at 120 columns, in Swift and C, which `swift format` leaves as they are.

A paragraph is wrapped from its first line that is too long. With --check nothing is written: it fails if a line is too
long. Lines that are one long word, tables and code stay.
"""

import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 120
COMMENT = re.compile(r"^(\s*///?)( +)(\S.*)$")
#: Begins a paragraph: an item of a list, a table, a mark, code.
START = re.compile(r"^(- |\d+\. |\| |```|MARK: )")


def wrapped(lines):
    """The lines of a file, with comments of at most WIDTH columns where words allow it."""
    result, index = [], 0
    while index < len(lines):
        match = COMMENT.match(lines[index])
        if not match or len(lines[index]) <= WIDTH or re.search(r"^\||^```|\S  ", match[3]):
            result.append(lines[index])
            index += 1
            continue
        marker, gap, text = match.groups()
        # Further lines of an item are indented below its text.
        hanging = gap + "  " if START.match(text) else gap
        index += 1
        words = [text]
        while index < len(lines):
            more = COMMENT.match(lines[index])
            if not more or more[1] != marker or more[2] != hanging or START.match(more[3]):
                break
            words.append(more[3])
            index += 1
        result += textwrap.wrap(
            " ".join(words), WIDTH, initial_indent=marker + gap, subsequent_indent=marker + hanging,
            break_long_words=False, break_on_hyphens=False)
    return result


def main():
    names = subprocess.run(
        ["git", "ls-files", "*.swift", "*.c", "*.h"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found = False
    for path in map(ROOT.joinpath, names.split("\n")[:-1]):
        before = path.read_text(encoding="utf-8")
        after = "\n".join(wrapped(before.split("\n")))
        if before == after:
            continue
        found = True
        if "--check" in sys.argv[1:]:
            print(f"{path.relative_to(ROOT)}: a comment is longer than {WIDTH} columns; run Docs/comments.py")
        else:
            path.write_text(after, encoding="utf-8")
    sys.exit(found and "--check" in sys.argv[1:])


main()
