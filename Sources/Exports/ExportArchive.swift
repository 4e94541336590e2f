import Archives
import Foundation
import LinuxIO
import PackExports
import SystemPackage

/// An archive of an export: what it contains, and the digest of that, which its comment has.
struct ExportArchive {
    enum Format: String {
        case zip
        case tarGz
    }

    let format: Format
    let entries: [ExportEntry]
    /// SHA-256 of names and contents in hexadecimal.
    let digest: String

    /// The same contents give the same archive: every entry has the first time that ZIP can express.
    private static let time = Date(timeIntervalSince1970: 315_532_800)

    /// - Parameter store: has all pictures of the entries.
    init(_ format: Format, _ entries: [ExportEntry], _ store: PictureStore) throws(Errno) {
        self.format = format
        self.entries = entries
        let list = try RunningDigest.start()
        try list.update(Array("\(Self.revision) \(format.rawValue)\n".utf8))
        for entry in entries {
            let contents =
                switch entry.contents {
                case .picture(let picture): store.stored[picture]?.name ?? ""
                case .bytes(let bytes): try ContentDigest.sha256(of: bytes).hex
                }
            try list.update(Array("\(entry.name)\0\(contents)\n".utf8))
        }
        digest = try list.finish().hex
    }

    /// Increased when the same entries give other bytes.
    private static let revision = 1

    /// Writes it with one picture in memory at a time.
    ///
    /// - Parameter file: empty.
    func write(
        to file: borrowing DraftFile, at path: FilePath, _ store: PictureStore, reusing former: FormerZip?,
        isStopping: () -> Bool
    ) throws(ExportTrouble) {
        // Another name could leave the folder that the archive is unpacked to.
        for entry in entries where !ExportPath.isRelative(entry.name) {
            throw ExportTrouble(.invalid, "an archive cannot have a file named \(entry.name.debugDescription)")
        }
        do {
            switch format {
            case .zip: try writeZip(to: file, at: path, store, former, isStopping)
            case .tarGz: try writeTarGz(to: file, store, isStopping)
            }
        } catch let trouble as ExportTrouble {
            throw trouble
        } catch {
            throw .refused(path, error as? Errno ?? .ioError)
        }
    }

    private func writeZip(
        to file: borrowing DraftFile, at path: FilePath, _ store: PictureStore, _ former: FormerZip?,
        _ isStopping: () -> Bool
    ) throws {
        let files = entries.map { (name: $0.name, bytes: $0.size(in: store)) }
        guard entries.count <= StoredZip.maxEntries, StoredZip.size(of: files, comment: digest) <= StoredZip.maxBytes
        else { throw ExportTrouble(.invalid, "\(path): has too many or too large files for a ZIP") }
        var zip = ZipWriter(comment: digest, reusing: former)
        for entry in entries {
            if isStopping() { throw ExportTrouble.stopped }
            if let known = store.digest(of: entry), try zip.reuse(entry.name, sha256: known, in: file) { continue }
            let data = try store.contents(of: entry)
            let hex = try ContentDigest.sha256(of: data).hex
            store.remember(hex, of: entry)
            try zip.add(entry.name, data, sha256: hex, modified: Self.time, to: file)
        }
        try zip.end(in: file)
    }

    private func writeTarGz(to file: borrowing DraftFile, _ store: PictureStore, _ isStopping: () -> Bool) throws {
        var tar = TarGz(comment: digest)
        try file.write(tar.begin())
        for entry in entries {
            if isStopping() { throw ExportTrouble.stopped }
            try file.write(tar.entry(named: entry.name, try store.contents(of: entry)))
        }
        try file.write(tar.end())
    }
}

extension PictureStore {
    fileprivate func contents(of entry: ExportEntry) throws(ExportTrouble) -> [UInt8] {
        switch entry.contents {
        case .picture(let picture): try contents(of: picture)
        case .bytes(let bytes): bytes
        }
    }

    /// The SHA-256 of a picture, if this process has read it.
    fileprivate func digest(of entry: ExportEntry) -> String? {
        guard case .picture(let picture) = entry.contents, let stored = stored[picture] else { return nil }
        return memory.digest(ofPicture: stored.name)
    }

    fileprivate func remember(_ digest: String, of entry: ExportEntry) {
        guard case .picture(let picture) = entry.contents, let stored = stored[picture] else { return }
        memory.remember(digest, ofPicture: stored.name)
    }
}

extension ExportEntry {
    /// The bytes of its file.
    func size(in store: PictureStore) -> Int {
        switch contents {
        case .picture(let picture): store.size(of: picture)
        case .bytes(let bytes): bytes.count
        }
    }
}
