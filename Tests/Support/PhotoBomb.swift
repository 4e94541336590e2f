import Foundation
package import SystemPackage

/// A small file that expands to a huge picture, or a huge file of little but metadata.
package struct PhotoBomb: Sendable, CustomStringConvertible {
    package enum Piece: Sendable {
        case bytes([UInt8])
        /// A hole of zeros, which takes no space on the disk.
        case hole(Int)
    }

    package let name: String
    /// Whether it decodes to a picture.
    package let isHarmless: Bool
    let pieces: [Piece]
    package var description: String { name }

    init(_ name: String, isHarmless: Bool = false, _ pieces: [Piece]) {
        self.name = name
        self.isHarmless = isHarmless
        self.pieces = pieces
    }

    init(_ name: String, isHarmless: Bool = false, _ bytes: [UInt8]) {
        self.init(name, isHarmless: isHarmless, [.bytes(bytes)])
    }

    package func write(to path: FilePath) throws {
        try Data().write(to: URL(filePath: path.string))
        let file = try FileHandle(forWritingTo: URL(filePath: path.string))
        var end: UInt64 = 0
        for piece in pieces {
            switch piece {
            case .bytes(let bytes):
                try file.seek(toOffset: end)
                try file.write(contentsOf: bytes)
                end += UInt64(bytes.count)
            case .hole(let count): end += UInt64(count)
            }
        }
        try file.truncate(atOffset: end)
        try file.close()
    }
}
