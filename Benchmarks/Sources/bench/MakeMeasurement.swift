/// Many photos at once through `stickerd make`: time per photo relative to djpeg.
struct MakeMeasurement {
    let subject: Subject
    let set: PhotoSet
    let name: String
    let count: Int
    let rounds: Int

    func run(into report: inout Report) throws {
        let photos = try set.fill(subject.scratch.folder("make-photos"), with: set.copies(atLeast: count))
        let pace = try Pace(of: set, rounds: rounds) { _ in
            let time = try subject.make(photos, output: subject.scratch.folder("make-stickers"))
            return time.inMilliseconds / Double(photos.count)
        }
        pace.add(name, of: subject, to: &report)
    }
}
