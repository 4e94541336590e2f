import CZlib
import Foundation
import Glibc
import LinuxIO
import SystemPackage

/// Encodes a ZIP without compression, piece by piece (PKWARE APPNOTE.TXT 6.3.10, without ZIP64). Deflating would not
/// make stickers smaller, and the rest of the format is three records, so no library is needed.
struct StoredZip {
    /// The limits of the format's 16- and 32-bit fields.
    static let maxEntries = 0xFFFF - 1
    static let maxBytes = 0xFFFF_FFFF - 1

    private static let localHeader = 30
    private static let centralHeader = 46
    private static let endRecord = 22

    private let comment: String
    private var directory: [UInt8] = []
    private var count = 0
    private var offset = 0

    /// - Parameter comment: of the whole archive, ASCII.
    init(comment: String) {
        self.comment = comment
    }

    /// The bytes of the next entry: header and file.
    mutating func entry(named name: String, _ data: [UInt8], modified: Date) -> [UInt8] {
        let name = Array(name.utf8)
        // zlib reads exactly `count` bytes.
        let sum = unsafe data.withUnsafeBufferPointer { unsafe crc32_z(0, $0.baseAddress, $0.count) }
        var fields = ZipFields()
        fields.put16(20, 1 << 11, 0)  // Version 2.0; names are UTF-8; stored.
        fields.put16(DOSTime(modified).time, DOSTime(modified).date)
        fields.put32(Int(sum), data.count, data.count)
        fields.put16(name.count, 0)
        var header = ZipFields()
        header.put32(0x0403_4b50)
        let local = header.bytes + fields.bytes + name
        var central = ZipFields()
        central.put32(0x0201_4b50)
        central.put16(3 << 8 | 20)  // Made on Unix.
        central.bytes += fields.bytes
        central.put16(0, 0, 0)
        central.put32(0o100644 << 16, offset)
        directory += central.bytes + name
        count += 1
        offset += local.count + data.count
        return local + data
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
    static func size(of files: [(name: String, bytes: Int)], comment: String) -> Int {
        files.reduce(endRecord + comment.utf8.count) {
            $0 + localHeader + centralHeader + 2 * $1.name.utf8.count + $1.bytes
        }
    }

    /// What the end record of a ZIP on disk contains.
    struct Summary {
        let comment: String
        let entries: Int
        /// The size of its file.
        let bytes: Int
    }

    /// nil if there is no ZIP with a comment of that length.
    static func summary(ofFileAt path: FilePath, commentLength length: Int) -> Summary? {
        guard let file = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path.string)) else { return nil }
        defer { try? file.close() }
        guard let size = try? file.seekToEnd(), size >= UInt64(endRecord + length),
            (try? file.seek(toOffset: size - UInt64(endRecord + length))) != nil,
            let tail = try? file.readToEnd().map({ [UInt8]($0) }), tail.starts(with: [0x50, 0x4b, 0x05, 0x06])
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
