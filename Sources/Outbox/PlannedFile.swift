import Archives
import LinuxIO
import OutboxLayout
import PackFacts
import PackLedger
package import SystemPackage

/// A file that a pack's folder should have.
package struct PlannedFile {
    /// Relative to the pack's folder.
    package let file: String
    let bytes: [UInt8]
    /// Identifies the contents, except a revision and a date in them.
    package let key: String

    /// The key is SHA-256 of the bytes, lowercase hexadecimal.
    package init(_ file: String, _ bytes: [UInt8]) throws(Errno) {
        self.init(file, bytes, key: try ContentDigest.sha256(of: bytes).hex)
    }

    /// The key has to be one that `isKey` recognizes.
    package init(_ file: String, _ bytes: [UInt8], key: String) {
        (self.file, self.bytes, self.key) = (file, bytes, key)
    }

    /// Whether an open file of this name has the contents that a key identifies.
    static func isKey(_ key: String, of file: borrowing OwnedDescriptor, named name: String) throws(Errno) -> Bool {
        if name == OutboxFile.index {
            guard let (_, length) = IndexHead.parse(try file.read(upTo: IndexHead.maxBytes)) else { return false }
            return try ContentDigest.sha256(ofDescriptor: file.raw, from: length, limit: .max).hex == key
        }
        // Of other files, size and time tell: of a picture (`PictureStore.time`), and of those that users may edit.
        let digest = key.prefix { $0 != " " }
        guard digest.count == ContentDigest.hexLength, digest.allSatisfy(\.isHexDigit) else { return true }
        let isArchive = try WholeArchive.check(file, commentLength: digest.count) { comment, entries in
            key == comment || key == Self.archive(digest: comment, entries: entries)
        }
        if let isArchive { return isArchive }
        return try ContentDigest.sha256(ofDescriptor: file.raw, limit: .max).hex == key
    }

    /// The key of a pack's ZIP, by what its comment says of its contents.
    package static func archive(digest: String, entries: Int) -> String { "\(digest) \(entries)" }

    /// The subfolder that it is in; nil for the pack's folder itself.
    var subfolder: OutboxSubfolder? { OutboxSubfolder.allCases.first { file.hasPrefix($0.prefix) } }

    /// Its name there.
    var name: String { subfolder.map { String(file.dropFirst($0.prefix.count)) } ?? file }
}

extension LedgerEntry {
    /// Whether the file at this path has the contents that were written.
    ///
    /// - Throws: `Errno` if it cannot be read.
    package func isKey(ofFileAt path: FilePath) throws(Errno) -> Bool {
        // It was about to be written.
        guard stamp != nil else { return false }
        // A pipe must not block.
        let open = try OwnedDescriptor(opening: path, options: [.noFollow, .nonBlocking])
        guard try FileStatus(ofDescriptor: open.raw).kind == .regular else { return false }
        return try PlannedFile.isKey(key, of: open, named: file)
    }
}
