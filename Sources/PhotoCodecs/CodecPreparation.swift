internal import CPhotoShims

/// The first use of every codec, for which its library may ask the system for something once.
package enum CodecPreparation {
    /// Uses every codec on the calling thread. Call it before confinement, on the thread that will decode: on ARM,
    /// libjpeg-turbo reads `/proc/cpuinfo` for each thread, libdeflate `/proc/self/auxv` once, and libheif loads its
    /// plug-ins. Its decoders open nothing more for their first photos, so none is decoded.
    ///
    /// - Throws: `.outOfMemory` only.
    package static func run() throws(CodecError) {
        photo_codecs_prepare()
        let photo = try decode(smallestJPEG)
        _ = try decode(PNGEncoder.encode(photo.raster))
        // Ours has a color profile, which takes milliseconds.
        _ = try WebPEncoder.encode(photo.raster)
        _ = try decode(smallestWebP)
    }

    private static func decode(_ bytes: [UInt8]) throws(CodecError) -> DecodedPhoto {
        try PhotoDecoder().decode(.bytes(bytes), workingSide: 8)
    }

    /// One gray block of 8 × 8 pixels (ITU-T T.81, annex B), which takes all steps of decoding.
    private static let smallestJPEG: [UInt8] = {
        let quantizers = [UInt8](repeating: 1, count: 64)
        // Of one code, a single zero bit, for the symbol 0.
        let codes = [1] + [UInt8](repeating: 0, count: 16)
        let parts: [[UInt8]] = [
            [0xFF, 0xD8], [0xFF, 0xDB, 0, 67, 0], quantizers, [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0],
            [0xFF, 0xC4, 0, 20, 0x00], codes, [0xFF, 0xC4, 0, 20, 0x10], codes,
            [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0], [0b0011_1111], [0xFF, 0xD9],
        ]
        return Array(parts.joined())
    }()

    /// One lossy pixel.
    private static let smallestWebP: [UInt8] =
        Array("RIFF".utf8) + [34, 0, 0, 0] + "WEBPVP8 ".utf8 + [
            22, 0, 0, 0,
            0x30, 0x01, 0x00, 0x9D, 0x01, 0x2A, 0x01, 0x00, 0x01, 0x00, 0x0E,
            0xC0, 0xFE, 0x25, 0xA4, 0x00, 0x03, 0x70, 0x00, 0x00, 0x00, 0x00,
        ]
}
