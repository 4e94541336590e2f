/// The extent of the measurements. Numbers of photos are rounded up, so that each photo of a set has equally many
/// copies.
struct Plan {
    let singlePhotos: Int
    let backlog: Int
    let rounds: Int
    let idleSeconds: Int
    let libraryPhotos: Int
    let starts: Int
    let rembgPhotos: Int

    static let full = Plan(
        singlePhotos: 30, backlog: 60, rounds: 3, idleSeconds: 20, libraryPhotos: 10_000, starts: 7, rembgPhotos: 8)
    static let quick = Plan(
        singlePhotos: 10, backlog: 20, rounds: 1, idleSeconds: 5, libraryPhotos: 500, starts: 3, rembgPhotos: 4)
}
