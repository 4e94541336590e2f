import Foundation

/// One JPEG file, and any number of copies with other bytes but the same pixels.
struct Photo {
    let path: String
    let width: Int
    let height: Int
    private let data: Data

    /// Nil if the file is not a JPEG.
    init?(path: String) {
        guard let data = FileManager.default.contents(atPath: path), let size = Self.size(in: data) else { return nil }
        self.path = path
        self.data = data
        (width, height) = size
    }

    var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }
    var megapixels: Double { Double(width * height) / 1_000_000 }

    /// A copy with other bytes: `number` follows the end marker, which decoders ignore.
    func copy(_ number: Int) -> Data {
        data + Data("bench \(number)\n".utf8)
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
