package import GRDB

/// Statements that run for each photo or each index. SQLite compiles a statement together with all triggers that it may
/// fire, which takes longer than running it, so the connection keeps these compiled.
///
/// The text must be constant, because each text is kept until the connection is closed.
extension Database {
    /// As `execute(sql:arguments:)`, for one statement.
    package func execute(cached sql: String, arguments: StatementArguments = StatementArguments()) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Whether a query finds a row.
    package func hasRow(cached sql: String, arguments: StatementArguments) throws -> Bool {
        try Row.fetchOne(self, cached: sql, arguments: arguments) != nil
    }
}

extension FetchableRecord {
    /// As `fetchOne(_:sql:arguments:)`.
    package static func fetchOne(
        _ database: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        try fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    }

    /// As `fetchAll(_:sql:arguments:)`.
    package static func fetchAll(
        _ database: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
    }
}

extension Row {
    /// As `fetchOne(_:sql:arguments:)`.
    package static func fetchOne(
        _ database: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Row? {
        try fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    }

    /// As `fetchAll(_:sql:arguments:)`.
    package static func fetchAll(
        _ database: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Row] {
        try fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
    }
}

/// Only for types that SQLite's columns can be read as: of others, GRDB makes a `DatabaseValue` first.
extension DatabaseValueConvertible where Self: StatementColumnConvertible {
    /// As `fetchOne(_:sql:arguments:)`.
    package static func fetchOne(
        _ database: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        try fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    }

    /// As `fetchAll(_:sql:arguments:)`.
    package static func fetchAll(
        _ database: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
    }
}
