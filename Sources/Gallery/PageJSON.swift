import PhotoColors

/// Writes JSON that is safe inside an HTML `<script>`: no string can produce a tag, a comment or a character reference.
/// It is written in pieces, and `take` removes what has been written so far. `pack.json` is written the same way.
package struct PageJSON {
    private var bytes: [UInt8] = []
    private var needsComma = false

    package init() {}

    /// - Parameter continuesArray: whether elements of the same array precede what is written first.
    init(continuesArray: Bool) { needsComma = continuesArray }

    /// Removes and returns what was written since the last call, as UTF-8.
    package mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Begins an object, to be ended by `close`.
    mutating func open(_ opening: StaticString, _ members: (inout PageJSON) -> Void) {
        raw(opening)
        needsComma = false
        members(&self)
    }

    /// Begins an array of `line`s, to be ended by `close`.
    package mutating func openArray(_ key: StaticString) {
        self.key(key)
        raw("[")
        needsComma = false
    }

    /// Begins an array of `line`s that is the whole value, to be ended by `close`.
    mutating func openList() {
        raw("[")
        needsComma = false
    }

    /// - Parameter closing: `]` or `}`, the end of what was opened last.
    package mutating func close(_ closing: StaticString) {
        raw(closing)
        needsComma = true
    }

    /// The next value of an array, on a line of its own.
    package mutating func line(_ write: (inout PageJSON) -> Void) {
        separate()
        raw("\n")
        write(&self)
        needsComma = true
    }

    /// A value that was written before, by another `PageJSON`.
    package mutating func append(_ value: [UInt8]) {
        bytes += value
        needsComma = true
    }

    package mutating func object(_ members: (inout PageJSON) throws -> Void) rethrows {
        try enclose("{", "}", members)
    }

    package mutating func array<Value>(_ key: StaticString, _ values: [Value], _ write: (Value, inout PageJSON) -> Void)
    {
        self.key(key)
        enclose("[", "]") { json in
            for value in values {
                json.separate()
                write(value, &json)
            }
        }
    }

    /// An array whose elements were encoded before.
    mutating func array(_ key: StaticString, encoded elements: [UInt8]) {
        self.key(key)
        enclose("[", "]") { $0.append(elements) }
    }

    /// A string in an array.
    package mutating func value(_ text: String) {
        string(text)
        needsComma = true
    }

    package mutating func member(_ key: StaticString, _ members: (inout PageJSON) -> Void) {
        self.key(key)
        enclose("{", "}", members)
    }

    package mutating func member(_ key: StaticString, _ value: Int) {
        self.key(key)
        number(value)
        needsComma = true
    }

    /// Omits nil values.
    package mutating func member(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        self.key(key)
        string(value)
        needsComma = true
    }

    /// The largest magnitude of a number.
    private static let limit = 1e9

    /// With at most `decimals` decimals, 0…6; writes 0 for NaN.
    package mutating func member(_ key: StaticString, _ value: Double, decimals: Int) {
        self.key(key)
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        // The number may come from another program's file: conversion must not trap.
        let value = value.isNaN ? 0 : min(max(value, -Self.limit), Self.limit)
        let parts = Int((value * Double(scale)).rounded()).quotientAndRemainder(dividingBy: scale)
        if value < 0, parts.quotient == 0 { raw("-") }
        number(parts.quotient)
        var digits = String(abs(parts.remainder))
        digits = String(repeating: "0", count: max(0, decimals - digits.count)) + digits
        while digits.last == "0" { digits.removeLast() }
        if !digits.isEmpty { bytes.append(contentsOf: ".\(digits)".utf8) }
        needsComma = true
    }

    private mutating func key(_ key: StaticString) {
        separate()
        // The keys are this project's own: none has a character to escape.
        raw("\"")
        raw(key)
        raw("\":")
    }

    private mutating func enclose(
        _ opening: StaticString, _ closing: StaticString, _ body: (inout PageJSON) throws -> Void
    ) rethrows {
        raw(opening)
        needsComma = false
        try body(&self)
        raw(closing)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { raw(",") }
        needsComma = false
    }

    private mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Appends the digits directly, because making a string would take longer than the rest.
    private mutating func number(_ value: Int) {
        if value < 0 { raw("-") }
        let start = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    private mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        // Most strings have nothing special, and are copied at once.
        guard text.utf8.contains(where: Self.isSpecial) else { return bytes.append(contentsOf: text.utf8) }
        for unit in text.utf8 {
            guard Self.isSpecial(unit) else {
                bytes.append(unit)
                continue
            }
            guard unit >= 0x80 else {
                escape(unit)
                continue
            }
            bytes.append(unit)
            escapeLineSeparator()
        }
    }

    /// Whether a byte must be escaped, or may end a line separator (e2 80 a8, e2 80 a9).
    private static func isSpecial(_ unit: UInt8) -> Bool {
        switch unit {
        case ..<0x20, 0x7f, 0xa8, 0xa9: true
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"): true
        default: false
        }
    }

    private mutating func escape(_ unit: UInt8) {
        let digits = String(unit, radix: 16)
        bytes.append(contentsOf: (digits.count == 1 ? "\\u000" : "\\u00").utf8)
        bytes.append(contentsOf: digits.utf8)
    }

    /// U+2028 and U+2029 (e2 80 a8, e2 80 a9) end a line in older JavaScript.
    private mutating func escapeLineSeparator() {
        guard bytes.count >= 3, bytes[bytes.count - 3] == 0xe2, bytes[bytes.count - 2] == 0x80,
            let last = bytes.last
        else { return }
        bytes.removeLast(3)
        bytes.append(contentsOf: (last == 0xa8 ? "\\u2028" : "\\u2029").utf8)
    }
}

