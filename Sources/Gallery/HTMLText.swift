/// Escapes untrusted text for HTML.
enum HTMLText {
    /// For element content and quoted attributes.
    static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A relative path as a URL's path: everything but RFC 3986's unreserved characters and `/` percent-encoded.
    static func address(_ path: String) -> String {
        var address = ""
        for unit in path.utf8 {
            switch unit {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                address.unicodeScalars.append(Unicode.Scalar(unit))
            default:
                let digits = String(unit, radix: 16, uppercase: true)
                address += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return address
    }
}
