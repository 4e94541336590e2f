import Foundation
import Glibc
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
    /// Folders of packs, by the packs' names.
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
    /// - Throws: `OutboxError` where the file system refuses, or GRDB's `DatabaseError`.
    package func publish(_ data: [UInt8], named name: String, inPack pack: String) async throws {
        try await inFolder(ofPack: pack) { folder throws(Errno) in
            try AtomicFile.write(data, named: name, in: folder, mode: Self.fileMode)
        }
    }

    /// Removes files that no index of the pack names any more; what is gone already is fine.
    ///
    /// - Throws: as `publish`.
    func withdraw(_ names: [String], fromPack pack: String) async throws {
        try await inFolder(ofPack: pack) { folder throws(Errno) in
            for name in names { try AtomicFile.remove(name, in: folder) }
        }
    }

    /// The name to publish a sticker under: the first of `candidates` that no other photo has in its pack, or the one
    /// it had before. It is kept for this sticker from here on.
    package func bookName(for sticker: StickerRecord, candidates: [String], claim: Claim) async throws -> String {
        _ = try await path(ofPack: sticker.pack)
        return try await library.bookName(for: sticker, candidates: candidates, claim: claim)
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
        try await inFolder(ofPack: pack) { folder throws(Errno) in
            try AtomicFile.removeLeftovers(in: folder)
            let descriptor = try OwnedDescriptor(opening: folder, options: .directory)
            var scan = try DirectoryScan(of: descriptor.raw)
            var names: Set<String> = []
            while let entry = try scan.next() { names.insert(String(decoding: entry.name, as: UTF8.self)) }
            return names
        }
    }

    /// Makes the folder where it is missing, also when somebody has just removed it.
    private func inFolder<Value>(
        ofPack pack: String, do work: (FilePath) throws(Errno) -> Value
    ) async throws -> Value {
        let path = try await path(ofPack: pack)
        do throws(Errno) {
            if !pack.isEmpty {
                // The platform string outlives the call.
                let made = unsafe path.withPlatformString { unsafe mkdir($0, 0o777) }
                guard made == 0 || errno == EEXIST else { throw Errno(rawValue: errno) }
            }
            return try work(path)
        } catch {
            throw OutboxError(folder: path, cause: error)
        }
    }

    private func path(ofPack pack: String) async throws -> FilePath {
        if let known = folders[pack] { return known }
        guard let name = try await library.folder(ofPack: pack, candidates: OutboxName.packFolders(for: pack)) else {
            throw OutboxError(folder: folder, cause: .fileExists)
        }
        let path = name.isEmpty ? folder : folder.appending(name)
        folders[pack] = path
        return path
    }
}
