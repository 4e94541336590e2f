import Foundation

/// What the daemon logged about each photo at `log.level` debug: the time of each stage, and the passes of the network.
struct StageLog {
    private struct Photo {
        /// Nil if the file's name is not that of a `PhotoSet`.
        let number: Int?
        /// Milliseconds, in the order of `stages`.
        let times: [Double]
        /// Few mean an easy photo: one without a second pass, or without thin parts.
        let passes: Int
    }

    private static let marker = "Processing times"
    /// In the order of the work; `colors` runs in parallel with `mask`, `matte` and `outline`.
    private static let stages = ["decode", "mask", "matte", "outline", "encode", "colors"]

    private let photos: [Photo]

    init(path: String) throws {
        photos = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains(Self.marker) }.map { line throws(BenchError) in
                var values: [Substring: Substring] = [:]
                for word in line.split(separator: " ") {
                    let pair = word.split(separator: "=", maxSplits: 1)
                    if pair.count == 2 { values[pair[0]] = pair[1] }
                }
                let times = Self.stages.compactMap { values[$0[...]].flatMap(Self.milliseconds) }
                guard times.count == Self.stages.count, let passes = values["passes"].flatMap({ Int($0) }) else {
                    throw BenchError("a line of the log lacks times or passes: \(line)")
                }
                return Photo(number: values["photo"].flatMap(PhotoSet.number), times: times, passes: passes)
            }
        guard !photos.isEmpty else { throw BenchError("\(path) has no processing times") }
    }

    /// Milliseconds of one stage, one value per photo.
    func sample(of stage: String) throws -> Sample {
        guard let index = Self.stages.firstIndex(of: stage) else { throw BenchError("there is no stage \(stage)") }
        return Sample(photos.map { $0.times[index] })
    }

    /// A row for each photo of the set that was processed, with medians of its copies; then the means of all photos,
    /// and each stage's share of their sum. With the passes of each photo's network, so that an easy set shows itself.
    ///
    /// - Parameter columns: further columns, with a value per photo of the set.
    func table(of set: PhotoSet? = nil, with columns: [(head: String, values: [Double?])] = []) -> String {
        var rows = [["", "MP", "passes"] + Self.stages + columns.map(\.head)]
        for (index, photo) in (set?.photos ?? []).enumerated() {
            let copies = photos.filter { $0.number.map { set?.index(ofCopy: $0) } == index }
            guard !copies.isEmpty else { continue }
            let times = Self.stages.indices.map { stage in Sample(copies.map { $0.times[stage] }).median }
            rows.append(
                [photo.name, photo.megapixels.map(Report.text) ?? "", Self.passes(of: copies)] + times.map(Report.text)
                    + columns.map { $0.values[index].map(Report.text) ?? "" })
        }
        let means = Self.stages.indices.map { stage in Sample(photos.map { $0.times[stage] }).mean }
        let sum = means.reduce(0, +)
        rows.append(
            ["mean", "", Self.passes(of: photos)] + means.map(Report.text)
                + columns.map { Report.text(Sample($0.values.compactMap(\.self)).mean) })
        rows.append(["share", "", ""] + means.map { "\(Int((100 * $0 / sum).rounded())) %" } + columns.map { _ in "" })
        return Console.table(rows)
    }

    private static func passes(of photos: [Photo]) -> String {
        Report.text(Sample(photos.map { Double($0.passes) }).mean)
    }

    /// `420us`, `31ms` or `12s`, as the daemon writes them: rounded down, on average by half a unit.
    private static func milliseconds(_ text: Substring) -> Double? {
        for (suffix, scale) in [("us", 0.001), ("ms", 1), ("s", 1000)] where text.hasSuffix(suffix) {
            return Double(text.dropLast(suffix.count)).map { ($0 + 0.5) * scale }
        }
        return nil
    }
}
