extension Schema {
    /// `likeness` is what a photo looks like (`hash`, see `Likeness`), and the photo that was first in looking so:
    /// `leader`, which is itself where none was before. Only leaders are in `likenessBand`, so that ten thousand photos
    /// of one thing cost a look-up no more than one. `distance` is to the leader. Rows go with their photo.
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

    /// `lookalike` is a file that was skipped for looking like `photo`, which had a sticker in this pack: when that one
    /// is withdrawn, the file's turn comes.
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
}
