-- The tables of a Library of the version in `Schema.swift`. Paths and names of the inbox are escaped text (`InboxPath`); the
-- pack '' is the root pack. A Library of another version is never changed.

-- The daemon's own notes, such as its outbox and the recipe that new stickers are made with.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- MARK: - Photos and what was made of them

-- An image, by its SHA-256, whichever files hold it. Format and size are NULL until it was worked on.
CREATE TABLE photo (
    sha256 TEXT PRIMARY KEY,
    format TEXT,
    width INTEGER,
    height INTEGER,
    bytes INTEGER NOT NULL,
    firstSeen DATETIME NOT NULL
) WITHOUT ROWID;

CREATE TABLE recipe (id TEXT PRIMARY KEY, content TEXT NOT NULL, since DATETIME NOT NULL) WITHOUT ROWID;

-- What a recipe made of a photo. The colors are samples (`PhotoColorSample`), from which schemes of any size can be made.
-- `stickers` is how many it made; NULL if that is unknown.
CREATE TABLE result (
    photo TEXT NOT NULL REFERENCES photo(sha256) ON DELETE CASCADE,
    recipe TEXT NOT NULL REFERENCES recipe(id),
    outcome TEXT NOT NULL,
    stickers INTEGER,
    reason TEXT,
    confidence REAL,
    colors TEXT,
    subjectColors TEXT,
    finished DATETIME NOT NULL,
    PRIMARY KEY (photo, recipe)
) WITHOUT ROWID;

-- A photo's perceptual hash (`PerceptualHash`). All are compared in memory, without an index.
CREATE TABLE likeness (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    photo TEXT NOT NULL UNIQUE REFERENCES photo(sha256) ON DELETE CASCADE,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
);

-- MARK: - Files of the inbox

-- The folder that `path` led to when the inbox was last read.
CREATE TABLE inboxPlace (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    path TEXT NOT NULL,
    device INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    fileSystem INTEGER NOT NULL,
    since DATETIME NOT NULL
);

-- A path in the inbox with its state. `presence` is where the file is (`KnownPhoto.File.Presence`). `since` is when its photo
-- came into its pack under this name, `seen` when its contents arrived. `failure` is why the last try to read it failed, for a
-- reason that is not its photo's; if permissions were the reason, it is `forbidden`. `leftAt` is when it left the inbox: stickerd
-- moved or removed it, others took it out, or the inbox was replaced; NULL while it is there. `superseded` is whether another
-- file has had its path since stickerd moved or removed it, or planned to.
CREATE TABLE file (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    superseded INTEGER NOT NULL DEFAULT 0,
    folder TEXT NOT NULL,
    pack TEXT NOT NULL,
    device INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    size INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    arrival INTEGER NOT NULL,
    presence TEXT NOT NULL DEFAULT 'here',
    state TEXT NOT NULL,
    reason TEXT,
    failure TEXT,
    forbidden INTEGER NOT NULL DEFAULT 0,
    photo TEXT REFERENCES photo(sha256),
    attempts INTEGER NOT NULL DEFAULT 0,
    stateSince DATETIME NOT NULL,
    since DATETIME,
    seen DATETIME,
    leftAt DATETIME
);
-- SQLite uses a partial index only if the query repeats its condition word for word.
CREATE UNIQUE INDEX fileByPath ON file(path) WHERE NOT superseded;
CREATE INDEX fileSuperseded ON file(photo, pack) WHERE superseded;
CREATE INDEX fileByArrival ON file(arrival);
CREATE INDEX fileByInode ON file(inode);
CREATE INDEX fileByPhoto ON file(photo, pack, state) WHERE photo IS NOT NULL;
CREATE INDEX fileByPresence ON file(photo, pack, presence, (failure IS NULL), arrival) WHERE photo IS NOT NULL;
CREATE INDEX fileHere ON file(folder) WHERE leftAt IS NULL;
CREATE INDEX fileForbidden ON file(folder) WHERE forbidden;
CREATE INDEX fileGone ON file(leftAt) WHERE leftAt IS NOT NULL;
CREATE INDEX filePending ON file(arrival) WHERE state = 'pending';
CREATE INDEX fileInHand ON file(arrival) WHERE state = 'processing';
CREATE INDEX fileWaiting ON file(pack, arrival) WHERE state IN ('pending', 'processing');
CREATE INDEX fileToRemake ON file(pack, photo) WHERE state IN ('pending', 'processing') AND photo IS NOT NULL;
CREATE INDEX fileFailed ON file(pack, arrival) WHERE state = 'failed';
CREATE INDEX fileWithoutSubject ON file(pack, arrival) WHERE state = 'noSubject';

