import GRDB
import SystemPackage

/// The tables, as a list of migrations. Never change or remove one; add new ones at the end.
enum Schema {
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(sql: first)
            // A Library without tables is the first one of its outbox, or has lost what the outbox still shows.
            try PhotoLibrary.setMeta(PhotoLibrary.rebuildKey, "1", in: database)
        }
        migrator.registerMigration("2") { database in
            try database.execute(sql: second)
        }
        migrator.registerMigration("3") { database in
            try database.execute(sql: third)
        }
        migrator.registerMigration("4") { database in
            try database.execute(sql: place)
        }
        migrator.registerMigration("5") { database in
            try database.execute(sql: endings)
        }
        migrator.registerMigration("6") { database in
            try database.execute(sql: likeness)
        }
        migrator.registerMigration("7") { database in
            try database.execute(sql: replacedOnce)
        }
        migrator.registerMigration("8") { database in
            try database.execute(sql: lookalike)
        }
        migrator.registerMigration("10") { database in
            try foldNames(in: database)
        }
        migrator.registerMigration("11") { database in
            try database.execute(sql: growth)
        }
        migrator.registerMigration("12") { database in
            try database.execute(sql: arrivalsOnce)
        }
        migrator.registerMigration("13") { database in
            try database.execute(sql: flatLikeness)
        }
        migrator.registerMigration("14") { database in
            try database.execute(sql: pages)
        }
        migrator.registerMigration("15") { database in
            try database.execute(sql: replacedInEachPack)
        }
        migrator.registerMigration("16") { database in
            try database.execute(sql: pageScripts)
        }
        migrator.registerMigration("18") { database in
            try database.execute(sql: moves)
        }
        migrator.registerMigration("19") { database in
            try database.execute(sql: removals)
        }
        migrator.registerMigration("20") { database in
            try database.execute(sql: stems)
        }
        migrator.registerMigration("21") { database in
            try database.execute(sql: recipes)
        }
        migrator.registerMigration("23") { database in
            try database.execute(sql: newStems)
        }
        migrator.registerMigration("24") { database in
            try database.execute(sql: colorsByPhoto)
        }
        migrator.registerMigration("25") { database in
            try database.execute(sql: rounds)
        }
        return migrator
    }()

    /// Migrates a Library, unless it is newer than this release: `LibraryError.Code.newer`.
    static func prepare(_ database: DatabaseQueue, in folder: FilePath) throws {
        if try database.read({ try migrator.hasBeenSuperseded($0) }) {
            throw LibraryError(
                .newer, "\(folder): this Library was written by a newer stickerd; install that release again")
        }
        try migrator.migrate(database)
    }

    /// `colors` now holds samples, from which schemes of any size can be made; it held finished schemes, which
    /// `stickerd remake` replaces. `palette` has the stem of a photo's palette files in a pack, and the formats
    /// `written`; they are `due` if they may have to change, and `gone` if they are to be removed.
    private static let third = """
        UPDATE result SET colors = NULL;
        ALTER TABLE result ADD COLUMN subjectColors TEXT;
        ALTER TABLE sticker ADD COLUMN thumbnail TEXT;
        CREATE TABLE palette (
            pack TEXT NOT NULL,
            photo TEXT NOT NULL,
            stem TEXT NOT NULL,
            written TEXT NOT NULL DEFAULT '',
            due INTEGER NOT NULL DEFAULT 1,
            gone INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (pack, photo),
            UNIQUE (pack, stem)
        ) WITHOUT ROWID;
        CREATE INDEX paletteDue ON palette(pack) WHERE due;
        CREATE INDEX fileWithoutSubject ON file(pack, arrival) WHERE state = 'noSubject';
        """

    /// `stale` stickers are to be remade while the old ones stay; `withdrawn` files are to be removed from the outbox once
    /// the index without them is written.
    private static let second = """
        ALTER TABLE sticker ADD COLUMN stale INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE withdrawn (pack TEXT NOT NULL, file TEXT NOT NULL, PRIMARY KEY (pack, file)) WITHOUT ROWID;
        """

    /// `file` is a path in the inbox with its state; `photo` is an image, by its SHA-256; `result` is what a recipe
    /// made of a photo; `sticker` is a file in the outbox. Paths are escaped text (see `InboxPath`); '' is the inbox's
    /// root.
    private static let first = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

        CREATE TABLE photo (
            sha256 TEXT PRIMARY KEY,
            format TEXT,
            width INTEGER,
            height INTEGER,
            bytes INTEGER NOT NULL,
            firstSeen DATETIME NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE file (
            id INTEGER PRIMARY KEY,
            path TEXT NOT NULL UNIQUE,
            folder TEXT NOT NULL,
            pack TEXT NOT NULL,
            device INTEGER NOT NULL,
            inode INTEGER NOT NULL,
            size INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            changed INTEGER NOT NULL,
            arrival INTEGER NOT NULL,
            state TEXT NOT NULL,
            reason TEXT,
            photo TEXT REFERENCES photo(sha256),
            attempts INTEGER NOT NULL DEFAULT 0,
            stateSince DATETIME NOT NULL
        );
        CREATE INDEX fileByFolder ON file(folder);
        CREATE INDEX fileByPhoto ON file(photo) WHERE photo IS NOT NULL;
        CREATE INDEX fileByArrival ON file(arrival);
        CREATE INDEX filePending ON file(arrival) WHERE state = 'pending';
        CREATE INDEX fileInHand ON file(id) WHERE state = 'processing';
        CREATE INDEX fileUnfinished ON file(pack, arrival) WHERE state IN ('pending', 'processing', 'failed');

        CREATE TABLE recipe (id TEXT PRIMARY KEY, content TEXT NOT NULL, since DATETIME NOT NULL) WITHOUT ROWID;

        CREATE TABLE result (
            photo TEXT NOT NULL REFERENCES photo(sha256),
            recipe TEXT NOT NULL REFERENCES recipe(id),
            outcome TEXT NOT NULL,
            reason TEXT,
            confidence REAL,
            colors TEXT,
            finished DATETIME NOT NULL,
            PRIMARY KEY (photo, recipe)
        ) WITHOUT ROWID;

        CREATE TABLE attempt (
            id INTEGER PRIMARY KEY,
            file INTEGER NOT NULL,
            photo TEXT,
            recipe TEXT,
            started DATETIME NOT NULL,
            finished DATETIME,
            outcome TEXT
        );
        CREATE INDEX attemptByFile ON attempt(file);

        CREATE TABLE pack (
            name TEXT PRIMARY KEY,
            folder TEXT NOT NULL UNIQUE,
            revision INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID;

        CREATE TABLE sticker (
            id INTEGER PRIMARY KEY,
            pack TEXT NOT NULL REFERENCES pack(name),
            photo TEXT NOT NULL REFERENCES photo(sha256),
            ordinal INTEGER NOT NULL,
            source INTEGER NOT NULL,
            recipe TEXT NOT NULL REFERENCES recipe(id),
            arrival INTEGER NOT NULL,
            file TEXT NOT NULL,
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            sha256 TEXT NOT NULL,
            confidence REAL NOT NULL,
            added DATETIME NOT NULL,
            published INTEGER NOT NULL,
            UNIQUE (pack, file),
            UNIQUE (photo, pack, ordinal)
        );
        CREATE INDEX stickerByOrder ON sticker(pack, arrival, ordinal) WHERE published;

        -- How many files are in each state, kept by triggers: asking costs the same with ten files and a million.
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
        """
}
