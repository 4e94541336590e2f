/// Takes bytes from the front of a file that must not be trusted; never reads beyond its end.
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

    /// The next four bytes as a number, the highest first.
    mutating func bigEndian() -> Int? { take(4).map { Self.bigEndian($0) } }

    /// The next four bytes as a number, the lowest first.
    mutating func littleEndian() -> Int? { take(4).map { Self.littleEndian($0) } }

    /// At most seven bytes, the highest first.
    static func bigEndian(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// At most seven bytes, the lowest first.
    static func littleEndian(_ bytes: ArraySlice<UInt8>) -> Int { bigEndian(bytes.reversed()) }
}
