package import FileNames
import Glibc
package import LinuxIO
package import OutboxLayout
package import PhotoLibrary
package import SystemPackage

/// The outbox's only writer. Files appear only when complete.
///
/// It runs on its own thread, because reading and writing block; files are published on further threads, so that their
/// fsyncs overlap. Packs are named as in the Library: '' is the root pack.
package actor OutboxWriter: ThreadOwner {
    /// May lead over symbolic links.
    package nonisolated let folder: FilePath
    /// Shared with the process's other writers.
    package nonisolated let library: Library
    /// That of the process.
    package nonisolated let lock: OutboxLock
    package let thread: SerialThread
    /// Made when they are needed.
    private var publishers: [FilePublisher] = []
    private var nextPublisher = 0
    /// How many files are being published.
    private var publishing = 0
    private let syncs = FolderSyncs()
    /// The most files whose fsyncs overlap: a disk gains little from more.
    private static let mostPublishers = 8
    /// The packs' folders, by the packs' names.
    private var folders: [ExactName: FilePath] = [:]
    /// The outbox, while it is there. Opened again after each error: on NFS, one that was restored on the server may
    /// look the same and be unusable.
    var root: OpenFolder?

    /// Readable by all users: a web server may serve the outbox.
    package static let fileMode: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]

    /// - Parameters:
    ///   - folder: must exist.
    ///   - lock: shared by all `OutboxWriter` objects of a process.
    /// - Throws: if no thread is available.
    package init(folder: FilePath, library: Library, lock: OutboxLock) throws(Errno) {
        thread = try SerialThread(name: "outbox", diskWaits: .shared)
        self.lock = lock
        self.folder = folder
        self.library = library
    }

    /// Writes a file to a pack's folder, atomically and durably. If `gathering`, it may wait a moment for other files
    /// to share the folder's fsync.
    ///
    /// - Returns: its modification time, in nanoseconds since 1970.
    /// - Throws: `OutboxError` if the file system refuses, or GRDB's `DatabaseError`.
    @discardableResult
    package func publish(
        _ data: [UInt8], named name: String, inPack pack: String, under subfolder: OutboxSubfolder? = nil,
        gathering: Bool = false
    ) async throws -> Int64 {
        publishing += 1
        defer { publishing -= 1 }
        let draft = try await inFolder(ofPack: pack, subfolder) { folder throws(Errno) in try folder.draft() }
        do throws(Errno) {
            return try await publisher().publish(draft, data, as: name, sharing: syncs, gathering: gathering)
        } catch {
            self.root = nil
            let path = try await path(ofPack: pack)
            throw OutboxError(folder: subfolder.map { path.appending($0.rawValue) } ?? path, cause: error)
        }
    }

    /// A thread for the next file: one for each file in progress, up to the limit.
    private func publisher() throws(Errno) -> FilePublisher {
        if publishers.count < min(publishing, Self.mostPublishers) {
            do throws(Errno) {
                publishers.append(try FilePublisher())
            } catch {
                // With fewer threads, files wait longer.
                if publishers.isEmpty { throw error }
            }
        }
        nextPublisher = (nextPublisher + 1) % publishers.count
        return publishers[nextPublisher]
    }

    /// Removes files that the pack's index no longer lists. Missing files are no error. A folder with a file's name
    /// stays.
    ///
    /// - Parameters:
    ///   - files: relative to the pack's folder.
    ///   - pack: '' for the root pack.
    /// - Throws: as `publish`.
    package func withdraw(_ files: [String], fromPack pack: String) async throws {
        guard !files.isEmpty else { return }
        try await inFolder(ofPack: pack) { folder throws(Errno) in try folder.remove(files) }
    }

    /// Reserves a sticker's name: its previous one, or the first of `candidates` that no other photo of its pack has.
    /// Nil if a user has removed the sticker.
    ///
    /// - Throws: `FolderInTheWay`; `LibraryError` with `.nameTaken` if there is none; otherwise as `publish`.
    package func reserveName(
        forPhoto photo: String, ordinal: Int = 0, recipe: String, candidates: [String], claim: Claim
    ) async throws -> String? {
        let folder = try await path(ofPack: claim.pack)
        let name = try await library.reserveName(
            forPhoto: photo, ordinal: ordinal, recipe: recipe, candidates: candidates,
            thumbnail: OutboxName.thumbnail(ofSticker:), claim: claim)
        let files = name.map { [$0, OutboxSubfolder.thumbnails.file(OutboxName.thumbnail(ofSticker: $0))] } ?? []
        for path in files.map({ folder.appending($0) }) where (try? FileStatus(of: path))?.kind == .folder {
            throw FolderInTheWay(folder: path)
        }
        return name
    }

    /// The names of those of a pack's stickers whose files are missing or have changed since they were published.
    ///
    /// - Throws: as `publish`.
    package func damaged(_ stickers: [StickerRecord]) async throws -> Set<ExactName> {
        guard let pack = stickers.first?.pack else { return [] }
        return try await inFolder(ofPack: pack) { folder throws(Errno) in
            var damaged: Set<ExactName> = []
            for sticker in stickers where try !folder.has(sticker) { damaged.insert(ExactName(sticker.file)) }
            return damaged
        }
    }

    /// The bytes of a sticker; nil if the file differs from the Library's record.
    package func read(_ sticker: StickerRecord) async throws -> [UInt8]? {
        guard let bytes = try await read(sticker.file, inPack: sticker.pack, upTo: sticker.bytes) else { return nil }
        return try ContentDigest.sha256(of: bytes).hex == sticker.sha256 ? bytes : nil
    }

    /// The bytes of a sticker's thumbnail; nil if it has none, or if it is damaged.
    package func readThumbnail(of sticker: StickerRecord) async throws -> [UInt8]? {
        guard let name = sticker.thumbnail else { return nil }
        let bytes = try await read(OutboxSubfolder.thumbnails.file(name), inPack: sticker.pack)
        return bytes.flatMap { Self.isThumbnail($0) ? $0 : nil }
    }

    /// Whether these are the bytes of a WebP of this length (RFC 9649, 2.4): the Library has no digest of a thumbnail.
    package static func isThumbnail(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 12, bytes.starts(with: "RIFF".utf8), bytes[8..<12].elementsEqual("WEBP".utf8) else {
            return false
        }
        return bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } == bytes.count - 8
    }

    /// The most bytes of a thumbnail or of the list of packs.
    package static let maxReadBytes = 64 << 20

    /// The bytes of a file of a pack's folder; nil if it cannot be read. Follows no symbolic link: others may have put
    /// one there to a file that only this process may read, and what is read here is published.
    func read(_ file: String, inPack pack: String, upTo limit: Int = maxReadBytes) async throws -> [UInt8]? {
        try await inFolder(ofPack: pack) { folder throws(Errno) in
            try? RegularFile.contents(of: file, beneath: folder.descriptor, upTo: limit)
        }
    }

    /// The names in a pack's folder or one of its subfolders, if that exists. Removes temporary files that a crash
    /// left.
    func tidiedNames(ofPack pack: String, _ subfolder: OutboxSubfolder? = nil) async throws -> Set<ExactName> {
        try await inFolder(ofPack: pack) { folder throws(Errno) in
            guard let subfolder else { return try folder.tidiedNames() }
            do throws(Errno) {
                return try folder.subfolder(subfolder.rawValue).tidiedNames()
            } catch .noSuchFileOrDirectory {
                return []
            }
        }
    }

    /// Calls `work` with a pack's folder, or one of its subfolders, which is made if it is missing.
    ///
    /// - Parameter files: what `work` writes there: a folder that has one of these names is named.
    /// - Throws: `OutboxError`, with `isAway` if the outbox is missing or another.
    package func inFolder<Value: ~Copyable>(
        ofPack pack: String, _ subfolder: OutboxSubfolder? = nil, writing files: [String] = [],
        do work: (OpenFolder) throws(Errno) -> Value
    ) async throws -> Value {
        let path = try await path(ofPack: pack)
        let root = try await open()
        do throws(Errno) {
            var place = root
            if path != folder, let name = path.lastComponent?.string { place = try place.madeSubfolder(name) }
            if let subfolder { place = try place.madeSubfolder(subfolder.rawValue) }
            return try work(place)
        } catch {
            self.root = nil
            let place = subfolder.map { path.appending($0.rawValue) } ?? path
            let obstacle = files.map { place.appending($0) }.first { (try? FileStatus(of: $0))?.kind == .folder }
            throw obstacle.map { .obstructed(by: $0) } ?? OutboxError(folder: place, cause: error)
        }
    }

    /// A pack's folder relative to the outbox; empty for the root pack.
    package func folderName(ofPack pack: String) async throws -> String {
        let path = try await path(ofPack: pack)
        return path == folder ? "" : path.lastComponent?.string ?? ""
    }

    /// A pack's folder, reserved in the Library with the first call; nothing is made on disk.
    package func path(ofPack pack: String) async throws -> FilePath {
        if let known = folders[ExactName(pack)] { return known }
        let candidates = try OutboxName.packFolders(for: pack)
        guard let name = try await library.folder(ofPack: pack, candidates: candidates) else {
            throw OutboxError(folder: folder, cause: .fileExists)
        }
        let path = name.isEmpty ? folder : folder.appending(name)
        folders[ExactName(pack)] = path
        return path
    }
}

/// Writes files to disk on its own thread.
private actor FilePublisher: ThreadOwner {
    let thread: SerialThread

    /// - Throws: if no thread is available.
    init() throws(Errno) { thread = try SerialThread(name: "outbox-file", diskWaits: .shared) }

    /// Writes `data` to a draft and gives it its name, durably. Returns its modification time.
    func publish(
        _ draft: consuming DraftFile, _ data: [UInt8], as name: String, sharing syncs: FolderSyncs, gathering: Bool
    ) async throws(Errno) -> Int64 {
        try draft.write(data)
        let modified = try draft.status().identity.modified
        try await draft.publish(as: name, sharing: syncs, gathering: gathering)
        return modified
    }
}
