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

    /// Whether an open file is this archive.
    func isWritten(to file: borrowing OwnedDescriptor) -> Bool {
        switch format {
        case .zip: StoredZip.summary(of: file, commentLength: digest.utf8.count)?.comment == digest
        case .tarGz: TarGz.summary(of: file, commentLength: digest.utf8.count)?.comment == digest
        }
    }

    /// Whether an open file is a whole archive whose contents have this digest.
    static func isKey(_ digest: String, of file: borrowing OwnedDescriptor) throws(Errno) -> Bool {
        guard let zip = StoredZip.summary(of: file, commentLength: digest.utf8.count) else {
            return TarGz.summary(of: file, commentLength: digest.utf8.count)?.comment == digest
        }
        guard zip.comment == digest else { return false }
        return try StoredZip.isIntact(file, size: zip.bytes, commentLength: digest.utf8.count)
    }

    /// Writes it with one picture in memory at a time.
    ///
    /// - Parameters:
    ///   - file: empty.
    ///   - path: of the file, for messages.
    ///   - isStopping: called before each entry.
    func write(
        to file: borrowing DraftFile, at path: FilePath, _ store: PictureStore, isStopping: () -> Bool
    ) throws(ExportTrouble) {
        switch format {
        case .zip: try writeZip(to: file, at: path, store, isStopping)
        case .tarGz: try writeTarGz(to: file, at: path, store, isStopping)
        }
    }

    private func writeZip(
        to file: borrowing DraftFile, at path: FilePath, _ store: PictureStore, _ isStopping: () -> Bool
    ) throws(ExportTrouble) {
        let files = entries.map { (name: $0.name, bytes: size(of: $0, store)) }
        guard entries.count <= StoredZip.maxEntries, StoredZip.size(of: files, comment: digest) <= StoredZip.maxBytes
        else { throw ExportTrouble(.invalid, "\(path): has too many or too large files for a ZIP") }
        var zip = StoredZip(comment: digest)
        try forEach(store, isStopping) { name, data throws(ExportTrouble) in
            do throws(Errno) {
                let hex = try ContentDigest.sha256(of: data).hex
                try file.write(zip.entry(named: name, data, sha256: hex, modified: Self.time))
            } catch {
                throw .refused(path, error)
            }
        }
        do throws(Errno) { try file.write(zip.end()) } catch { throw .refused(path, error) }
    }

    private func writeTarGz(
        to file: borrowing DraftFile, at path: FilePath, _ store: PictureStore, _ isStopping: () -> Bool
    ) throws(ExportTrouble) {
        var tar = TarGz(comment: digest)
        do throws(Errno) { try file.write(tar.begin()) } catch { throw .refused(path, error) }
        try forEach(store, isStopping) { name, data throws(ExportTrouble) in
            do throws(Errno) { try file.write(tar.entry(named: name, data)) } catch { throw .refused(path, error) }
        }
        do throws(Errno) { try file.write(tar.end()) } catch { throw .refused(path, error) }
    }

    private func forEach(
        _ store: PictureStore, _ isStopping: () -> Bool, _ body: (String, [UInt8]) throws(ExportTrouble) -> Void
    ) throws(ExportTrouble) {
        for entry in entries {
            if isStopping() { throw .stopped }
            // Another name could leave the folder that the archive is unpacked to.
            guard ExportPath.isRelative(entry.name) else {
                throw ExportTrouble(.invalid, "an archive cannot have a file named \(entry.name.debugDescription)")
            }
            try body(entry.name, try contents(of: entry, store))
        }
    }

    private func size(of entry: ExportEntry, _ store: PictureStore) -> Int {
        switch entry.contents {
        case .picture(let picture): store.size(of: picture)
        case .bytes(let bytes): bytes.count
        }
    }

    private func contents(of entry: ExportEntry, _ store: PictureStore) throws(ExportTrouble) -> [UInt8] {
        switch entry.contents {
        case .picture(let picture): try store.contents(of: picture)
        case .bytes(let bytes): bytes
        }
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
