package import SystemPackage

/// The outbox's file system refuses something: no fault of any photo's, and worth another try.
package struct OutboxError: Error, Sendable, CustomStringConvertible {
    /// The pack's folder.
    package let folder: FilePath
    package let cause: Errno

    package var description: String { "\(folder): cannot be written (\(cause))" }
}
