import Foundation
import Glibc
package import LinuxIO
package import SystemPackage

/// A temporary folder for one test, removed with its contents when the last reference is gone.
package final class TemporaryFolder: Sendable {
    package let path: FilePath

    package init() {
        path = FilePath(FileManager.default.temporaryDirectory.path + "/stickerd-test-\(UUID().uuidString)")
        // A stored property of most suites: if this threw, each of them would need an initializer.
        do { try makeFolder("") } catch { fatalError("no temporary folder: \(error)") }
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

    package func write(_ text: some StringProtocol, to name: String) throws { try write(Array(text.utf8), to: name) }

    /// Replaces a file. Its modification time stays, to the nanosecond: a `Date` would change it.
    package func rewrite(_ bytes: [UInt8], to name: String) throws {
        let time = try FileStatus(of: self[name]).identity.modified
        let draft = try DraftFile(in: self[name].removingLastComponent())
        try draft.write(bytes)
        try draft.setModified(time)
        try draft.publish(as: self[name].lastComponent?.string ?? name)
    }

    /// Makes a folder, if it is missing, and those above it.
    package func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: self[name].string, withIntermediateDirectories: true)
    }

    /// Renames a file or folder with one system call.
    package func rename(_ name: String, to other: String) throws {
        // The strings outlive the call.
        _ = try Errno.retry { unsafe Glibc.rename(self[name].string, self[other].string) }
    }

    /// Makes a symbolic link.
    package func link(_ name: String, to target: FilePath) throws {
        try FileManager.default.createSymbolicLink(atPath: self[name].string, withDestinationPath: target.string)
    }

    package func makeFIFO(_ name: String) throws {
        // The string outlives the call.
        _ = try Errno.retry { unsafe mkfifo(self[name].string, 0o600) }
    }

    /// The permissions of a file or folder.
    package func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: self[name].string)[.posixPermissions] as? Int
    }

    package func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: self[name].string)
    }

    /// The bytes of a file; nil if it cannot be read.
    package func bytes(of name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: self[name].string).map { [UInt8]($0) }
    }

    /// The same as text.
    package func text(of name: String) -> String? { bytes(of: name).map { String(decoding: $0, as: UTF8.self) } }

    /// The files below a folder, by their paths relative to it; none if it is missing.
    package func files(below name: String) -> [String: FileIdentity] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: self[name].string)) ?? []
        return paths.reduce(into: [:]) { files, path in
            guard let status = try? FileStatus(of: self[name].appending(path)), status.kind != .folder else { return }
            files[path] = status.identity
        }
    }

    /// The names in a folder, sorted.
    package func names(in name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: self[name].string).sorted()
    }

    package func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self[name].string) }

    package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: self[name].string) }
}
