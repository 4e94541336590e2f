/// Names for files whose own name is taken.
package enum NumberedName {
    /// NAME_MAX.
    package static let maxBytes = 255
    /// How many files may share a name.
    private static let maxNumber = 10_000

    /// `cat.jpg`, `cat-2.jpg`, `cat-3.jpg`… Stems are cut where the name would become too long for a file system.
    ///
    /// - Parameter room: bytes that have to fit behind the name.
    package static func candidates(for name: [UInt8], room: Int = 0) -> some Sequence<[UInt8]> {
        let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? name.count
        return (1...maxNumber).lazy.map { number in
            let ending = Array((number > 1 ? "-\(number)" : "").utf8) + name[dot...]
            return cut(name[..<dot], to: max(1, maxBytes - room - ending.count)) + ending
        }
    }

    /// Never in the middle of a UTF-8 sequence.
    private static func cut(_ stem: ArraySlice<UInt8>, to length: Int) -> [UInt8] {
        guard stem.count > length else { return Array(stem) }
        var end = stem.startIndex + length
        while end > stem.startIndex, stem[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(stem[..<end])
    }
}
