extension Schema {
    /// `stem` is the escaped name of the photo's file without extension (`InboxPath.stem`). It is NULL if the file is
    /// unknown, or if the sticker's own name is only digits: then the settings keep the photo's name out of the outbox.
    ///
    /// `rtrim` with all characters but the last slash or dot leaves what ends with that one.
    static let stems = """
        ALTER TABLE sticker ADD COLUMN stem TEXT;
        UPDATE sticker SET stem = (
            SELECT iif(length(start) > 1, substr(start, 1, length(start) - 1), name) FROM (
                SELECT name, rtrim(name, replace(name, '.', '')) AS start FROM (
                    SELECT substr(path, length(rtrim(path, replace(path, '/', ''))) + 1) AS name
                    FROM file WHERE file.id = sticker.source AND file.photo = sticker.photo)))
            WHERE file NOT LIKE substr(photo, 1, 8) || '%';
        """

    /// A new stem changes the sticker's entry in the index, too.
    static let newStems = """
        DROP TRIGGER pageMove;
        CREATE TRIGGER pageMove
            AFTER UPDATE OF
                photo, ordinal, recipe, file, width, height, bytes, confidence, added, published, thumbnail, stem
            ON sticker WHEN OLD.published OR NEW.published BEGIN
            UPDATE page SET stickers = stickers + NEW.published - OLD.published, version = version + 1
                WHERE pack = NEW.pack AND first = (
                    SELECT MAX(first) FROM page WHERE pack = NEW.pack AND first <= NEW.arrival);
        END;
        """
}