-- No key is used twice: a claim may end after its file's row is gone.
CREATE TABLE attempt (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    file INTEGER NOT NULL,
    photo TEXT,
    recipe TEXT,
    started DATETIME NOT NULL,
    finished DATETIME,
    outcome TEXT,
    detail TEXT
);
CREATE INDEX attemptByFile ON attempt(file);
CREATE INDEX attemptOpen ON attempt(file) WHERE finished IS NULL;

-- What happens to a file whose work has ended (`Original`), recorded before it is moved or removed. `target` is absolute.
-- `tried` is the round of the last try; `begun` is whether a try may have moved or removed it.
CREATE TABLE original (
    file INTEGER NOT NULL,
    arrival INTEGER NOT NULL,
    path TEXT NOT NULL,
    device INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    size INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    action TEXT NOT NULL,
    reason TEXT,
    target TEXT,
    decided DATETIME NOT NULL,
    tried DATETIME,
    begun INTEGER NOT NULL DEFAULT 0,
    finished DATETIME,
    outcome TEXT,
    PRIMARY KEY (file, arrival)
) WITHOUT ROWID;
CREATE INDEX originalDue ON original(tried, file) WHERE finished IS NULL;
CREATE INDEX originalPast ON original(finished) WHERE finished IS NOT NULL;
CREATE INDEX originalByTarget ON original(target) WHERE outcome = 'moved';

-- A photo in a pack: what a decision stored, and how its last file left (`KnownPhoto.InPack`). `decided` is the recipe whose result
-- the pack goes by. If it was skipped as a near-duplicate, `leader` is the photo that it is similar to, and `likeness` says how.
-- `leftUnder` is whether the settings withdrew the stickers of removed photos then, `isRename` whether `leftFile` was renamed.
CREATE TABLE stay (
    photo TEXT NOT NULL,
    pack TEXT NOT NULL,
    since DATETIME,
    decided TEXT,
    isRequested INTEGER NOT NULL DEFAULT 0,
    leader TEXT,
    likeness TEXT,
    leftSince DATETIME,
    leftAt DATETIME,
    leftUnder INTEGER,
    leftFile INTEGER,
    isRename INTEGER,
    PRIMARY KEY (photo, pack)
) WITHOUT ROWID;
CREATE INDEX stayByLeader ON stay(leader, pack) WHERE leader IS NOT NULL;
CREATE INDEX stayLeft ON stay(leftAt) WHERE leftAt IS NOT NULL;

-- Photos of which a fact has changed: they are decided before the transaction ends (`decideTouched`).
CREATE TABLE touched (photo TEXT PRIMARY KEY) WITHOUT ROWID;
-- Those that are decided later, in batches, because a change concerned very many (`postponeTouched`).
CREATE TABLE undecided (photo TEXT PRIMARY KEY) WITHOUT ROWID;

-- A file's history begins when it is first seen and ends with its row. `meta.lastArrival` is the highest number of a deleted
-- row: its sticker may remain and keep the number, so no other file may get it. The key of a deleted row may be used again.
CREATE TRIGGER fileSeen AFTER INSERT ON file BEGIN
    UPDATE file SET seen = NEW.stateSince, since = NEW.stateSince WHERE id = NEW.id;
END;
CREATE TRIGGER fileAnew AFTER UPDATE OF arrival ON file WHEN OLD.arrival <> NEW.arrival BEGIN
    UPDATE file SET seen = NEW.stateSince WHERE id = NEW.id;
END;
CREATE TRIGGER fileOut AFTER DELETE ON file BEGIN
    INSERT INTO meta VALUES ('lastArrival', OLD.arrival)
        ON CONFLICT(key) DO UPDATE SET value = excluded.value
        WHERE CAST(excluded.value AS INTEGER) > CAST(value AS INTEGER);
    DELETE FROM attempt WHERE file = OLD.id;
    DELETE FROM original WHERE file = OLD.id;
    UPDATE stay SET leftFile = 0 WHERE photo = OLD.photo AND leftFile = OLD.id;
    UPDATE sticker SET source = 0 WHERE source = OLD.id;
