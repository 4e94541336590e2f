import GRDB

/// The migrations after the third.
extension Schema {
    /// `inboxPlace` is the folder that `path` led to when the inbox was last read. Files of a former inbox have the
    /// `device` `PhotoLibrary.elsewhere`: their absence from the current one does not mean that they were removed.
    static let place = """
        CREATE TABLE inboxPlace (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            path TEXT NOT NULL,
            device INTEGER NOT NULL,
            inode INTEGER NOT NULL,
            fileSystem INTEGER NOT NULL,
            since DATETIME NOT NULL
        );
        CREATE INDEX fileByInode ON file(inode);
        """

    /// `suspect` and `original` are documented at their records. An `original` is recorded before the file is moved or
    /// removed; `target` is absolute and escaped. `replaced` is a photo whose name another has taken, or that was moved
    /// to another pack.
    ///
    /// The triggers keep a file's history: it begins when the file is first seen and ends with its row.
    static let endings = """
        CREATE TABLE suspect (
            file INTEGER PRIMARY KEY,
            arrival INTEGER NOT NULL,
            deaths INTEGER NOT NULL,
            turn INTEGER NOT NULL
        );

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
            finished DATETIME,
            outcome TEXT,
            PRIMARY KEY (file, arrival)
        ) WITHOUT ROWID;
        CREATE INDEX originalDue ON original(tried, file) WHERE finished IS NULL;

        CREATE TABLE replaced (
            file INTEGER NOT NULL,
            photo TEXT NOT NULL,
            pack TEXT NOT NULL,
            PRIMARY KEY (file, photo)
        ) WITHOUT ROWID;

        ALTER TABLE attempt ADD COLUMN detail TEXT;
        ALTER TABLE file ADD COLUMN seen DATETIME;
        UPDATE file SET seen = stateSince;
        CREATE TRIGGER fileSeen AFTER INSERT ON file BEGIN
            UPDATE file SET seen = NEW.stateSince WHERE id = NEW.id;
        END;
        CREATE TRIGGER fileAnew AFTER UPDATE OF arrival ON file WHEN OLD.arrival <> NEW.arrival BEGIN
            UPDATE file SET seen = NEW.stateSince WHERE id = NEW.id;
            INSERT OR IGNORE INTO replaced SELECT OLD.id, OLD.photo, OLD.pack
                WHERE OLD.photo IS NOT NULL AND OLD.state <> 'failed' AND OLD.device <> 0
                    AND NOT EXISTS (SELECT 1 FROM original WHERE file = OLD.id AND arrival = OLD.arrival);
        END;
        CREATE TRIGGER fileOut AFTER DELETE ON file BEGIN
            DELETE FROM attempt WHERE file = OLD.id;
            DELETE FROM suspect WHERE file = OLD.id;
            DELETE FROM original WHERE file = OLD.id;
            DELETE FROM replaced WHERE file = OLD.id;
        END;
        """

    /// `fileAnew` without a conflict if the photo is in `replaced` already. `OR IGNORE` does not help: the conflict clause
    /// of the statement that fires the trigger, here an upsert, overrides it
    /// (https://sqlite.org/lang_createtrigger.html).
    static let replacedOnce = """
        DROP TRIGGER fileAnew;
        CREATE TRIGGER fileAnew AFTER UPDATE OF arrival ON file WHEN OLD.arrival <> NEW.arrival BEGIN
            UPDATE file SET seen = NEW.stateSince WHERE id = NEW.id;
            INSERT INTO replaced SELECT OLD.id, OLD.photo, OLD.pack
                WHERE OLD.photo IS NOT NULL AND OLD.state <> 'failed' AND OLD.device <> 0
                    AND NOT EXISTS (SELECT 1 FROM original WHERE file = OLD.id AND arrival = OLD.arrival)
                    AND NOT EXISTS (SELECT 1 FROM replaced WHERE file = OLD.id AND photo = OLD.photo);
        END;
        """

    /// `likeness` is a photo's perceptual hash (see `PerceptualHash`). The index for it was dropped later (`flatLikeness`).
    static let likeness = """
        CREATE TABLE likeness (
            id INTEGER PRIMARY KEY,
            photo TEXT NOT NULL UNIQUE REFERENCES photo(sha256) ON DELETE CASCADE,
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            leader INTEGER NOT NULL,
            distance INTEGER NOT NULL
        );
        CREATE INDEX likenessByLeader ON likeness(leader, id);
        CREATE TABLE likenessBand (
            band INTEGER NOT NULL,
            likeness INTEGER NOT NULL REFERENCES likeness(id) ON DELETE CASCADE,
            PRIMARY KEY (band, likeness)
        ) WITHOUT ROWID;
        """

