/// Time per photo of a set in several rounds, in milliseconds and in multiples of djpeg's time for the same photos.
///
/// djpeg runs before and after each round, so that both have the same load.
struct Pace {
    /// Wall time per photo, in multiples of djpeg's, on two cores.
    private static let limit = 1.3

    private var times: [Double] = []
    private var ratios: [Double] = []

    /// - Parameter measure: returns the milliseconds per photo of a round.
    init(of set: PhotoSet, rounds: Int, measure: (_ round: Int) throws -> Double) throws {
        var before = Sample(try Djpeg.times(for: set)).mean
        for round in 0..<rounds {
            let time = try measure(round)
            let after = Sample(try Djpeg.times(for: set)).mean
            times.append(time)
            ratios.append(time / ((before + after) / 2))
            before = after
        }
    }

    func add(_ name: String, of subject: Subject, to report: inout Report) {
        let (ratios, time) = (Sample(ratios), Sample(times).median)
        report.add(
            name, limit: subject.scaled(Self.limit), unit: "× djpeg", measured: ratios.median,
            remark: "\(Report.text(time)) ms a photo, \(Report.text(1000 / time)) a second; worst "
                + "\(Report.text(ratios.worst)) ×")
    }
}