END;
CREATE TRIGGER fileMovedAway AFTER UPDATE OF finished ON original WHEN NEW.finished IS NOT NULL BEGIN
    UPDATE file SET leftAt = NEW.finished, presence = CASE
            WHEN NEW.outcome = 'removed' THEN 'deleted'
            WHEN NEW.outcome = 'moved' AND NEW.action = 'setAside' THEN 'setAside'
            WHEN NEW.outcome = 'moved' THEN 'archived'
            ELSE presence END
        WHERE id = NEW.file AND arrival = NEW.arrival;
END;

-- What touches a photo. They have NOT EXISTS instead of OR IGNORE: the conflict clause of the statement that fires a trigger, an
-- upsert for example, overrides the trigger's (https://sqlite.org/lang_createtrigger.html).
CREATE TRIGGER fileFacts AFTER UPDATE OF photo, pack, presence, failure, arrival, since ON file
    WHEN OLD.photo IS NOT NULL OR NEW.photo IS NOT NULL BEGIN
    INSERT INTO touched SELECT OLD.photo WHERE OLD.photo IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM touched WHERE photo = OLD.photo);
    INSERT INTO touched SELECT NEW.photo WHERE NEW.photo IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM touched WHERE photo = NEW.photo);
    INSERT INTO stay (photo, pack) SELECT NEW.photo, NEW.pack WHERE NEW.photo IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM stay WHERE photo = NEW.photo AND pack = NEW.pack);
END;
CREATE TRIGGER fileFactsOut AFTER DELETE ON file WHEN OLD.photo IS NOT NULL BEGIN
    INSERT INTO touched SELECT OLD.photo WHERE NOT EXISTS (SELECT 1 FROM touched WHERE photo = OLD.photo);
END;
CREATE TRIGGER attemptFacts AFTER INSERT ON attempt BEGIN
    INSERT INTO touched SELECT photo FROM file WHERE id = NEW.file AND photo IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM touched WHERE photo = file.photo);
END;
CREATE TRIGGER attemptFactsEnd AFTER UPDATE OF finished ON attempt BEGIN
    INSERT INTO touched SELECT photo FROM file WHERE id = NEW.file AND photo IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM touched WHERE photo = file.photo);
END;
CREATE TRIGGER resultFacts AFTER INSERT ON result BEGIN
    INSERT INTO touched SELECT NEW.photo WHERE NOT EXISTS (SELECT 1 FROM touched WHERE photo = NEW.photo);
END;
CREATE TRIGGER resultFactsMove AFTER UPDATE OF outcome, stickers ON result BEGIN
    INSERT INTO touched SELECT NEW.photo WHERE NOT EXISTS (SELECT 1 FROM touched WHERE photo = NEW.photo);
END;
CREATE TRIGGER stayFacts AFTER UPDATE OF isRequested, leader, leftAt, leftUnder, leftFile, isRename ON stay BEGIN
    INSERT INTO touched SELECT NEW.photo WHERE NOT EXISTS (SELECT 1 FROM touched WHERE photo = NEW.photo);
END;

-- How many files are in each state, in all and in each pack: asking costs the same with ten files and a million.
CREATE TABLE tally (state TEXT PRIMARY KEY, files INTEGER NOT NULL) WITHOUT ROWID;
CREATE TRIGGER tallyIn AFTER INSERT ON file BEGIN
    INSERT INTO tally VALUES (NEW.state, 1) ON CONFLICT(state) DO UPDATE SET files = files + 1;
END;
CREATE TRIGGER tallyOut AFTER DELETE ON file BEGIN
    UPDATE tally SET files = files - 1 WHERE state = OLD.state;
END;
CREATE TRIGGER tallyMove AFTER UPDATE OF state ON file WHEN OLD.state <> NEW.state BEGIN
    UPDATE tally SET files = files - 1 WHERE state = OLD.state;
    INSERT INTO tally VALUES (NEW.state, 1) ON CONFLICT(state) DO UPDATE SET files = files + 1;
