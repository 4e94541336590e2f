internal import CPhotoShims

/// Whether a photo's file is complete, by its container alone.
extension PhotoSource {
    /// The most chunks or boxes read; a photo has fewer.
    private static let maxParts = 100_000
    private static let scanned = 1 << 16
    /// The most APP1 segments searched for XMP; a photo has two or three.
    private static let maxSearched = 16
    /// The most pictures, and directory entries, read of a Multi-Picture Format segment.
    private static let maxPictures: UInt64 = 64

    /// Whether the file ends before its container says so, or in zeros: its writer may not have finished yet. False if
    /// that cannot be told, or if the file cannot be read.
    package func endsEarly() -> Bool {
        guard let count = try? count(), let format = PhotoFormat(prefix: bytes(at: 0, PhotoFormat.prefixLength)) else {
            return false
        }
        return switch format {
        case .jpeg: jpegEndsEarly(count)
        case .png: pngEndsEarly(count)
        case .webp: bytes(at: 4, 4).reversed().reduce(0) { $0 << 8 | UInt64($1) } + 8 > count || endsInZeros(count)
        case .heif, .avif: boxesEndEarly(count) || endsInZeros(count)
        default: false
        }
    }

    /// Looks for the end marker of the image data: the thumbnail in the segments before has one of its own.
    private func jpegEndsEarly(_ count: UInt64) -> Bool {
        let hasEndMarker = bytes(at: count - 2, 2) == [0xFF, 0xD9]
        var position: UInt64 = 2
        var appended: UInt64 = 0
        var searched = 0
        // A photo has one list of pictures, and reading it may take thousands of calls.
        var hasList = false
        for _ in 0..<Self.maxParts {
            let segment = bytes(at: position, 4)
            guard segment.count == 4 else { return !hasEndMarker }
            guard segment[0] == 0xFF, segment[1] != 0xDA, segment[1] != 0xD9 else { break }
            if segment[1] == 0xE2, !hasList, let end = endOfPictures(in: position + 4) {
                if end > count { return true }
                hasList = true
            }
            if segment[1] == 0xE1, searched < Self.maxSearched {
                searched += 1
                appended = max(appended, announcedBytes(in: bytes(at: position + 4, Int(number(at: position + 2, 2)))))
            }
            // A marker may follow fill bytes.
            position += segment[1] == 0xFF ? 1 : 2 + number(at: position + 2, 2)
        }
        if hasEndMarker, appended == 0 { return false }
        while position + 1 < count {
            let part = bytes(at: position, Self.scanned)
            for index in part.indices.dropLast() where part[index] == 0xFF && part[index + 1] == 0xD9 {
                return position + UInt64(index) + 2 + appended > count
            }
            guard part.count > 1 else { return true }
            // The marker may begin with the last byte.
            position += UInt64(part.count - 1)
        }
        return true
    }

    /// Where the last picture ends that a Multi-Picture Format segment lists (CIPA DC-007, 5.2), such as a gain map;
    /// nil for any other segment.
    private func endOfPictures(in segment: UInt64) -> UInt64? {
        guard bytes(at: segment, 4) == Array("MPF\0".utf8) else { return nil }
        let tiff = segment + 4
        let isLittle = bytes(at: tiff, 2) == Array("II".utf8)
        func value(_ position: UInt64, _ length: Int) -> UInt64 {
            let bytes = bytes(at: tiff + position, length)
            return (isLittle ? bytes.reversed() : bytes).reduce(0) { $0 << 8 | UInt64($1) }
        }
        let directory = value(4, 4)
        var end: UInt64 = 0
        for tag in 0..<min(value(directory, 2), Self.maxPictures) where value(directory + 2 + 12 * tag, 2) == 0xB002 {
            let (size, list) = (value(directory + 6 + 12 * tag, 4), value(directory + 10 + 12 * tag, 4))
            for entry in 0..<min(size / 16, Self.maxPictures) {
                let offset = value(list + 16 * entry + 8, 4)
                // The first picture's is 0: it begins with the file.
                end = max(end, (offset == 0 ? 0 : tiff + offset) + value(list + 16 * entry + 4, 4))
            }
        }
        return end
    }

    /// How many bytes a segment's XMP says to follow the image: a motion photo's video, or a gain map. The lengths of
    /// the items in its Container directory, or the older MicroVideoOffset
    /// (https://developer.android.com/media/platform/motion-photo-format).
    private func announcedBytes(in segment: [UInt8]) -> UInt64 {
        guard segment.starts(with: Array("http://ns.adobe.com/xap/1.0/\0".utf8)) else { return 0 }
        let xmp = String(decoding: segment, as: UTF8.self)
        // Longer numbers are not lengths.
        let numbers = xmp.matches(of: /(Item:Length|Item:Padding|MicroVideoOffset)(?:="|>)([0-9]{1,12})["<]/)
        let items = numbers.filter { $0.1 != "MicroVideoOffset" }
        return (items.isEmpty ? numbers : items).reduce(0) { $0 + (UInt64($1.2) ?? 0) }
    }

    private func pngEndsEarly(_ count: UInt64) -> Bool {
        var position: UInt64 = 8
        for _ in 0..<Self.maxParts where position + 12 <= count {
            let isLast = bytes(at: position + 4, 4) == Array("IEND".utf8)
            // Not written yet.
            if number(at: position + 4, 4) == 0 { return true }
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

    /// Whether the file of `count` bytes ends as `photo_source_ends_in_zeros` says.
    func endsInZeros(_ count: UInt64) -> Bool {
        // The source outlives the call.
        unsafe withCSource(count: count) { source in
            unsafe withUnsafePointer(to: source) { unsafe photo_source_ends_in_zeros($0, 0, count) }
        }
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
