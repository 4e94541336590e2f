internal import CGalleryAssets

/// The page's fixed parts inside the binary, and the slots for variable content.
enum PageTemplate {
    /// `{{name}}` in `gallery.html`.
    enum Slot: String {
        case contents, icon, policy, script, social, style, title
    }

    enum Part {
        case text([UInt8])
        case slot(Slot)
    }

    static let style = asset(GALLERY_STYLE)
    static let script = asset(GALLERY_SCRIPT)

    /// `gallery.html` cut at its slots.
    static let parts: [Part] = {
        var parts: [Part] = []
        var rest = asset(GALLERY_TEMPLATE)[...]
        while let opening = rest.firstRange(of: Array("{{".utf8)),
            let closing = rest[opening.upperBound...].firstRange(of: Array("}}".utf8)),
            let slot = Slot(
                rawValue: String(decoding: rest[opening.upperBound..<closing.lowerBound], as: UTF8.self))
        {
            parts += [.text(Array(rest[..<opening.lowerBound])), .slot(slot)]
            rest = rest[closing.upperBound...]
        }
        return parts + [.text(Array(rest))]
    }()

    /// Everything after the contents: the script, which reads them, follows them.
    static let end: [UInt8] = {
        guard let contents = parts.firstIndex(where: { if case .slot(.contents) = $0 { true } else { false } })
        else { return [] }
        return parts[(contents + 1)...].reduce(into: []) { end, part in
            switch part {
            case .text(let text): end += text
            case .slot(.script): end += script
            case .slot: preconditionFailure("Only the script may follow the contents")
            }
        }
    }()

    private static func asset(_ asset: gallery_asset) -> [UInt8] {
        // It exists for the life of the process, and is never written.
        unsafe Array(UnsafeBufferPointer(start: gallery_asset_bytes(asset), count: gallery_asset_size(asset)))
    }
}
