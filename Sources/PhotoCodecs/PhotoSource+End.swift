internal import CPhotoShims

/// Whether a photo's file is complete, by its container alone.
extension PhotoSource {
    /// The most chunks or boxes read; a photo has fewer.
    private static let maxParts = 100_000
    private static let scanned = 1 << 16

    /// Whether the file ends before its container says so: its writer may not have finished yet. False if that cannot be
    /// told, or if the file cannot be read.
    package func endsEarly() -> Bool {
        guard let count = try? count(), let format = PhotoFormat(prefix: bytes(at: 0, PhotoFormat.prefixLength)) else {
            return false
        }
        return switch format {
        case .jpeg: jpegEndsEarly(count)
        case .png: pngEndsEarly(count)
        case .webp: bytes(at: 4, 4).reversed().reduce(0) { $0 << 8 | UInt64($1) } + 8 > count
        case .heif, .avif: boxesEndEarly(count)
        case .jpegXL, .gif, .tiff, .bmp, .cameraRaw: false
        }
    }

    /// Looks for the end marker of the image data: the thumbnail in the segments before has one of its own.
    private func jpegEndsEarly(_ count: UInt64) -> Bool {
        if bytes(at: count - 2, 2) == [0xFF, 0xD9] { return false }
        var position: UInt64 = 2
        for _ in 0..<Self.maxParts {
            let segment = bytes(at: position, 4)
            guard segment.count == 4 else { return true }
            guard segment[0] == 0xFF, segment[1] != 0xDA, segment[1] != 0xD9 else { break }
            // A marker may follow fill bytes.
            position += segment[1] == 0xFF ? 1 : 2 + number(at: position + 2, 2)
        }
        while position + 1 < count {
            let part = bytes(at: position, Self.scanned)
            for index in part.indices.dropLast() where part[index] == 0xFF && part[index + 1] == 0xD9 { return false }
            guard part.count > 1 else { return true }
            // The marker may begin with the last byte.
            position += UInt64(part.count - 1)
        }
        return true
    }

    private func pngEndsEarly(_ count: UInt64) -> Bool {
        var position: UInt64 = 8
        for _ in 0..<Self.maxParts where position + 12 <= count {
            let isLast = bytes(at: position + 4, 4) == Array("IEND".utf8)
            position += 12 + number(at: position, 4)
            if isLast { return position > count }
        }
        return position > count || position + 12 > count
    }

    /// Of an ISO base media file (ISO/IEC 14496-12, 4.2).
    private func boxesEndEarly(_ count: UInt64) -> Bool {
        var position: UInt64 = 0
        var hasPixels = false
        for _ in 0..<Self.maxParts where position < count {
            guard count - position >= 8 else { return true }
            if bytes(at: position + 4, 4) == Array("mdat".utf8) { hasPixels = true }
            var size = number(at: position, 4)
            if size == 1 { size = number(at: position + 8, 8) }
            // The box reaches to the end of the file, or is invalid.
            guard size >= 8 else { return false }
            let (next, isTooLarge) = position.addingReportingOverflow(size)
            if isTooLarge || next > count { return true }
            position = next
        }
        return !hasPixels
    }

    /// A number in big-endian order; 0 if the file ends before it.
    private func number(at position: UInt64, _ length: Int) -> UInt64 {
        let bytes = bytes(at: position, length)
        return bytes.count == length ? bytes.reduce(0) { $0 << 8 | UInt64($1) } : 0
    }

    /// Fewer at the end of the file; none if it cannot be read.
    private func bytes(at position: UInt64, _ length: Int) -> [UInt8] {
        guard let count = try? count(), position < count else { return [] }
        var bytes = [UInt8](repeating: 0, count: min(length, Int(count - position)))
        // C writes at most the given length.
        let got = unsafe withCSource(count: count) { source in
            unsafe withUnsafePointer(to: source) { unsafe photo_source_read($0, position, &bytes, bytes.count) }
        }
        return Array(bytes.prefix(max(0, got)))
    }
}
