import Archives
import LinuxIO
import Outbox
import PackExports
import SystemPackage

/// The contents of a file of an export, with the pictures that it needs.
enum ExportContents {
    case picture(PictureStore.Stored, PictureStore)
    case bytes([UInt8])
    case archive(ExportArchive, PictureStore)

    /// - Parameter store: has all pictures of the plan.
    init(_ planned: ExportFile.Contents, _ store: PictureStore) throws(Errno) {
        switch planned {
        case .picture(let picture):
            guard let stored = store.stored[picture] else { throw .noSuchFileOrDirectory }
            self = .picture(stored, store)
        case .bytes(let bytes): self = .bytes(bytes)
        case .zip(let entries): self = .archive(try ExportArchive(.zip, entries, store), store)
        case .tarGz(let entries): self = .archive(try ExportArchive(.tarGz, entries, store), store)
        }
    }

    /// Identifies them in the ledger.
    func key() throws(Errno) -> String {
        switch self {
        case .picture(let stored, _): stored.name
        case .bytes(let bytes): try ContentDigest.sha256(of: bytes).hex
        case .archive(let archive, _): archive.digest
        }
    }

    /// The bytes that an archive needs on the disk, roughly; other files are small.
    var archived: Int {
        guard case .archive(let archive, let store) = self else { return 0 }
        return archive.entries.reduce(0) { $0 + $1.size(in: store) }
    }

    /// Whether a file has them. Reads it, unless its status tells.
    func areIn(_ name: String, _ status: FileStatus, of place: OpenFolder) throws(ExportTrouble) -> Bool {
        guard status.kind == .regular else { return false }
        switch self {
        case .picture(let stored, let store):
            let (file, source) = (status.identity, stored.identity)
            if file.node == source.node { return true }
            guard file.size == source.size else { return false }
            if file.modified == source.modified { return true }
            return try place.contents(of: name, upTo: Int(file.size)) == store.contents(of: stored)
        case .bytes(let bytes):
            guard status.identity.size == bytes.count else { return false }
            return try place.contents(of: name, upTo: bytes.count) == bytes
        case .archive(let archive, _):
            // One that cannot be read is replaced.
            guard let file = try? place.open(name) else { return false }
            let isRight = try? WholeArchive.check(file, commentLength: archive.digest.utf8.count) { comment, _ in
                comment == archive.digest
            }
            return isRight ?? false
        }
    }
}

/// A file of an export with its contents, but without its name.
final class ExportDraft {
    private let contents: ExportContents
    private let name: String
    private let place: OpenFolder
    /// nil for a picture, which gets another name.
    private var file: DraftFile? = nil

    /// Writes the contents, not durably.
    ///
    /// - Parameters:
    ///   - modified: the file's time in nanoseconds since 1970; nil for now.
    ///   - former: the file that it replaces, if it is as it was written.
    init(
        _ contents: ExportContents, as name: String, in place: OpenFolder, modified: Int64? = nil,
        former: FileStamp? = nil, isStopping: () -> Bool = { false }
    ) throws(ExportTrouble) {
        (self.contents, self.name, self.place) = (contents, name, place)
        if case .picture = contents { return }
        let draft = try place.naming(name) { () throws(Errno) in try place.draft() }
        switch contents {
        case .picture: break
        case .bytes(let bytes): try place.naming(name) { () throws(Errno) in try draft.write(bytes) }
        case .archive(let archive, let store):
            let former: FormerZip? =
                if let former, archive.format == .zip {
                    FormerZip(name, in: place.descriptor, as: former)
                } else { nil }
            try archive.write(to: draft, at: place.path.appending(name), store, reusing: former, isStopping: isStopping)
        }
        if let modified { try place.naming(name) { () throws(Errno) in try draft.setModified(modified) } }
        file = consume draft
    }

    var isLink: Bool { if case .picture = contents { true } else { false } }

    /// Gives the file its name, once. Returns the file as it is then, and the bytes written: 0 for a hard link.
    func publish() throws(ExportTrouble) -> (identity: FileIdentity, bytes: Int) {
        try place.naming(name) { () throws(Errno) in
            if case .picture(let stored, let store) = contents {
                return (stored.identity, try store.link(stored, as: name, in: place))
            }
            guard let draft = file.take() else { throw .badFileDescriptor }
            let identity = try draft.status().identity
            try draft.publish(synced: name)
            return (identity, Int(identity.size))
        }
    }
}
