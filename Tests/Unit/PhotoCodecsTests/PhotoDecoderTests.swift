import Foundation
import PhotoCodecs
import PhotoRaster
import TestSupport
import Testing

struct PhotoDecoderTests {
    static let jpeg = DrawnJPEG(width: 40, height: 30) { x, y in [UInt8(x * 20), UInt8(y * 30), 5] }.bytes()
    static let png = DrawnPNG(width: 40, height: 30, colorType: 0, samples: { x, y in [x + y] }).bytes()

    @Test(
        "A file that is not a supported photo fails with one line",
        arguments: [
            ([], .notAPhoto, "empty"),
            (Array("Dear diary".utf8), .notAPhoto, "not a picture"),
            (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), .corrupt, "The file is damaged"),
            (Array("GIF89a".utf8), .unsupportedFormat, "GIF is not supported"),
            (Array("II*\0\u{10}\0\0\0CR".utf8), .unsupportedFormat, "Camera raw is not supported; export as JPEG"),
            (Array("II*\0".utf8), .unsupportedFormat, "TIFF and camera raw are not supported; export as JPEG"),
            ([0xFF, 0xD8, 0xFF, 0xD9], .corrupt, "The file is damaged; copy it again (detail: "),
            (DrawnPNG.signature, .corrupt, "The file is damaged; copy it again (detail: "),
        ] as [([UInt8], CodecError.Code, String)])
    func refuses(bytes: [UInt8], code: CodecError.Code, text: String) throws {
        let error = try #require(throws: CodecError.self) { try decode(bytes, 960) }
        #expect(error.code == code)
        #expect(error.description.contains(text))
        #expect(!error.description.contains("\n"))
    }

    @Test("Limits on pixels, sides and bytes apply to every format", arguments: [jpeg, png])
    func limits(bytes: [UInt8]) throws {
        var exact = DecodeLimits()
        exact.maxPixels = 40 * 30
        exact.maxSide = 40
        exact.maxFileBytes = bytes.count
        #expect(throws: Never.self) { try decode(bytes, 960, exact) }
        for limit in [\DecodeLimits.maxPixels, \.maxSide, \.maxFileBytes] {
            var tighter = exact
            tighter[keyPath: limit] -= 1
            #expect(code(of: bytes, tighter) == .overLimit)
        }
    }

    @Test("A descriptor is read from the start, and stays open at its position", arguments: [jpeg, png])
    func descriptor(bytes: [UInt8]) throws {
        let folder = TemporaryFolder()
        try folder.write(bytes, to: "photo")
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "\(folder["photo"])"))
        try file.seek(toOffset: 17)
        let photo = try PhotoDecoder().decode(.descriptor(file.fileDescriptor), workingSide: 20)
        #expect(photo.raster == (try decode(bytes, 20)).raster)
        #expect(try file.offset() == 17)
    }

    @Test("A file that is not regular is unreadable")
    func notAFile() throws {
        let pipe = Pipe()
        for descriptor in [pipe.fileHandleForReading.fileDescriptor, -1] {
            let error = try #require(throws: CodecError.self) {
                try PhotoDecoder().decode(.descriptor(descriptor), workingSide: 20)
            }
            #expect(error.code == .unreadable)
        }
    }
}

func decode(_ bytes: [UInt8], _ workingSide: Int, _ limits: DecodeLimits = DecodeLimits()) throws -> DecodedPhoto {
    try PhotoDecoder(limits: limits).decode(.bytes(bytes), workingSide: workingSide)
}

/// The error code of decoding; nil if it succeeds.
func code(of bytes: [UInt8], _ limits: DecodeLimits = DecodeLimits()) -> CodecError.Code? {
    do throws(CodecError) {
        _ = try PhotoDecoder(limits: limits).decode(.bytes(bytes), workingSide: 960)
        return nil
    } catch {
        return error.code
    }
}

/// The raster's pixels, four bytes each.
func pixels(_ photo: DecodedPhoto) -> [[UInt8]] {
    stride(from: 0, to: photo.raster.pixels.count, by: 4).map { Array(photo.raster.pixels[$0..<$0 + 4]) }
}
