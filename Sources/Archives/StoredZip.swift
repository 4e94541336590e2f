import CZlib
import Foundation
import Glibc
import LinuxIO
import SystemPackage

/// Encodes a ZIP without compression, piece by piece (PKWARE APPNOTE.TXT 6.3.10, without ZIP64). Deflating would not
/// make stickers smaller, and the rest of the format is three records, so no library is needed.
///
/// Each entry's record in the central directory has an extra field with the file's SHA-256, so that a later ZIP can
/// take the entry's bytes from this one. Other programs skip fields that they do not know.
package struct StoredZip {
    /// The limits of the format's 16- and 32-bit fields.
    package static let maxEntries = 0xFFFF - 1
    package static let maxBytes = 0xFFFF_FFFF - 1

    private static let localHeader = 30
    private static let centralHeader = 46
    private static let endRecord = 22
    /// The header of the extra field, "sk" and the length, and the digest.
    private static let extraField = 4 + 32
    private static let extraHeader: [UInt8] = [0x73, 0x6b, 32, 0]

    private let comment: String
    private var directory: [UInt8] = []
    private var count = 0
    private var offset = 0

    /// - Parameter comment: of the whole archive, ASCII.
    init(comment: String) {
        self.comment = comment
    }

    /// The bytes of the next entry: header and file.
    ///
    /// - Parameter sha256: of the file, hexadecimal.
    mutating func entry(named name: String, _ data: [UInt8], sha256: String, modified: Date) -> [UInt8] {
        let text = Array(name.utf8)
        // zlib reads exactly `count` bytes.
        let sum = unsafe data.withUnsafeBufferPointer { unsafe crc32_z(0, $0.baseAddress, $0.count) }
        var fields = ZipFields()
        fields.put16(20, 1 << 11, 0)  // Version 2.0; names are UTF-8; stored.
        fields.put16(DOSTime(modified).time, DOSTime(modified).date)
        fields.put32(Int(sum), data.count, data.count)
        fields.put16(text.count)
        var header = ZipFields()
        header.put32(0x0403_4b50)
        let local = header.bytes + fields.bytes + [0, 0] + text
        var central = ZipFields()
        central.put32(0x0201_4b50)
        central.put16(3 << 8 | 20)  // Made on Unix.
        central.bytes += fields.bytes
        central.put16(Self.extraField, 0, 0, 0)
        central.put32(0o100644 << 16, 0)
        let record = central.bytes + Self.key(ofFile: name, sha256: sha256)
        add(Entry(record: record, offset: 0, length: local.count + data.count))
        return local + data
    }

    /// Adds an entry of another ZIP, whose bytes the caller copies.
    mutating func add(_ entry: Entry) {
        var offset = ZipFields()
        offset.put32(self.offset)
        directory += entry.record[..<Entry.offsetField.lowerBound] + offset.bytes
        directory += entry.record[Entry.offsetField.upperBound...]
        count += 1
        self.offset += entry.length
    }

    /// What follows the last entry.
    func end() -> [UInt8] {
        var record = ZipFields()
        record.put32(0x0605_4b50)
        record.put16(0, 0, count, count)
        record.put32(directory.count, offset)
        record.put16(comment.utf8.count)
        return directory + record.bytes + Array(comment.utf8)
    }

    /// The exact size of a ZIP with these files.
    package static func size(of files: [(name: String, bytes: Int)], comment: String) -> Int {
        files.reduce(endRecord + comment.utf8.count) { $0 + size(ofEntry: $1.bytes, nameLength: $1.name.utf8.count) }
    }

    /// How much an entry adds to the size of a ZIP.
    package static func size(ofEntry bytes: Int, nameLength: Int) -> Int {
        localHeader + centralHeader + extraField + 2 * nameLength + bytes
    }

    /// The 32 bytes of a digest in hexadecimal; zeros, which are no file's digest, for any other text.
    private static func digest(_ hex: String) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        guard hex.utf8.count == 2 * bytes.count else { return bytes }
        for (place, unit) in hex.utf8.enumerated() {
            guard let digit = Character(UnicodeScalar(unit)).hexDigitValue else {
                return [UInt8](repeating: 0, count: 32)
            }
            bytes[place / 2] |= UInt8(digit) << (place % 2 == 0 ? 4 : 0)
        }
        return bytes
    }

    /// A file in a ZIP.
    struct Entry: Equatable {
        fileprivate static let offsetField = 42..<46

        /// In the central directory.
        fileprivate let record: [UInt8]
        /// Where its header begins in the ZIP.
        let offset: Int
        /// Of header and file.
        let length: Int

        /// Identifies the file in the ZIP.
        var key: [UInt8] { Array(record[StoredZip.centralHeader...]) }
    }

    /// The key of a file's entry.
    static func key(ofFile name: String, sha256: String) -> [UInt8] { name.utf8 + extraHeader + digest(sha256) }

    /// The entries of a ZIP that this type wrote, in their order; nil for any other file.
    ///
    /// - Throws: if it cannot be read.
    static func entries(
        of file: borrowing OwnedDescriptor, size: Int, commentLength length: Int
    ) throws(Errno) -> [Entry]? {
        let start = size - endRecord - length
        guard start >= 0 else { return nil }
        let end = try file.read(at: start, upTo: endRecord)
        guard end.starts(with: [0x50, 0x4b, 0x05, 0x06]), end.count == endRecord else { return nil }
        let (bytes, offset) = (number(end, at: 12, 4), number(end, at: 16, 4))
        guard offset + bytes == start else { return nil }
        let directory = try file.read(at: offset, upTo: bytes)
        guard directory.count == bytes else { return nil }
        var entries: [Entry] = []
        var (place, next) = (0, 0)
        while place < bytes {
            guard place + centralHeader <= bytes else { return nil }
            let nameLength = number(directory, at: place + 28, 2)
            let end = place + centralHeader + nameLength + extraField
            guard end <= bytes, number(directory, at: place + 30, 2) == extraField,
                number(directory, at: place + Entry.offsetField.lowerBound, 4) == next
            else { return nil }
            let size = localHeader + nameLength + number(directory, at: place + 20, 4)
            entries.append(Entry(record: Array(directory[place..<end]), offset: next, length: size))
            (place, next) = (end, next + size)
        }
        return next == offset ? entries : nil
    }

    /// Whether each file in a ZIP has the SHA-256 that its entry says. Reads all of it.
    ///
    /// - Throws: as `entries`.
    static func isIntact(
        _ file: borrowing OwnedDescriptor, size: Int, commentLength length: Int
    ) throws(Errno) -> Bool {
        guard let entries = try entries(of: file, size: size, commentLength: length) else { return false }
        for entry in entries {
            let bytes = number(entry.record, at: 20, 4)
            let data = try file.read(at: entry.offset + entry.length - bytes, upTo: bytes)
            let digest = digest(try ContentDigest.sha256(of: data).hex)
            guard entry.record.suffix(digest.count).elementsEqual(digest) else { return false }
        }
        return true
    }

    /// A little-endian number.
    private static func number(_ bytes: [UInt8], at place: Int, _ count: Int) -> Int {
        bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// What the end record of a ZIP on disk contains.
    struct Summary {
        let comment: String
        let entries: Int
        /// The size of its file.
        let bytes: Int
    }

    /// nil if an open file is no ZIP with a comment of that length.
    static func summary(of file: borrowing OwnedDescriptor, commentLength length: Int) -> Summary? {
        let count = endRecord + length
        guard let size = try? FileStatus(ofDescriptor: file.raw).identity.size, size >= count,
            let tail = try? file.read(at: Int(size) - count, upTo: count), tail.count == count,
            tail.starts(with: [0x50, 0x4b, 0x05, 0x06])
        else { return nil }
        return Summary(
            comment: String(decoding: tail.suffix(length), as: UTF8.self), entries: Int(tail[10]) | Int(tail[11]) << 8,
            bytes: Int(size))
    }
}

/// A sequence of little-endian numbers.
private struct ZipFields {
    var bytes: [UInt8] = []

    mutating func put16(_ values: Int...) {
        for value in values { bytes += [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }
    }

    mutating func put32(_ values: Int...) {
        for value in values { put16(value & 0xFFFF, value >> 16 & 0xFFFF) }
    }
}

/// A time in FAT's format, in UTC: from 1980 on, in steps of two seconds.
private struct DOSTime {
    let time: Int
    let date: Int

    init(_ moment: Date) {
        var seconds = time_t(moment.timeIntervalSince1970)
        var parts = unsafe tm()
        // Both outlive the call; the one pointer in it, the zone's name, is not used.
        unsafe gmtime_r(&seconds, &parts)
        let year = unsafe min(max(Int(parts.tm_year) - 80, 0), 127)
        date = unsafe year << 9 | Int(parts.tm_mon + 1) << 5 | Int(parts.tm_mday)
        time = unsafe Int(parts.tm_hour) << 11 | Int(parts.tm_min) << 5 | Int(parts.tm_sec) / 2
    }
}
