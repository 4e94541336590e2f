/// The extent of the measurements.
struct Plan {
    let singlePhotos: Int
    let backlog: Int
    let rounds: Int
    let idleSeconds: Int
    let libraryPhotos: Int
    let starts: Int
    let smallPhotos: Int
    let rembgPhotos: Int

    static let full = Plan(
        singlePhotos: 15, backlog: 48, rounds: 3, idleSeconds: 20, libraryPhotos: 10_000, starts: 7, smallPhotos: 200,
        rembgPhotos: 8)
    static let quick = Plan(
        singlePhotos: 5, backlog: 16, rounds: 1, idleSeconds: 5, libraryPhotos: 500, starts: 3, smallPhotos: 60,
        rembgPhotos: 4)
}
