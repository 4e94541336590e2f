import Foundation

/// One file, JPEG or HEIC, and any number of copies with other bytes but the same pixels.
struct Photo {
    let path: String
    /// Nil if it is not a JPEG.
    let megapixels: Double?
    private let data: Data

    /// Nil if the file is neither.
    init?(path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let size = Self.size(in: data)
        guard size != nil || data.dropFirst(4).starts(with: Data("ftyp".utf8)) else { return nil }
        self.path = path
        self.data = data
        megapixels = size.map { Double($0.width * $0.height) / 1_000_000 }
    }

    /// The photos of a folder.
    static func all(in folder: String) throws -> [Photo] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted().compactMap {
            Photo(path: "\(folder)/\($0)")
        }
    }

    var isJPEG: Bool { megapixels != nil }
    var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

    /// A copy with other bytes: `number` follows the end marker of a JPEG, or is in a box of free space, which decoders
    /// ignore.
    func copy(_ number: Int) -> Data {
        let text = Data("bench \(number)\n".utf8)
        return data + (!isJPEG ? Data([0, 0, 0, UInt8(8 + text.count)]) + Data("free".utf8) : Data()) + text
    }

    /// Reads the size from the first frame header (ITU-T T.81, B.2.2).
    private static func size(in data: Data) -> (width: Int, height: Int)? {
        guard data.starts(with: [0xFF, 0xD8]) else { return nil }
        func number(at offset: Int) -> Int { Int(data[offset]) << 8 | Int(data[offset + 1]) }
        var offset = 2
        while offset + 9 <= data.count {
            guard data[offset] == 0xFF else { return nil }
            let marker = data[offset + 1]
            if marker == 0xFF {
                offset += 1
                continue
            }
            // Frame headers; DHT, JPG and DAC are in their range of codes.
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return (number(at: offset + 7), number(at: offset + 5))
            }
            offset += 2 + number(at: offset + 2)
        }
        return nil
    }
}
