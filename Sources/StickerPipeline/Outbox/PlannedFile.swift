import LinuxIO
package import PhotoLibrary
package import SystemPackage

/// A file that a pack's folder should have.
struct PlannedFile {
    /// Relative to the pack's folder.
    let file: String
    let bytes: [UInt8]
    /// Identifies the contents, except a revision and a date in them.
    let key: String

    /// The key is SHA-256 of the bytes, lowercase hexadecimal.
    init(_ file: String, _ bytes: [UInt8]) throws(Errno) {
        self.init(file, bytes, key: try ContentDigest.sha256(of: bytes).hex)
    }

    init(_ file: String, _ bytes: [UInt8], key: String) { (self.file, self.bytes, self.key) = (file, bytes, key) }

    /// Whether an open file of this name has the contents that a key identifies.
    static func isKey(_ key: String, of file: borrowing OwnedDescriptor, named name: String) throws(Errno) -> Bool {
        switch name {
        case OutboxName.index:
            guard let (_, length) = IndexHead.parse(try file.read(upTo: IndexHead.maxBytes)) else {
                return false
            }
            return try ContentDigest.sha256(ofDescriptor: file.raw, from: length, limit: .max).hex == key
        case PackArchive.fileName:
            // Later ZIPs copy its entries.
            guard let zip = StoredZip.summary(of: file, commentLength: ContentDigest.hexLength),
                try StoredZip.isIntact(file, size: zip.bytes, commentLength: ContentDigest.hexLength)
            else { return false }
            return PackArchive.key(digest: zip.comment, entries: zip.entries) == key
        case ExportFiles.namesPath,
            _ where name.hasSuffix("/" + ExportFiles.list):
            // Users may edit the names; the list grows before its files are written.
            return true
        default:
            // A picture's file has a time that tells (`PictureStore.time`).
            if PictureStore.isPicture(key) { return true }
            if try ContentDigest.sha256(ofDescriptor: file.raw, limit: .max).hex == key { return true }
            return try ExportArchive.isKey(key, of: file)
        }
    }

    /// The subfolder that it is in; '' for the pack's folder itself.
    var subfolder: String { file.contains("/") ? String(file.prefix { $0 != "/" }) : "" }

    /// Its name there.
    var name: String { subfolder.isEmpty ? file : String(file.dropFirst(subfolder.count + 1)) }
}

extension LedgerEntry {
    /// Whether the file at this path has the contents that were written.
    ///
    /// - Throws: `Errno` if it cannot be read.
    package func isKey(ofFileAt path: FilePath) throws(Errno) -> Bool {
        // A pipe must not block.
        let open = try OwnedDescriptor(opening: path, options: [.noFollow, .nonBlocking])
        guard try FileStatus(ofDescriptor: open.raw).kind == .regular else { return false }
        return try PlannedFile.isKey(key, of: open, named: file)
    }
}
