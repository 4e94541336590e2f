import Foundation

/// Many photos of one megapixel, as messengers send them, through `stickerd make`.
struct SmallPhotosMeasurement {
    let subject: Subject
    let count: Int

    /// In milliseconds: 45 photos a second.
    private static let limit = 22.2
    private static let promisedCores = 2.0
    private static let (width, height) = (1152, 864)

    func run(into report: inout Report) throws {
        let path = subject.scratch.path(of: "megapixel.jpg")
        try DrawnPhoto(width: Self.width, height: Self.height).write(to: path, quality: 85)
        guard let photo = Photo(path: path) else { throw BenchError("cjpeg made no JPEG") }
        let folder = try subject.scratch.folder("small-photos")
        let photos = try photo.copies(count, in: folder)
        let ending = try subject.make(photos, output: subject.scratch.folder("small-stickers")).wait()
        guard ending.status == 0 else { throw BenchError("stickerd make ended with status \(ending.status)") }
        let time = ending.wall.inMilliseconds / Double(count)
        report.add(
            "Photos of one megapixel, stickerd make", limit: Self.limit * Self.promisedCores / Double(subject.cores),
            unit: "ms", measured: time, remark: "\(Report.text(1000 / time)) a second")
    }
}
