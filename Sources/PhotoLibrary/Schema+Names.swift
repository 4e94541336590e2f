import GRDB

extension Schema {
    /// `folded` is the folder's name as `FoldedName` has it, so that no two packs get folders that a file system could
    /// take for one. Packs of earlier releases may have such: the index is not unique.
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
