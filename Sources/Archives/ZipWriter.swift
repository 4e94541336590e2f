package import Foundation
package import LinuxIO
package import SystemPackage

/// Writes a ZIP with one file in memory at a time. Entries that the ZIP it replaces has, too, are copied by the kernel,
/// adjacent ones in one call: their bytes are neither read nor, on file systems with shared extents, written.
package struct ZipWriter {
    private var zip: StoredZip
    private let former: FormerZip?
    /// What is to be copied next from the former ZIP.
    private var copied = 0..<0

    package init(comment: String, reusing former: FormerZip?) {
        zip = StoredZip(comment: comment)
        self.former = former
    }

    /// Takes a file from the former ZIP. Returns false if that does not have it.
    package mutating func reuse(_ name: String, sha256: String, in file: borrowing DraftFile) throws(Errno) -> Bool {
        guard let entry = former?.entries[StoredZip.key(ofFile: name, sha256: sha256)] else { return false }
        if entry.offset != copied.upperBound {
            try copy(to: file)
            copied = entry.offset..<entry.offset
        }
        copied = copied.lowerBound..<entry.offset + entry.length
        zip.add(entry)
        return true
    }

    /// Adds a file; the parameters are those of `StoredZip.entry`.
    package mutating func add(
        _ name: String, _ data: [UInt8], sha256: String, modified: Date, to file: borrowing DraftFile
    ) throws(Errno) {
        try copy(to: file)
        try file.write(zip.entry(named: name, data, sha256: sha256, modified: modified))
    }

    /// Writes what follows the last file.
    package mutating func end(in file: borrowing DraftFile) throws(Errno) {
        try copy(to: file)
        try file.write(zip.end())
    }

    private mutating func copy(to file: borrowing DraftFile) throws(Errno) {
        guard !copied.isEmpty, let former else { return }
        try file.write(from: former.file, copied)
        copied = 0..<0
    }
}

/// The ZIP that a new one replaces.
package final class FormerZip {
    fileprivate let file: OwnedDescriptor
    /// By `StoredZip.Entry.key`.
    fileprivate let entries: [[UInt8]: StoredZip.Entry]

    /// nil if the file of this name cannot be read, or is not as it was written: another program may have damaged it.
    package init?(_ name: String, in folder: borrowing OwnedDescriptor, as written: FileStamp) {
        guard let open = try? OwnedDescriptor(opening: Array(name.utf8), in: folder.raw, options: .nonBlocking) else {
            return nil
        }
        file = open
        guard let status = try? FileStatus(ofDescriptor: file.raw), FileStamp(status) == written,
            let entries = try? StoredZip.entries(
                of: file, size: Int(written.bytes), commentLength: ContentDigest.hexLength)
        else { return nil }
        self.entries = Dictionary(entries.map { ($0.key, $0) }) { first, _ in first }
    }
}