extension PageJSON {
    /// The page's data block before its stickers; `contents.js` reads it.
    ///
    /// - Parameter build: identifies the page's style and script; an open page that finds another value reloads itself.
    mutating func opening(_ contents: GalleryContents, build: String) {
        open("{") { json in
            json.member("build", build)
            json.member("revision", contents.revision)
            json.member("updated", contents.updated)
            json.member("pack") { json in
                json.member("name", contents.pack.name)
                json.member("identifier", contents.pack.identifier)
                json.member("publisher", contents.pack.publisher)
            }
            json.member("colorCount", contents.colorCount)
            if let archive = contents.archive {
                json.member("archive") { json in
                    json.member("file", archive.file)
                    json.member("bytes", archive.bytes)
                    json.member("stickers", archive.stickers)
                    if archive.isNewest { json.member("newest", 1) }
                }
            }
            json.member("pending", contents.pending)
            json.member("total", contents.total)
            json.array("waiting", contents.waiting) { waiting, json in
                json.object { $0.member("name", waiting.name) }
            }
            json.array("without", contents.without) { without, json in
                json.object { json in
                    json.member("name", without.name)
                    json.member("reason", without.reason)
                    json.member("photo", without.photo?.description)
                }
            }
            if let pages = contents.pages {
                json.member("withoutCount", contents.withoutCount)
                json.array("pages", encoded: pages)
            }
            json.openArray("stickers")
        }
    }

    /// A script's name and how many stickers it has, in few bytes: a page may list a thousand.
    package mutating func page(_ page: GalleryContents.Page) {
        separate()
        raw("[")
        value(page.name)
        raw(",")
        number(page.stickers)
        raw("]")
        needsComma = true
    }

    /// A call of a JavaScript function with a string and an array of `line`s.
    mutating func call(_ function: StaticString, _ text: String, _ lines: (inout PageJSON) -> Void) {
        raw(function)
        raw("(")
        string(text)
        raw(",[")
        needsComma = false
        lines(&self)
        raw("]);\n")
    }

    /// The end of the data block, after the last sticker.
    mutating func closing() {
        close("]")
        close("}")
    }

    mutating func sticker(_ sticker: GalleryContents.Sticker) {
        object { json in
            json.member("id", sticker.id)
            json.member("file", sticker.file)
            json.member("thumbnail", sticker.thumbnail)
            json.member("width", sticker.width)
            json.member("height", sticker.height)
            json.member("bytes", sticker.bytes)
            json.member("name", sticker.name)
            if !sticker.emoji.isEmpty { json.array("emoji", sticker.emoji) { $1.value($0) } }
            json.member("added", sticker.added)
            json.member("photo", sticker.photo?.description)
            json.member("subject", sticker.subject?.description)
        }
    }
}
