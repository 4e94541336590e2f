/// The elements of a JSON array as they were encoded last, and how to encode them. Elements before the first that has
/// changed are not encoded again: one more at the end of a long list costs as much as at the end of a short one.
package struct EncodedList<Element: Equatable & Sendable>: Sendable {
    /// The elements with the commas between them, without the brackets, in UTF-8.
    package private(set) var bytes: [UInt8] = []
    private var elements: [Element] = []
    /// Where the text of each element ends in `bytes`.
    private var ends: [Int] = []
    private let encode: @Sendable (Element, inout PageJSON) -> Void

    /// An empty list.
    ///
    /// - Parameter encode: writes one element, and nothing else that `bytes` depends on.
    package init(_ encode: @escaping @Sendable (Element, inout PageJSON) -> Void) { self.encode = encode }

    /// Makes `bytes` those of other elements.
    package mutating func update(_ new: [Element]) {
        var kept = 0
        while kept < elements.count, kept < new.count, elements[kept] == new[kept] { kept += 1 }
        ends.removeSubrange(kept...)
        bytes.removeSubrange((ends.last ?? 0)...)
        elements = new
        var json = PageJSON(continuesArray: kept > 0)
        for element in new[kept...] {
            encode(element, &json)
            bytes += json.take()
            ends.append(bytes.count)
        }
    }
}