    /// `lookalike` is a file that was skipped as a near-duplicate of `photo`, which had a sticker in this pack. When that
    /// sticker is withdrawn, the file is requeued.
    static let lookalike = """
        CREATE TABLE lookalike (
            file INTEGER PRIMARY KEY,
            photo TEXT NOT NULL,
            pack TEXT NOT NULL
        );
        CREATE INDEX lookalikeOf ON lookalike(photo, pack);
        CREATE TRIGGER lookalikeOut AFTER DELETE ON file BEGIN
            DELETE FROM lookalike WHERE file = OLD.id;
        END;
        """

    /// `folded` is the folder's `FoldedName`, so that no two packs get folders that a file system could treat as one.
    /// The index is not unique, because earlier releases may have made such folders.
    static func foldNames(in database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE pack ADD COLUMN folded TEXT;
                CREATE INDEX packByFolded ON pack(folded);
                """)
        for row in try Row.fetchAll(database, sql: "SELECT name, folder FROM pack") {
            let (name, folder): (String, String) = (row["name"], row["folder"])
            try database.execute(
                sql: "UPDATE pack SET folded = ? WHERE name = ?", arguments: [FoldedName(folder).text, name])
        }
    }

    /// Keeps the cost of calls independent of the number of files.
    ///
    /// `packTally` and `packStickers` count per pack, as `tally` does for all: `photos` are those with a published
    /// sticker. SQLite uses a partial index only if the query repeats its condition word for word.
    ///
    /// `leftAt` is when a file left the inbox: stickerd moved or removed it, others took it out, or the inbox was
    /// replaced. It is NULL while the file is in the inbox. Rescans read only those files.
    static let growth = """
        CREATE TABLE packTally (
            pack TEXT NOT NULL,
            state TEXT NOT NULL,
            files INTEGER NOT NULL,
            PRIMARY KEY (pack, state)
        ) WITHOUT ROWID;
        INSERT INTO packTally SELECT pack, state, COUNT(*) FROM file GROUP BY pack, state;
        CREATE TRIGGER packTallyIn AFTER INSERT ON file BEGIN
            INSERT INTO packTally VALUES (NEW.pack, NEW.state, 1)
                ON CONFLICT(pack, state) DO UPDATE SET files = files + 1;
        END;
        CREATE TRIGGER packTallyOut AFTER DELETE ON file BEGIN
            UPDATE packTally SET files = files - 1 WHERE pack = OLD.pack AND state = OLD.state;
        END;
        CREATE TRIGGER packTallyMove AFTER UPDATE OF state, pack ON file
            WHEN OLD.state <> NEW.state OR OLD.pack <> NEW.pack BEGIN
            UPDATE packTally SET files = files - 1 WHERE pack = OLD.pack AND state = OLD.state;
            INSERT INTO packTally VALUES (NEW.pack, NEW.state, 1)
                ON CONFLICT(pack, state) DO UPDATE SET files = files + 1;
        END;

        CREATE TABLE packStickers (
            pack TEXT PRIMARY KEY,
            stickers INTEGER NOT NULL,
            photos INTEGER NOT NULL
        ) WITHOUT ROWID;
        INSERT INTO packStickers SELECT pack, SUM(published), SUM(published AND ordinal = 0) FROM sticker GROUP BY pack;
        CREATE TRIGGER packStickersIn AFTER INSERT ON sticker WHEN NEW.published BEGIN
            INSERT INTO packStickers VALUES (NEW.pack, 1, NEW.ordinal = 0)
                ON CONFLICT(pack) DO UPDATE SET stickers = stickers + 1, photos = photos + (NEW.ordinal = 0);
        END;
        CREATE TRIGGER packStickersOut AFTER DELETE ON sticker WHEN OLD.published BEGIN
            UPDATE packStickers SET stickers = stickers - 1, photos = photos - (OLD.ordinal = 0) WHERE pack = OLD.pack;
        END;
        CREATE TRIGGER packStickersMove AFTER UPDATE OF published ON sticker WHEN OLD.published <> NEW.published BEGIN
            INSERT INTO packStickers VALUES (NEW.pack, NEW.published, NEW.published AND NEW.ordinal = 0)
                ON CONFLICT(pack) DO UPDATE SET stickers = stickers + NEW.published - OLD.published,
                    photos = photos + (NEW.ordinal = 0) * (NEW.published - OLD.published);
        END;

        ALTER TABLE file ADD COLUMN leftAt DATETIME;
        UPDATE file SET leftAt = coalesce(
            (SELECT finished FROM original WHERE file = file.id AND arrival = file.arrival),
            iif(device = 0, strftime('%Y-%m-%d %H:%M:%f', 'now'), NULL));
        CREATE TRIGGER fileMovedAway AFTER UPDATE OF finished ON original WHEN NEW.finished IS NOT NULL BEGIN
            UPDATE file SET leftAt = NEW.finished WHERE id = NEW.file AND arrival = NEW.arrival;
        END;
        CREATE TRIGGER fileLeft AFTER UPDATE OF device ON file WHEN NEW.device = 0 AND OLD.leftAt IS NULL BEGIN
            UPDATE file SET leftAt = strftime('%Y-%m-%d %H:%M:%f', 'now') WHERE id = NEW.id;
        END;
        CREATE TRIGGER fileBack AFTER UPDATE OF device, arrival ON file
            WHEN OLD.leftAt IS NOT NULL AND (OLD.arrival <> NEW.arrival OR OLD.device = 0 AND NEW.device <> 0) BEGIN
            UPDATE file SET leftAt = NULL WHERE id = NEW.id;
        END;

        DROP INDEX fileByFolder;
        CREATE INDEX fileHere ON file(folder) WHERE leftAt IS NULL;
        CREATE INDEX fileGone ON file(leftAt) WHERE leftAt IS NOT NULL;
        DROP INDEX fileByPhoto;
        CREATE INDEX fileByPhoto ON file(photo, pack, state, arrival) WHERE photo IS NOT NULL;
        DROP INDEX fileInHand;
        CREATE INDEX fileInHand ON file(arrival) WHERE state = 'processing';
        DROP INDEX fileUnfinished;
        CREATE INDEX fileWaiting ON file(pack, arrival) WHERE state IN ('pending', 'processing');
        CREATE INDEX fileToRemake ON file(pack, photo)
            WHERE state IN ('pending', 'processing') AND photo IS NOT NULL;
        CREATE INDEX fileFailed ON file(pack, arrival) WHERE state = 'failed';
        CREATE INDEX attemptOpen ON attempt(file) WHERE finished IS NULL;
        CREATE INDEX suspectByTurn ON suspect(turn, arrival);
        CREATE INDEX paletteUnwanted ON palette(pack) WHERE due AND written <> '';
        CREATE INDEX stickerByThumbnail ON sticker(pack, thumbnail) WHERE thumbnail IS NOT NULL;
        CREATE INDEX stickerBySource ON sticker(source);
        CREATE INDEX originalPast ON original(finished) WHERE finished IS NOT NULL;
        """

    /// `meta.lastArrival` is the highest arrival number of a deleted row of `file`. The row's sticker may remain and
    /// keep the number, so no other file may get it. Earlier releases recorded it only when they deleted history; the
    /// highest number of a sticker makes up for that.
    static let arrivalsOnce = """
        INSERT INTO meta SELECT 'lastArrival', arrival FROM sticker WHERE true ORDER BY arrival DESC LIMIT 1
            ON CONFLICT(key) DO UPDATE SET value = excluded.value
            WHERE CAST(excluded.value AS INTEGER) > CAST(value AS INTEGER);
        DROP TRIGGER fileOut;
        CREATE TRIGGER fileOut AFTER DELETE ON file BEGIN
            INSERT INTO meta VALUES ('lastArrival', OLD.arrival)
                ON CONFLICT(key) DO UPDATE SET value = excluded.value
                WHERE CAST(excluded.value AS INTEGER) > CAST(value AS INTEGER);
            DELETE FROM attempt WHERE file = OLD.id;
            DELETE FROM suspect WHERE file = OLD.id;
            DELETE FROM original WHERE file = OLD.id;
            DELETE FROM replaced WHERE file = OLD.id;
        END;
        """

    /// All perceptual hashes are compared in memory, without an index.
    static let flatLikeness = """
        DROP TABLE likenessBand;
        DROP INDEX likenessByLeader;
        ALTER TABLE likeness DROP COLUMN leader;
        ALTER TABLE likeness DROP COLUMN distance;
        """

    /// A photo may be replaced in several packs: where it was moved twice before its sticker was made. `replaced` is
    /// made again instead of renamed, because triggers refer to it.
    static let replacedInEachPack = """
        CREATE TABLE formerlyReplaced AS SELECT file, photo, pack FROM replaced;
        DROP TABLE replaced;
        CREATE TABLE replaced (
            file INTEGER NOT NULL,
            photo TEXT NOT NULL,
            pack TEXT NOT NULL,
            PRIMARY KEY (file, photo, pack)
        ) WITHOUT ROWID;
        INSERT INTO replaced SELECT file, photo, pack FROM formerlyReplaced;
        DROP TABLE formerlyReplaced;
        DROP TRIGGER fileAnew;
        CREATE TRIGGER fileAnew AFTER UPDATE OF arrival ON file WHEN OLD.arrival <> NEW.arrival BEGIN
            UPDATE file SET seen = NEW.stateSince WHERE id = NEW.id;
            INSERT INTO replaced SELECT OLD.id, OLD.photo, OLD.pack
                WHERE OLD.photo IS NOT NULL AND OLD.state <> 'failed' AND OLD.device <> 0
                    AND NOT EXISTS (SELECT 1 FROM original WHERE file = OLD.id AND arrival = OLD.arrival)
                    AND NOT EXISTS (
                        SELECT 1 FROM replaced WHERE file = OLD.id AND photo = OLD.photo AND pack = OLD.pack);
        END;
        """
}
