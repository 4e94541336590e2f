/// The output of `stickerd status --json`.
struct StatusReport: Decodable {
    let photos: [String: Int]
    let scanning: Bool

    func count(_ state: String) -> Int { photos[state] ?? 0 }
    var isDrained: Bool { !scanning && count("pending") == 0 && count("processing") == 0 }
}
