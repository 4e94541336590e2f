/// Reads bytes from the front of an untrusted file, never beyond its end.
struct ChunkReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ file: ArraySlice<UInt8>) {
        rest = file
    }

    /// The next `count` bytes; nil if there are fewer.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// The next four bytes as a big-endian number.
    mutating func bigEndian() -> Int? { take(4).map { Self.bigEndian($0) } }

    /// The next four bytes as a little-endian number.
    mutating func littleEndian() -> Int? { take(4).map { Self.littleEndian($0) } }

    /// Decodes at most seven big-endian bytes.
    static func bigEndian(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// Decodes at most seven little-endian bytes.
    static func littleEndian(_ bytes: ArraySlice<UInt8>) -> Int { bigEndian(bytes.reversed()) }
}

/// Why a worker's file differs from what stickerd's encoders write.
struct PictureDefect: Error {
    static let header = PictureDefect("'s header is not what stickerd writes", isPossessive: true)
    static let chunk = PictureDefect("has a chunk that stickerd does not write")
    static let ending = PictureDefect("ends within a chunk")
    static let pixels = PictureDefect("has no pixels")
    static let length = PictureDefect("has more bytes than its pixels need")
    /// Memory ran out, so nothing was checked.
    static let shortage = PictureDefect("", isShortage: true)

    /// Follows "the sticker" without a space between.
    let text: String
    let isShortage: Bool

    /// - Parameter text: follows "the sticker ", or "the sticker" if it is possessive.
    init(_ text: String, isPossessive: Bool = false, isShortage: Bool = false) {
        self.text = isPossessive ? text : " " + text
        self.isShortage = isShortage
    }
}
