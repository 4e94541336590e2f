extension Schema {
    /// Keeps the cost of a call independent of the number of files.
    ///
    /// `packTally` and `packStickers` count per pack, as `tally` does for all: `photos` are those with a published
    /// sticker. SQLite uses a partial index only if the query repeats its condition word for word.
    ///
    /// `leftAt` is when a file left the inbox: stickerd moved or removed it, it was taken out, or it was in another
    /// inbox. It is NULL while the file is there. Rescans read only files that are there.
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
}
