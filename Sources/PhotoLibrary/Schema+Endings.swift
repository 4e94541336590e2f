extension Schema {
    /// `suspect` is a file that stopped its worker or the daemon, or may have; it counts as long as the file has this
    /// `arrival`. `turn` is its place in the queue: it is tried when nothing that came before `turn` waits any more.
    ///
    /// `original` is what is to happen, or has happened, to a file whose work is done: written down before it is
    /// begun. `target` is where it goes, escaped, in full. `replaced` is a photo whose name another has taken, or that
    /// was moved to another pack.
    ///
    /// The triggers hold for whoever changes `file`: its story begins when it is first seen and ends with it.
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

    /// `fileAnew` for a photo that was replaced before and is still to be withdrawn. `OR IGNORE` does not help: what the
    /// statement that fires a trigger says about conflicts, as an upsert does, counts instead
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
}
