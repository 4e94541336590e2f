import GRDB

extension Schema {
    /// `folded` is the folder's `FoldedName`, so that no two packs get folders that a file system could treat as one.
    /// Earlier releases may have made such folders, so the index is not unique.
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
}
