/// Pages: parts of a large pack's index (see `PackPage`).
extension Schema {
    /// A pack has no rows in `page`, or they divide its whole order of arrival: each covers the stickers from arrival
    /// `first` up to the next page's. `stickers` counts those that are published now. `version` is incremented by each
    /// change of one of them; `written` is the version in the page's file, -1 if it has none. `listed`, `bytes`,
    /// `modified` (nanoseconds since 1970) and `sha256` describe that file. Triggers keep the first two, so that no
    /// crash forgets a change. `pack.lastPage` is the highest number that a page of the pack ever had.
    ///
    /// `packStickers.bytes` is the length of all published stickers of a pack.
    static let pages = """
        CREATE TABLE page (
            pack TEXT NOT NULL,
            first INTEGER NOT NULL,
            number INTEGER NOT NULL,
            stickers INTEGER NOT NULL,
            version INTEGER NOT NULL DEFAULT 1,
            written INTEGER NOT NULL DEFAULT -1,
            listed INTEGER NOT NULL DEFAULT 0,
            bytes INTEGER NOT NULL DEFAULT 0,
            modified INTEGER NOT NULL DEFAULT 0,
            sha256 TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (pack, first)
        ) WITHOUT ROWID;
        CREATE INDEX pageDue ON page(pack, first) WHERE written <> version;
        ALTER TABLE pack ADD COLUMN lastPage INTEGER NOT NULL DEFAULT 0;

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
            AFTER UPDATE OF photo, ordinal, recipe, file, width, height, bytes, confidence, added, published, thumbnail
            ON sticker WHEN OLD.published OR NEW.published BEGIN
            UPDATE page SET stickers = stickers + NEW.published - OLD.published, version = version + 1
                WHERE pack = NEW.pack AND first = (
                    SELECT MAX(first) FROM page WHERE pack = NEW.pack AND first <= NEW.arrival);
        END;
        CREATE TRIGGER pageColors AFTER INSERT ON result BEGIN
            UPDATE page SET version = version + 1 WHERE (pack, first) IN (
                SELECT sticker.pack, (
                    SELECT MAX(other.first) FROM page AS other
                    WHERE other.pack = sticker.pack AND other.first <= sticker.arrival)
                FROM sticker WHERE photo = NEW.photo AND recipe = NEW.recipe AND published);
        END;

        ALTER TABLE packStickers ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
        UPDATE packStickers SET bytes = coalesce(
            (SELECT SUM(bytes) FROM sticker WHERE sticker.pack = packStickers.pack AND published), 0);
        DROP TRIGGER packStickersIn;
        CREATE TRIGGER packStickersIn AFTER INSERT ON sticker WHEN NEW.published BEGIN
            INSERT INTO packStickers VALUES (NEW.pack, 1, NEW.ordinal = 0, NEW.bytes)
                ON CONFLICT(pack) DO UPDATE SET stickers = stickers + 1, photos = photos + (NEW.ordinal = 0),
                    bytes = bytes + NEW.bytes;
        END;
        DROP TRIGGER packStickersOut;
        CREATE TRIGGER packStickersOut AFTER DELETE ON sticker WHEN OLD.published BEGIN
            UPDATE packStickers SET stickers = stickers - 1, photos = photos - (OLD.ordinal = 0),
                bytes = bytes - OLD.bytes WHERE pack = OLD.pack;
        END;
        DROP TRIGGER packStickersMove;
        CREATE TRIGGER packStickersMove AFTER UPDATE OF published, bytes ON sticker
            WHEN OLD.published <> NEW.published OR OLD.bytes <> NEW.bytes BEGIN
            INSERT INTO packStickers VALUES (
                    NEW.pack, NEW.published, NEW.published AND NEW.ordinal = 0, NEW.published * NEW.bytes)
                ON CONFLICT(pack) DO UPDATE SET stickers = stickers + NEW.published - OLD.published,
                    photos = photos + (NEW.ordinal = 0) * (NEW.published - OLD.published),
                    bytes = bytes + NEW.published * NEW.bytes - OLD.published * OLD.bytes;
        END;
        """

    /// `scriptBytes`, `scriptModified` and `scriptSha256` describe the page's script for the gallery, as `bytes`,
    /// `modified` and `sha256` its file in the index; NULL if it has none.
    static let pageScripts = """
        ALTER TABLE page ADD COLUMN scriptBytes INTEGER;
        ALTER TABLE page ADD COLUMN scriptModified INTEGER;
        ALTER TABLE page ADD COLUMN scriptSha256 TEXT;
        """
}
