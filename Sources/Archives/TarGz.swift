import CZlib
import LinuxIO
package import SystemPackage

/// Encodes a gzipped tar, piece by piece: `begin`, each `entry`, `end`. The tar is ustar (POSIX.1-2017, pax), the rest
/// gzip (RFC 1952) with stored blocks (RFC 1951, 3.2.4). Deflating would not make PNGs smaller, and stored blocks are
/// the same bytes with every release of zlib.
package struct TarGz {
    /// The longest name of an entry in bytes; ustar's prefix is not used.
    static let maxNameBytes = 100
    /// The largest file: 11 octal digits.
    static let maxEntryBytes = 1 << 33 - 1
    /// 1980-01-01, where FAT's times begin. GNU tar warns of the beginning of Unix's.
    private static let modified = 315_532_800

    private static let block = 512
    private static let maxStored = 0xFFFF
    private static let storedHeader = 5
    private static let gzipHeader = 10
    private static let gzipTrailer = 8
    /// FCOMMENT.
    private static let hasComment: UInt8 = 1 << 4

    private let comment: String
    private var sum: UInt = 0
    /// Of the tar.
    private var count = 0

    /// - Parameter comment: of the whole archive, ASCII.
    package init(comment: String) {
        self.comment = comment
    }

    /// What precedes the first entry. Its time is 0, and its system unknown.
    package func begin() -> [UInt8] { Self.header(comment) }

    private static func header(_ comment: String) -> [UInt8] {
        [0x1f, 0x8b, 8, hasComment, 0, 0, 0, 0, 0, 0xff] + comment.utf8 + [0]
    }

    /// The bytes of the next entry.
    ///
    /// - Throws: `fileNameTooLong`, or `fileTooLarge`.
    package mutating func entry(named name: String, _ data: [UInt8]) throws(Errno) -> [UInt8] {
        guard name.utf8.count <= Self.maxNameBytes else { throw .fileNameTooLong }
        guard data.count <= Self.maxEntryBytes else { throw .fileTooLarge }
        let padding = [UInt8](repeating: 0, count: Self.padded(data.count) - data.count)
        return stored(Self.tarHeader(name, data.count) + data + padding, isLast: false)
    }

    /// What follows the last entry: the tar's end, and the sums of gzip.
    package mutating func end() -> [UInt8] {
        let end = stored([UInt8](repeating: 0, count: 2 * Self.block), isLast: true)
        return end + sums
    }

    private var sums: [UInt8] { Self.number(Int(sum), 4) + Self.number(count & 0xFFFF_FFFF, 4) }

    private mutating func add(_ tar: [UInt8]) {
        // zlib reads exactly `count` bytes.
        sum = unsafe tar.withUnsafeBufferPointer { unsafe crc32_z(sum, $0.baseAddress, $0.count) }
        count += tar.count
    }

    private static func padded(_ count: Int) -> Int { (count + block - 1) / block * block }

    private static func storedSize(_ count: Int) -> Int {
        count + (count + maxStored - 1) / maxStored * storedHeader
    }

    private mutating func stored(_ tar: [UInt8], isLast: Bool) -> [UInt8] {
        add(tar)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.storedSize(tar.count))
        var rest = tar[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.maxStored)
            rest = rest.dropFirst(part.count)
            bytes.append(isLast && rest.isEmpty ? 1 : 0)
            bytes += Self.sizes(of: part)
            bytes += part
        }
        return bytes
    }

    /// A stored block's length and its complement.
    private static func sizes(of part: some Collection<UInt8>) -> [UInt8] {
        number(part.count, 2) + number(~part.count, 2)
    }

    /// A plain file of user and group 0 that everyone may read.
    private static func tarHeader(_ name: String, _ count: Int) -> [UInt8] {
        let owner = octal(0, 7)
        let start =
            Array(name.utf8) + [UInt8](repeating: 0, count: maxNameBytes - name.utf8.count)
            + octal(0o644, 7) + owner + owner + octal(count, 11) + octal(modified, 11)
        // Type "0", no target of a link, and the names of user and group, which are empty.
        let magic = Array("ustar\u{0}00".utf8)
        let end =
            [UInt8(ascii: "0")] + [UInt8](repeating: 0, count: 100) + magic
            + [UInt8](repeating: 0, count: 64) + owner + owner
        // The sum counts its own field as spaces.
        let sum = (start + end).reduce(8 * Int(UInt8(ascii: " "))) { $0 + Int($1) }
        let header = start + octal(sum, 6) + [UInt8(ascii: " ")] + end
        return header + [UInt8](repeating: 0, count: block - header.count)
    }

    /// Octal digits and a zero byte.
    private static func octal(_ value: Int, _ digits: Int) -> [UInt8] {
        let text = String(value, radix: 8)
        return Array((String(repeating: "0", count: max(digits - text.count, 0)) + text).utf8) + [0]
    }

    /// Little-endian.
    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// The comment of an open file; nil if that is no archive of this type with a comment of that length.
    static func comment(of file: borrowing OwnedDescriptor, length: Int) -> String? {
        let count = gzipHeader + length + 1
        guard let head = try? file.read(at: 0, upTo: count), head.count == count else { return nil }
        let comment = String(decoding: head[gzipHeader..<gzipHeader + length], as: UTF8.self)
        return head == header(comment) ? comment : nil
    }

    /// Whether an archive on disk is whole and has the sums of its contents. Reads all of it.
    ///
    /// - Throws: if it cannot be read.
    static func isIntact(_ file: borrowing OwnedDescriptor, commentLength length: Int) throws(Errno) -> Bool {
        var tar = TarGz(comment: "")
        var place = gzipHeader + length + 1
        while true {
            let next = try file.read(at: place, upTo: storedHeader + maxStored)
            guard next.count >= storedHeader, next[0] <= 1 else { return false }
            let part = Array(next[storedHeader...].prefix(Int(next[1]) | Int(next[2]) << 8))
            place += storedHeader + part.count
            // stickerd writes no empty block, of which a file could have very many.
            guard !part.isEmpty, next[1..<storedHeader].elementsEqual(sizes(of: part)) else { return false }
            tar.add(part)
            if next[0] == 1 { return try file.read(at: place, upTo: gzipTrailer + 1) == tar.sums }
        }
    }
}
