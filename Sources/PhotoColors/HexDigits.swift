/// A fixed number of hexadecimal digits in lower case. A pack's page has millions, for which `String(_:radix:)` is
/// slow.
enum HexDigits {
    private static let digits = Array("0123456789abcdef".utf8)

    static func append(_ value: some FixedWidthInteger, count: Int, to text: inout [UInt8]) {
        for place in (0..<count).reversed() { text.append(digits[Int(truncatingIfNeeded: value >> (4 * place)) & 15]) }
    }
}
