extension Schema {
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
}