END;
CREATE TABLE packTally (
    pack TEXT NOT NULL,
    state TEXT NOT NULL,
    files INTEGER NOT NULL,
    PRIMARY KEY (pack, state)
) WITHOUT ROWID;
CREATE TRIGGER packTallyIn AFTER INSERT ON file BEGIN
    INSERT INTO packTally VALUES (NEW.pack, NEW.state, 1) ON CONFLICT(pack, state) DO UPDATE SET files = files + 1;
END;
CREATE TRIGGER packTallyOut AFTER DELETE ON file BEGIN
    UPDATE packTally SET files = files - 1 WHERE pack = OLD.pack AND state = OLD.state;
END;
CREATE TRIGGER packTallyMove AFTER UPDATE OF state, pack ON file
    WHEN OLD.state <> NEW.state OR OLD.pack <> NEW.pack BEGIN
    UPDATE packTally SET files = files - 1 WHERE pack = OLD.pack AND state = OLD.state;
    INSERT INTO packTally VALUES (NEW.pack, NEW.state, 1) ON CONFLICT(pack, state) DO UPDATE SET files = files + 1;
END;

-- MARK: - Packs and their stickers

-- `folded` is the folder's `FoldedName`: no two packs get folders that a file system could treat as one. `revision` and
-- `updated` are those of the last recorded index, `lastPage` is the highest number that a page of the pack ever had. `exported`
-- is the revision whose exports are complete, and how they were written (`ExportedPack.mark`); '' if a file of them is missing.
CREATE TABLE pack (
    name TEXT PRIMARY KEY,
    folder TEXT NOT NULL UNIQUE,
    folded TEXT NOT NULL UNIQUE,
    revision INTEGER NOT NULL DEFAULT 0,
    updated TEXT NOT NULL DEFAULT '',
    lastPage INTEGER NOT NULL DEFAULT 0,
    exported TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;

-- A file in the outbox. Until it is `published`, its names are only reserved. `listed` ones are in the pack's index. `stale` ones
-- are to be remade while the old ones stay. `source` is the file that it was made from, `arrival` its place in the pack. `modified`
-- is its file's modification time as published, in nanoseconds since 1970. `stem` is the escaped name of the photo's file without
-- extension (`InboxPath.stem`); NULL if the file is unknown, or if the settings keep its name out of the outbox.
CREATE TABLE sticker (
    id INTEGER PRIMARY KEY,
    pack TEXT NOT NULL REFERENCES pack(name),
    photo TEXT NOT NULL REFERENCES photo(sha256),
    ordinal INTEGER NOT NULL,
    source INTEGER NOT NULL,
    recipe TEXT NOT NULL REFERENCES recipe(id),
    arrival INTEGER NOT NULL,
    file TEXT NOT NULL,
    thumbnail TEXT,
    stem TEXT,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    modified INTEGER NOT NULL DEFAULT 0,
    confidence REAL NOT NULL,
    foundBy TEXT,
    added DATETIME NOT NULL,
    published INTEGER NOT NULL,
    listed INTEGER NOT NULL DEFAULT 0,
    stale INTEGER NOT NULL DEFAULT 0,
    UNIQUE (pack, file),
    UNIQUE (photo, pack, ordinal)
);
CREATE INDEX stickerByOrder ON sticker(pack, arrival, ordinal) WHERE published;
CREATE INDEX stickerByThumbnail ON sticker(pack, thumbnail) WHERE thumbnail IS NOT NULL;
CREATE INDEX stickerBySource ON sticker(source);
CREATE INDEX stickerByRecipe ON sticker(recipe) WHERE published;
CREATE INDEX stickerUnlisted ON sticker(pack) WHERE published AND NOT listed;

-- A sticker that a user has removed for good; `file` is the name that it had in the pack's folder.
CREATE TABLE removed (
    photo TEXT NOT NULL,
    pack TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    file TEXT NOT NULL,
    since DATETIME NOT NULL,
    PRIMARY KEY (photo, pack, ordinal)
) WITHOUT ROWID;
CREATE INDEX removedByFile ON removed(file, pack);
CREATE INDEX removedByPack ON removed(pack, since);

-- Listing a sticker concerns its photo only if it has left a pack; a photo that was skipped is decided again when its leader's
-- sticker goes.
CREATE TRIGGER stickerFacts AFTER INSERT ON sticker BEGIN
    INSERT INTO touched SELECT NEW.photo WHERE NOT EXISTS (SELECT 1 FROM touched WHERE photo = NEW.photo);
END;
CREATE TRIGGER stickerFactsOut AFTER DELETE ON sticker BEGIN
    INSERT INTO touched SELECT OLD.photo WHERE NOT EXISTS (SELECT 1 FROM touched WHERE photo = OLD.photo);
    INSERT INTO touched SELECT photo FROM stay WHERE leader = OLD.photo AND pack = OLD.pack AND leader IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM touched WHERE photo = stay.photo);
