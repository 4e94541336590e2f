/// The image format of a file, detected by its first bytes rather than its name. The Library stores the raw value.
package enum PhotoFormat: String, Codable, Hashable, Sendable, CaseIterable {
    case jpeg, png, webp, heif, avif, jpegXL, gif, tiff, bmp, jpeg2000, photoshop
    /// A camera's own format. Most are TIFF files, and are detected as that.
    case cameraRaw

    /// How many of the first bytes detection needs.
    package static let prefixLength = 64

    /// The format's usual name.
    package var name: String {
        switch self {
        case .jpeg: "JPEG"
        case .png: "PNG"
        case .webp: "WebP"
        case .heif: "HEIF"
        case .avif: "AVIF"
        case .jpegXL: "JPEG XL"
        case .gif: "GIF"
        case .tiff: "TIFF"
        case .bmp: "BMP"
        case .jpeg2000: "JPEG 2000"
        case .photoshop: "Photoshop"
        case .cameraRaw: "Camera raw"
        }
    }

    /// Nil if the bytes are not the beginning of a known image format. Does not validate the rest of the file.
    package init?(prefix: [UInt8]) {
        func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool { prefix.dropFirst(offset).starts(with: bytes) }
        func has(_ text: String, at offset: Int = 0) -> Bool { has(Array(text.utf8), at: offset) }

        if has([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .webp
        } else if has("ftyp", at: 4), let format = Self.format(ofBrandsIn: prefix) {
            self = format
        } else if has([0xFF, 0x0A]) || has([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]) {
            self = .jpegXL
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if Self.isCameraRaw(prefix) {
            self = .cameraRaw
        } else if ["II*\0", "MM\0*", "II+\0", "MM\0+"].contains(where: { has($0) }) {
            self = .tiff
        } else if has("BM"), has([0, 0, 0, 0], at: 6) {
            self = .bmp
        } else if has([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]) || has([0xFF, 0x4F, 0xFF, 0x51]) {
            self = .jpeg2000
        } else if has("8BPS") {
            self = .photoshop
        } else {
            return nil
        }
    }

    /// Canon's CRW, CR2 and CR3, Fujifilm's RAF, Panasonic's RW2, Olympus' ORF, Sigma's X3F and Minolta's MRW.
    private static func isCameraRaw(_ prefix: [UInt8]) -> Bool {
        let beginnings = [
            "FUJIFILMCCD-RAW", "IIU\0", "IIRO", "IIRS", "MMOR", "FOVb", "\0MRM", "II\u{1A}\0\0\0HEAPCCDR",
        ]
        return beginnings.contains { prefix.starts(with: Array($0.utf8)) }
            || prefix.dropFirst(4).starts(with: Array("ftypcrx ".utf8))
            || prefix.starts(with: Array("II*\0".utf8)) && prefix.dropFirst(8).starts(with: Array("CR".utf8))
    }

    /// Why a photo in this format cannot be decoded, if it has no decoder, and what to do.
    var refusal: String {
        switch self {
        case .tiff: "TIFF and camera raw are not supported; export as JPEG"
        case .cameraRaw: "Camera raw is not supported; export as JPEG"
        default: "\(name) is not supported; save as JPEG or PNG"
        }
    }

    /// Reads the brands of an ISO base media file (ISO/IEC 14496-12, `ftyp`): the major one, then the compatible ones.
    /// AVIF files may list `mif1` first, so any AVIF brand decides.
    private static func format(ofBrandsIn prefix: [UInt8]) -> PhotoFormat? {
        let boxEnd = min(prefix.count, prefix.prefix(4).reduce(0) { $0 << 8 | Int($1) })
        let brands = stride(from: 8, to: max(boxEnd, 8), by: 4).map {
            String(decoding: prefix[$0...].prefix(4), as: UTF8.self)
        }
        if brands.contains(where: ["avif", "avis"].contains) { return .avif }
        let heif = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
        return brands.contains(where: heif.contains) ? .heif : nil
    }
}
