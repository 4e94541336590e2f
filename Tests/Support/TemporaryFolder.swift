#if canImport(Glibc)
import Glibc
#endif
import Foundation
package import SystemPackage

/// A temporary folder for one test, removed with its contents when the last reference is gone.
package final class TemporaryFolder: Sendable {
    package let path: FilePath

    package init() throws {
        let template = FileManager.default.temporaryDirectory.path + "/stickerd-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: template, withIntermediateDirectories: true)
        path = FilePath(template)
    }

    deinit { try? FileManager.default.removeItem(atPath: path.string) }

    /// A file or folder inside.
    package subscript(_ name: String) -> FilePath { path.appending(name) }

    /// Writes a whole file and creates the folders above it.
    package func write(_ bytes: [UInt8], to name: String) throws {
        let target = self[name]
        try FileManager.default.createDirectory(
            atPath: target.removingLastComponent().string, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: target.string))
    }
}
