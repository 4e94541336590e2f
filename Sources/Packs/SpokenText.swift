/// The part of a name that describes the sticker to people who do not see it: without a camera's prefix and number,
/// such as `IMG 0012`, and without counters, such as `0012` and `(2)`, at either end.
struct SpokenText {
    /// Empty if no letter is left.
    let text: String

    /// - Parameter name: words separated by spaces or underscores.
    init(_ name: String) {
        var words = name.split { $0 == " " || $0 == "_" }[...]
        var isNumbered = false
        while let first = words.first {
            let isPrefix = Self.isPrefix(first)
            guard isPrefix || Self.isCounter(first) || isNumbered && Self.isNumber(first) else { break }
            isNumbered = isNumbered || isPrefix
            words = words.dropFirst()
        }
        while let last = words.last {
            words = words.dropLast()
            let rest = Self.withoutCopyNumber(last)
            guard !rest.isEmpty, !Self.isCounter(rest) else { continue }
            words.append(rest)
            break
        }
        text = words.contains { $0.contains(where: \.isLetter) } ? words.joined(separator: " ") : ""
    }

    /// The prefixes of most cameras and phones.
    private static let prefixes: Set<String> = ["DSC", "DSCF", "DSCN", "GOPR", "IMG", "MVIMG", "PICT", "PXL"]
    /// Panasonic and Olympus write `P` and at least this many digits.
    private static let panasonicDigits = 7
    /// The most digits of a copy's number: `(2019)` is a year.
    private static let maxCopyDigits = 3

    private static func isPrefix(_ word: Substring) -> Bool {
        let letters = word.prefix(while: isASCIILetter)
        let digits = word.dropFirst(letters.count)
        guard digits.allSatisfy(isASCIIDigit) else { return false }
        return prefixes.contains(letters.uppercased()) || letters == "P" && digits.count >= panasonicDigits
    }

    /// What follows a prefix: `0012`, `E0012`, `20240501`, `WA0003`, `101112123.MP`.
    private static func isNumber(_ word: Substring) -> Bool {
        let rest = word.drop(while: isASCIILetter)
        let digits = rest.prefix(while: isASCIIDigit)
        let end = rest.dropFirst(digits.count)
        return word.count - rest.count <= 3 && digits.count >= 3 && end.first.map { ".~-(".contains($0) } ?? true
    }

    private static func isCounter(_ word: Substring) -> Bool {
        word.count > 1 && word.first == "0" && word.allSatisfy(isASCIIDigit)
    }

    /// Without `(2)` at its end, which file managers add.
    static func withoutCopyNumber(_ word: Substring) -> Substring {
        guard word.last == ")", let opening = word.lastIndex(of: "(") else { return word }
        let number = word[opening...].dropFirst().dropLast()
        guard (1...maxCopyDigits).contains(number.count), number.allSatisfy(isASCIIDigit) else { return word }
        return word[..<opening]
    }

    private static func isASCIILetter(_ character: Character) -> Bool { character.isASCII && character.isLetter }

    private static func isASCIIDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
}
