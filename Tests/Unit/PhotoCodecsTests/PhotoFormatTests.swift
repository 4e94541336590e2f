import PhotoCodecs
import Testing

struct PhotoFormatTests {
    @Test(
        "The format is detected by the first bytes",
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE1], .jpeg),
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
            (Array("RIFF\u{4}\u{3}\u{2}\u{1}WEBPVP8 ".utf8), .webp),
            ([0, 0, 0, 0x14] + Array("ftypheic\0\0\0\0mif1".utf8), .heif),
            ([0, 0, 0, 0x18] + Array("ftypmif1\0\0\0\0miafavif".utf8), .avif),
            ([0, 0, 0, 0x14] + Array("ftypisom\0\0\0\0mp41".utf8), nil),
            ([0, 0, 0, 0x14] + Array("ftyp".utf8), nil),
            ([0xFF, 0x0A, 0, 0], .jpegXL),
            (Array("GIF89a".utf8), .gif),
            (Array("II*\0".utf8), .tiff),
            (Array("MM\0*".utf8), .tiff),
            (Array("II+\0\u{8}\0".utf8), .tiff),
            (Array("II*\0\u{10}\0\0\0CR\u{2}\0".utf8), .cameraRaw),
            ([0, 0, 0, 0x18] + Array("ftypcrx \0\0\0\u{1}crx isom".utf8), .cameraRaw),
            (Array("FUJIFILMCCD-RAW 0201".utf8), .cameraRaw),
            (Array("IIU\0".utf8), .cameraRaw),
            (Array("IIRO".utf8), .cameraRaw),
            (Array("II\u{1A}\0\0\0HEAPCCDR".utf8), .cameraRaw),
            (Array("FOVb".utf8), .cameraRaw),
            (Array("\0MRM".utf8), .cameraRaw),
            (Array("BM".utf8) + [0x36, 0x10, 0, 0, 0, 0, 0, 0], .bmp),
            ([0, 0, 0, 0x0C] + Array("jP  \r\n".utf8), .jpeg2000),
            ([0xFF, 0x4F, 0xFF, 0x51, 0, 0x2F], .jpeg2000),
            (Array("8BPS\0\u{1}".utf8), .photoshop),
            (Array("BMW is not an image".utf8), nil),
            (Array("<svg/>".utf8), nil),
            ([0xFF, 0xD8], nil),
            ([], nil),
        ] as [([UInt8], PhotoFormat?)])
    func sniffs(prefix: [UInt8], expected: PhotoFormat?) {
        #expect(PhotoFormat(prefix: prefix) == expected)
    }
}
