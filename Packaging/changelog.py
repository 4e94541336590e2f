#!/usr/bin/env python3
"""changelog.py SUFFIX DISTRIBUTION: prints CHANGELOG.md as debian/changelog for DISTRIBUTION, with SUFFIX after the newest version
(deb-changelog(5))."""

import datetime
import pathlib
import re
import sys
import textwrap

#: lintian's limit is 80 columns.
COLUMNS = 79
ROOT = pathlib.Path(__file__).resolve().parents[1]


def main(suffix, distribution):
    maintainer = re.search(r"^Maintainer: (.*)$", (ROOT / "debian/control").read_text(), re.M)[1]
    releases = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.M)[1:]
    for release in releases:
        heading, _, rest = release.partition("\n")
        version, date = re.fullmatch(r"(\S+), (\d{4}-\d\d-\d\d)", heading).groups()
        print(f"stickerd ({version}{suffix}) {distribution}; urgency=medium\n")
        for point in re.split(r"^- ", rest, flags=re.M)[1:]:
            # Two asterisks or backquotes mean nothing in a text file.
            text = re.sub(r"\*\*|`", "", " ".join(point.split()))
            print(textwrap.fill(text, COLUMNS, initial_indent="  * ", subsequent_indent="    ", break_long_words=False))
        noon = datetime.datetime.fromisoformat(f"{date}T12:00:00+00:00")
        print(f"\n -- {maintainer}  {noon:%a, %d %b %Y %H:%M:%S %z}\n")
        suffix = ""


if __name__ == "__main__":
    main(*sys.argv[1:])