END;
CREATE TRIGGER stickerFactsMove AFTER UPDATE OF recipe, published, stale, ordinal ON sticker BEGIN
    INSERT INTO touched SELECT NEW.photo WHERE NOT EXISTS (SELECT 1 FROM touched WHERE photo = NEW.photo);
END;
CREATE TRIGGER stickerFactsListed AFTER UPDATE OF listed ON sticker BEGIN
    INSERT INTO touched SELECT NEW.photo WHERE NOT EXISTS (SELECT 1 FROM touched WHERE photo = NEW.photo)
        AND EXISTS (SELECT 1 FROM stay WHERE photo = NEW.photo AND leftAt IS NOT NULL);
END;
CREATE TRIGGER removedFacts AFTER INSERT ON removed BEGIN
    INSERT INTO touched SELECT NEW.photo WHERE NOT EXISTS (SELECT 1 FROM touched WHERE photo = NEW.photo);
END;
CREATE TRIGGER removedFactsOut AFTER DELETE ON removed BEGIN
    INSERT INTO touched SELECT OLD.photo WHERE NOT EXISTS (SELECT 1 FROM touched WHERE photo = OLD.photo);
END;

-- A file to remove from the outbox once the index without it is written.
CREATE TABLE withdrawn (pack TEXT NOT NULL, file TEXT NOT NULL, PRIMARY KEY (pack, file)) WITHOUT ROWID;

-- The stem of a photo's palette files in a pack; they are `due` if they may have to change.
CREATE TABLE palette (
    pack TEXT NOT NULL,
    photo TEXT NOT NULL,
    stem TEXT NOT NULL,
    due INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (pack, photo),
    UNIQUE (pack, stem)
) WITHOUT ROWID;
CREATE INDEX paletteDue ON palette(pack) WHERE due;
CREATE INDEX paletteByPhoto ON palette(photo);
CREATE TRIGGER paletteMove AFTER UPDATE OF pack, photo, stem ON palette BEGIN
    UPDATE palette SET due = due + 1 WHERE pack = NEW.pack AND photo = NEW.photo;
    UPDATE ledger SET unwanted = 1 WHERE pack = OLD.pack AND part = 'palettes/' || OLD.photo;
END;
CREATE TRIGGER paletteOut AFTER DELETE ON palette BEGIN
    UPDATE ledger SET unwanted = 1 WHERE pack = OLD.pack AND part = 'palettes/' || OLD.photo;
END;
-- The colors are those of the photo's latest result, whichever pack it was made for.
CREATE TRIGGER paletteColors AFTER INSERT ON result BEGIN
    UPDATE palette SET due = due + 1 WHERE photo = NEW.photo;
END;
CREATE TRIGGER paletteColorsMove AFTER UPDATE OF photo, colors, finished ON result BEGIN
    UPDATE palette SET due = due + 1 WHERE photo IN (OLD.photo, NEW.photo);
END;

-- How many stickers are published, in all and in each pack; `photos` have at least one, and `bytes` is the length of all.
CREATE TABLE stickerTally (only INTEGER PRIMARY KEY CHECK (only = 1), stickers INTEGER NOT NULL);
INSERT INTO stickerTally VALUES (1, 0);
CREATE TRIGGER stickerIn AFTER INSERT ON sticker BEGIN
    UPDATE stickerTally SET stickers = stickers + NEW.published;
END;
CREATE TRIGGER stickerOut AFTER DELETE ON sticker BEGIN
    UPDATE stickerTally SET stickers = stickers - OLD.published;
