/// The yardstick for times: `djpeg -scale 1/4` on one core, which does the first part of the same work.
enum Djpeg {
    private static let runs = 5

    /// Milliseconds for each photo of a set, medians, in the set's order.
    static func times(for set: PhotoSet) throws -> [Double] {
        try set.photos.map { photo in
            Sample(
                try (0..<runs).map { _ in
                    let ending = try ChildProcess(["djpeg", "-scale", "1/4", photo.path]).wait()
                    guard ending.status == 0 else { throw BenchError("djpeg ended with status \(ending.status)") }
                    return ending.wall.inMilliseconds
                }
            ).median
        }
    }
}
