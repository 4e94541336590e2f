import Foundation
import LinuxIO
package import PhotoLibrary
package import SystemPackage

/// The only one that writes to the outbox: every name that appears there is a finished file.
///
/// Its actor runs on a thread of its own, because writing to disk blocks.
package actor Outbox {
    package nonisolated let folder: FilePath
    let library: PhotoLibrary
    private let lane: Lane
    /// Folders known to exist, by pack name.
    private var folders: [String: FilePath] = [:]

    /// Readable by everybody: a web server may show the outbox.
    private static let fileMode: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]

    // The actor holds its lane.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe lane.asUnownedSerialExecutor() }

    /// `folder` must exist.
    package init(folder: FilePath, library: PhotoLibrary) throws(Errno) {
        lane = try Lane(name: "outbox")
        self.folder = folder
        self.library = library
    }

    /// Puts one finished file into a pack's folder: when this returns, it is safe on disk under its name.
    ///
    /// - Throws: `Errno` from the file system, or GRDB's `DatabaseError`.
    package func publish(_ data: [UInt8], named name: String, inPack pack: String) async throws {
        let path = try await path(ofPack: pack)
        do throws(Errno) {
            try AtomicFile.write(data, named: name, in: path, mode: Self.fileMode)
        } catch {
            // Somebody may have removed the folder: the next try makes it again.
            folders[pack] = nil
            throw error
        }
    }

    /// The bytes of a sticker, or nil where the file is not what the Library says it is.
    package func read(_ sticker: StickerRecord) async throws -> [UInt8]? {
        let path = try await path(ofPack: sticker.pack).appending(sticker.file)
        guard let data = FileManager.default.contents(atPath: path.string) else { return nil }
        let bytes = [UInt8](data)
        return try ContentDigest.sha256(of: bytes).hex == sticker.sha256 ? bytes : nil
    }

    /// The index on disk; nil where there is none, or none that can be read.
    func index(ofPack pack: String) async throws -> PackIndex? {
        let path = try await path(ofPack: pack).appending(PackIndex.fileName)
        return FileManager.default.contents(atPath: path.string).flatMap {
            try? JSONDecoder().decode(PackIndex.self, from: $0)
        }
    }

    /// Names in a pack's folder; temporary files that a crash left behind are removed on the way.
    func tidiedNames(ofPack pack: String) async throws -> Set<String> {
        let path = try await path(ofPack: pack)
        try AtomicFile.removeLeftovers(in: path)
        return Set(try FileManager.default.contentsOfDirectory(atPath: path.string))
    }

    private func path(ofPack pack: String) async throws -> FilePath {
        if let known = folders[pack] { return known }
        guard let name = try await library.folder(ofPack: pack, candidates: OutboxName.packFolders(for: pack)) else {
            throw Errno.fileExists
        }
        let path = name.isEmpty ? folder : folder.appending(name)
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
        folders[pack] = path
        return path
    }
}
