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

extension DatabaseValueConvertible {
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

/// Without these, GRDB makes a `DatabaseValue` of each column first, even for types that it can read directly.
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
