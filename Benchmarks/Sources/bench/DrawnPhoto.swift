import Foundation

/// A drawn photo: a textured ball in front of a soft background, with sensor noise, so that the file is about as large
/// and as costly to decode as a camera's. The rest is easier than real photos: it has neither hair nor texture at its
/// edge.
struct DrawnPhoto {
    let width: Int
    let height: Int
    /// The largest noise in either direction, in steps of 255.
    private static let grain = 9

    /// Writes the photo as a JPEG with cjpeg.
    func write(to path: String, quality: Int) throws -> Photo {
        let picture = path + ".ppm"
        try pixels.write(to: URL(fileURLWithPath: picture))
        let ending = try ChildProcess(["cjpeg", "-quality", "\(quality)", "-outfile", path, picture]).wait()
        guard ending.status == 0 else { throw BenchError("cjpeg ended with status \(ending.status)") }
        try FileManager.default.removeItem(atPath: picture)
        guard let photo = Photo(path: path) else { throw BenchError("cjpeg made no JPEG") }
        return photo
    }

    /// The photo as a binary portable pixmap (ppm(5)).
    private var pixels: Data {
        var bytes = Array("P6\n\(width) \(height)\n255\n".utf8)
        bytes.reserveCapacity(bytes.count + width * height * 3)
        let reach = Float(min(width, height)) * 0.32
        // A fixed seed gives the same picture each time.
        var noise: UInt64 = 0x9e37_79b9_7f4a_7c15
        for y in 0..<height {
            for x in 0..<width {
                let across = (Float(x) - Float(width) / 2) / reach
                let down = (Float(y) - Float(height) / 2) / reach
                let color = across * across + down * down < 1 ? ball(across, down) : background(x, y)
                // xorshift64 (Marsaglia 2003).
                noise ^= noise << 13
                noise ^= noise >> 7
                noise ^= noise << 17
                let grain = Int(truncatingIfNeeded: noise >> 32 & 0xff) * Self.grain / 128 - Self.grain
                for channel in 0..<3 { bytes.append(UInt8(clamping: Int(color[channel]) + grain)) }
            }
        }
        return Data(bytes)
    }

    /// Shaded from the upper left, with darker bands.
    private func ball(_ across: Float, _ down: Float) -> SIMD3<Float> {
        let toward = (1 - across * across - down * down).squareRoot()
        let light = 0.35 + 0.65 * max(0, (toward - across * 0.5 - down * 0.6) / 1.27)
        let band: Float = sin(across * 9 + sin(down * 7) * 2) > 0 ? 1 : 0.75
        return SIMD3(235, 90, 40) * light * band
    }

    private func background(_ x: Int, _ y: Int) -> SIMD3<Float> {
        let height = Float(y) / Float(self.height)
        let wave = sin(Float(x) / Float(width) * 5) * 10
        return SIMD3(120 + wave, 150 + height * 30, 165 + height * 40)
    }
}
