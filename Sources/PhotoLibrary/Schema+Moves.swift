/// Photos that move between packs, and stickers that are removed.
extension Schema {
    /// `replaced.moved` is 1 if the file's own photo was moved out of the pack: its sticker there is withdrawn even if
    /// stickers of removed photos stay.
    static let moves = """
        DROP TRIGGER fileAnew;
        ALTER TABLE replaced ADD COLUMN moved INTEGER NOT NULL DEFAULT 0;
        CREATE TRIGGER fileAnew AFTER UPDATE OF arrival ON file WHEN OLD.arrival <> NEW.arrival BEGIN
            UPDATE file SET seen = NEW.stateSince WHERE id = NEW.id;
            INSERT INTO replaced (file, photo, pack) SELECT OLD.id, OLD.photo, OLD.pack
                WHERE OLD.photo IS NOT NULL AND OLD.state <> 'failed' AND OLD.device <> 0
                    AND NOT EXISTS (SELECT 1 FROM original WHERE file = OLD.id AND arrival = OLD.arrival)
                    AND NOT EXISTS (
                        SELECT 1 FROM replaced WHERE file = OLD.id AND photo = OLD.photo AND pack = OLD.pack);
        END;
        CREATE INDEX fileGonePhoto ON file(photo, leftAt) WHERE leftAt IS NOT NULL;
        """

    /// `removed` is a sticker that a user has removed for good; `file` is the name that it had in the pack's folder.
    static let removals = """
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
        """
}
