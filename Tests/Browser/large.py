"""A pack with very many stickers, copies of a few: hard links in the outbox, and rows in the Library of a stopped daemon."""

import json
import os
import re
import sqlite3

#: As many as users have, where times and memory are measured (measure.py); fewer show the same.
MANY = int(os.environ.get("STICKERS", "10000"))
#: The most stickers whose elements the page has all the time.
WHOLE = 1200
COPY = """
    CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :count) SELECT i FROM n;
    CREATE TEMP TABLE base AS SELECT row_number() OVER (ORDER BY arrival) - 1 AS place, * FROM sticker
        WHERE pack = '' AND published;
    CREATE TEMP TABLE copy AS SELECT n.i, printf('%064x', n.i) AS photo, base.photo AS original, base.recipe, base.width,
            base.height, base.bytes, base.sha256, base.confidence, base.added, base.file AS source, base.thumbnail AS small
        FROM n JOIN base ON base.place = n.i % (SELECT count(*) FROM base);
    INSERT INTO photo (sha256, format, width, height, bytes, firstSeen)
        SELECT copy.photo, format, photo.width, photo.height, photo.bytes, firstSeen FROM copy JOIN photo ON photo.sha256 = original;
    INSERT INTO result (photo, recipe, outcome, confidence, finished, colors, subjectColors)
        SELECT copy.photo, copy.recipe, outcome, result.confidence, finished, colors, subjectColors
        FROM copy JOIN result ON result.photo = original AND result.recipe = copy.recipe;
    INSERT INTO sticker (pack, photo, ordinal, source, recipe, arrival, file, width, height, bytes, sha256, confidence, added,
            published, thumbnail)
        SELECT '', photo, 0, 0, recipe, i - 10000000, 'Sticker-' || i || '.png', width, height, bytes, sha256, confidence,
            added, 1, 'Sticker-' || i || '.webp' FROM copy;
"""


def grow(gallery, count):
    """Adds copies of the stickers of a stopped daemon's root pack in front of them: `Sticker-1` is the first."""
    database = sqlite3.connect(gallery.state / "library" / "library.sqlite")
    for statement in COPY.split(";"):
        database.execute(statement, {"count": count} if ":count" in statement else {})
    links = database.execute("SELECT i, source, small FROM copy").fetchall()
    database.commit()
    database.close()
    stickers, thumbnails = gallery.outbox, gallery.outbox / "thumbnails"
    for number, file, thumbnail in links:
        os.link(stickers / file, stickers / f"Sticker-{number}.png")
        os.link(thumbnails / thumbnail, thumbnails / f"Sticker-{number}.webp")


def scripts(folder):
    """The names of the scripts in `pack/`, without extension, in the order of the page's list, with their entries."""
    found = {}
    for path in sorted((folder / "pack").glob("[0-9]*.js")):
        name, entries = re.fullmatch(r'stickerd\.page\("([0-9-]+)",(\[.*\])\);\n', path.read_text(), re.S).groups()
        found[name] = json.loads(entries)
    return found
