extension Schema {
    /// `inboxPlace` is the folder that was the inbox when it was last read, at `path`. Of files that lay in another one
    /// `device` is `PhotoLibrary.elsewhere`: that they are not in today's says nothing about them.
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
}