END;
CREATE TRIGGER stickerMove AFTER UPDATE OF published ON sticker BEGIN
    UPDATE stickerTally SET stickers = stickers + NEW.published - OLD.published;
END;
CREATE TABLE packStickers (
    pack TEXT PRIMARY KEY,
    stickers INTEGER NOT NULL,
    photos INTEGER NOT NULL,
    bytes INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TRIGGER packStickersIn AFTER INSERT ON sticker WHEN NEW.published BEGIN
    INSERT INTO packStickers VALUES (NEW.pack, 1, NEW.ordinal = 0, NEW.bytes)
        ON CONFLICT(pack) DO UPDATE SET stickers = stickers + 1, photos = photos + (NEW.ordinal = 0),
            bytes = bytes + NEW.bytes;
END;
CREATE TRIGGER packStickersOut AFTER DELETE ON sticker WHEN OLD.published BEGIN
    UPDATE packStickers SET stickers = stickers - 1, photos = photos - (OLD.ordinal = 0), bytes = bytes - OLD.bytes
        WHERE pack = OLD.pack;
END;
CREATE TRIGGER packStickersMove AFTER UPDATE OF pack, ordinal, published, bytes ON sticker
    WHEN OLD.pack <> NEW.pack OR OLD.ordinal <> NEW.ordinal OR OLD.published <> NEW.published OR OLD.bytes <> NEW.bytes BEGIN
    UPDATE packStickers SET stickers = stickers - 1, photos = photos - (OLD.ordinal = 0), bytes = bytes - OLD.bytes
        WHERE pack = OLD.pack AND OLD.published;
    INSERT INTO packStickers VALUES (
            NEW.pack, NEW.published, NEW.published AND NEW.ordinal = 0, NEW.published * NEW.bytes)
        ON CONFLICT(pack) DO UPDATE SET stickers = stickers + excluded.stickers, photos = photos + excluded.photos,
            bytes = bytes + excluded.bytes;
END;

-- MARK: - Pages: parts of a large pack's index (`PackPage`)

-- A pack has no rows here, or they divide its whole order of arrival: each covers the stickers from arrival `first` up to the
-- next page's. `stickers` counts those that are published now. `version` is incremented by each change of one of them, in the
-- same transaction; `written` is the version in the page's file, -1 if it has none, and `listed` the number of stickers in it.
CREATE TABLE page (
    pack TEXT NOT NULL,
    first INTEGER NOT NULL,
    number INTEGER NOT NULL,
    stickers INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    written INTEGER NOT NULL DEFAULT -1,
    listed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (pack, first)
) WITHOUT ROWID;
CREATE INDEX pageDue ON page(pack, first) WHERE written <> version;
CREATE TRIGGER pageIn AFTER INSERT ON sticker WHEN NEW.published BEGIN
    UPDATE page SET stickers = stickers + 1, version = version + 1
        WHERE pack = NEW.pack AND first = (
            SELECT MAX(first) FROM page WHERE pack = NEW.pack AND first <= NEW.arrival);
END;
CREATE TRIGGER pageOut AFTER DELETE ON sticker WHEN OLD.published BEGIN
    UPDATE page SET stickers = stickers - 1, version = version + 1
        WHERE pack = OLD.pack AND first = (
            SELECT MAX(first) FROM page WHERE pack = OLD.pack AND first <= OLD.arrival);
END;
CREATE TRIGGER pageMove
    AFTER UPDATE OF photo, ordinal, recipe, file, width, height, bytes, confidence, foundBy, added, published, thumbnail,
        stem
    ON sticker WHEN (OLD.published OR NEW.published) AND OLD.pack = NEW.pack AND OLD.arrival = NEW.arrival BEGIN
    UPDATE page SET stickers = stickers + NEW.published - OLD.published, version = version + 1
        WHERE pack = NEW.pack AND first = (
            SELECT MAX(first) FROM page WHERE pack = NEW.pack AND first <= NEW.arrival);
END;
CREATE TRIGGER pageMoveAway AFTER UPDATE OF pack, arrival ON sticker
    WHEN (OLD.published OR NEW.published) AND (OLD.pack <> NEW.pack OR OLD.arrival <> NEW.arrival) BEGIN
    UPDATE page SET stickers = stickers - OLD.published, version = version + 1
        WHERE pack = OLD.pack AND first = (
            SELECT MAX(first) FROM page WHERE pack = OLD.pack AND first <= OLD.arrival);
    UPDATE page SET stickers = stickers + NEW.published, version = version + 1
        WHERE pack = NEW.pack AND first = (
            SELECT MAX(first) FROM page WHERE pack = NEW.pack AND first <= NEW.arrival);
END;
-- `+` keeps SQLite from finding a photo's stickers by their recipe, which all stickers may have.
CREATE TRIGGER pageColors AFTER INSERT ON result BEGIN
    UPDATE page SET version = version + 1 WHERE (pack, first) IN (
        SELECT sticker.pack, (
            SELECT MAX(other.first) FROM page AS other
            WHERE other.pack = sticker.pack AND other.first <= sticker.arrival)
        FROM sticker WHERE photo = NEW.photo AND +recipe = NEW.recipe AND published);
END;
CREATE TRIGGER pageColorsMove AFTER UPDATE OF photo, recipe, colors, subjectColors ON result BEGIN
    UPDATE page SET version = version + 1 WHERE (pack, first) IN (
        SELECT sticker.pack, (
            SELECT MAX(other.first) FROM page AS other
            WHERE other.pack = sticker.pack AND other.first <= sticker.arrival)
        FROM sticker WHERE photo IN (OLD.photo, NEW.photo) AND +recipe IN (OLD.recipe, NEW.recipe) AND published);
END;

-- MARK: - Packs to look at

-- Packs of which a fact has changed that their files may show. A transaction ends by emptying it (`takeChangedPacks`).
CREATE TABLE changedPack (pack TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TRIGGER shownFileIn AFTER INSERT ON file WHEN NEW.state NOT IN ('done', 'duplicate', 'ignored') BEGIN
    INSERT INTO changedPack SELECT NEW.pack WHERE NOT EXISTS (SELECT 1 FROM changedPack WHERE pack = NEW.pack);
END;
CREATE TRIGGER shownFileOut AFTER DELETE ON file WHEN OLD.state NOT IN ('done', 'duplicate', 'ignored') BEGIN
    INSERT INTO changedPack SELECT OLD.pack WHERE NOT EXISTS (SELECT 1 FROM changedPack WHERE pack = OLD.pack);
END;
-- A claim changes nothing that is shown, nor does the hash of a photo that has no result yet.
CREATE TRIGGER shownFileMove AFTER UPDATE OF path, pack, state, reason, photo, presence, failure, arrival ON file
    WHEN (OLD.state NOT IN ('done', 'duplicate', 'ignored') OR NEW.state NOT IN ('done', 'duplicate', 'ignored'))
        AND ((iif(OLD.state = 'processing', 'pending', OLD.state), OLD.path, OLD.pack, OLD.reason, OLD.arrival)
                IS NOT (iif(NEW.state = 'processing', 'pending', NEW.state), NEW.path, NEW.pack, NEW.reason, NEW.arrival)
            OR ((OLD.photo, OLD.presence, OLD.failure) IS NOT (NEW.photo, NEW.presence, NEW.failure)
                AND EXISTS (SELECT 1 FROM result WHERE photo IN (OLD.photo, NEW.photo)))) BEGIN
    INSERT INTO changedPack SELECT OLD.pack WHERE NOT EXISTS (SELECT 1 FROM changedPack WHERE pack = OLD.pack);
    INSERT INTO changedPack SELECT NEW.pack WHERE NOT EXISTS (SELECT 1 FROM changedPack WHERE pack = NEW.pack);
END;
CREATE TRIGGER shownStickerIn AFTER INSERT ON sticker WHEN NEW.published BEGIN
    INSERT INTO changedPack SELECT NEW.pack WHERE NOT EXISTS (SELECT 1 FROM changedPack WHERE pack = NEW.pack);
END;
CREATE TRIGGER shownStickerOut AFTER DELETE ON sticker WHEN OLD.published BEGIN
    INSERT INTO changedPack SELECT OLD.pack WHERE NOT EXISTS (SELECT 1 FROM changedPack WHERE pack = OLD.pack);
END;
-- Not of `listed`, which the record of an index changes.
CREATE TRIGGER shownStickerMove AFTER UPDATE OF pack, photo, ordinal, recipe, arrival, file, thumbnail, stem, width, height,
        bytes, sha256, confidence, foundBy, added, published
    ON sticker WHEN OLD.published OR NEW.published BEGIN
    INSERT INTO changedPack SELECT OLD.pack WHERE NOT EXISTS (SELECT 1 FROM changedPack WHERE pack = OLD.pack);
    INSERT INTO changedPack SELECT NEW.pack WHERE NOT EXISTS (SELECT 1 FROM changedPack WHERE pack = NEW.pack);
END;
CREATE TRIGGER shownRemovedIn AFTER INSERT ON removed BEGIN
    INSERT INTO changedPack SELECT NEW.pack WHERE NOT EXISTS (SELECT 1 FROM changedPack WHERE pack = NEW.pack);
END;
CREATE TRIGGER shownRemovedOut AFTER DELETE ON removed BEGIN
    INSERT INTO changedPack SELECT OLD.pack WHERE NOT EXISTS (SELECT 1 FROM changedPack WHERE pack = OLD.pack);
END;
CREATE TRIGGER shownWithdrawn AFTER INSERT ON withdrawn BEGIN
    INSERT INTO changedPack SELECT NEW.pack WHERE NOT EXISTS (SELECT 1 FROM changedPack WHERE pack = NEW.pack);
END;
CREATE TRIGGER shownPaletteIn AFTER INSERT ON palette BEGIN
    INSERT INTO changedPack SELECT NEW.pack WHERE NOT EXISTS (SELECT 1 FROM changedPack WHERE pack = NEW.pack);
END;
CREATE TRIGGER shownPaletteMove AFTER UPDATE OF pack, due ON palette WHEN NEW.due > OLD.due OR NEW.pack <> OLD.pack BEGIN
    INSERT INTO changedPack SELECT OLD.pack WHERE NOT EXISTS (SELECT 1 FROM changedPack WHERE pack = OLD.pack);
    INSERT INTO changedPack SELECT NEW.pack WHERE NOT EXISTS (SELECT 1 FROM changedPack WHERE pack = NEW.pack);
END;
CREATE TRIGGER shownPaletteOut AFTER DELETE ON palette BEGIN
    INSERT INTO changedPack SELECT OLD.pack WHERE NOT EXISTS (SELECT 1 FROM changedPack WHERE pack = OLD.pack);
END;
CREATE TRIGGER shownResultIn AFTER INSERT ON result BEGIN
    INSERT INTO changedPack SELECT pack FROM (
            SELECT pack FROM sticker WHERE photo = NEW.photo AND published UNION
            SELECT pack FROM file WHERE photo = NEW.photo AND state IN ('pending', 'processing', 'failed', 'noSubject')
        ) AS shown WHERE NOT EXISTS (SELECT 1 FROM changedPack WHERE pack = shown.pack);
END;
CREATE TRIGGER shownResultMove AFTER UPDATE OF photo, recipe, colors, subjectColors, finished ON result BEGIN
    INSERT INTO changedPack SELECT pack FROM (
            SELECT pack FROM sticker WHERE photo IN (OLD.photo, NEW.photo) AND published UNION
            SELECT pack FROM file WHERE photo IN (OLD.photo, NEW.photo)
                AND state IN ('pending', 'processing', 'failed', 'noSubject')
        ) AS shown WHERE NOT EXISTS (SELECT 1 FROM changedPack WHERE pack = shown.pack);
END;

-- MARK: - The ledger: what stickerd wrote into the outbox (`LedgerEntry`)

-- `file` is relative to the pack's folder, `part` the part of the pack that plans it (`LedgerPart`), `key` the digest of what it
-- was written from. `bytes` and `modified` (nanoseconds since 1970) are its status as written; NULL if it is about to be
-- written, or was found to be missing or another. `unwanted` ones are to be removed.
CREATE TABLE ledger (
    pack TEXT NOT NULL,
    file TEXT NOT NULL,
    part TEXT NOT NULL,
    key TEXT NOT NULL,
    bytes INTEGER,
    modified INTEGER,
    unwanted INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (pack, file)
) WITHOUT ROWID;
CREATE INDEX ledgerByPart ON ledger(pack, part);
CREATE INDEX ledgerUnwanted ON ledger(pack) WHERE unwanted;
