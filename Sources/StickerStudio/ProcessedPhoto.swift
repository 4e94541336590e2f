package import PhotoFacts

/// The result for one photo: facts and files.
package struct ProcessedPhoto: Sendable {
    package struct Sticker: Sendable {
        package let facts: StickerFacts
        /// The sticker's file, in the recipe's format.
        package let data: [UInt8]
        /// A small WebP of the sticker for the gallery's grid.
        package let thumbnail: [UInt8]
        /// Nil unless it was requested.
        package let cutPath: CutPath?

        package init(facts: StickerFacts, data: [UInt8], thumbnail: [UInt8], cutPath: CutPath? = nil) {
            self.facts = facts
            self.data = data
            self.thumbnail = thumbnail
            self.cutPath = cutPath
        }
    }

    /// Without likeness if only the colors were requested.
    package let facts: PhotoFacts
    /// From left to right if each subject has its own; empty without a clear subject.
    package let stickers: [Sticker]
    package let timings: Timings
    /// What is wrong with the photo's file, if it could be decoded nevertheless: one line.
    package let flaw: String?
    /// Whether the photo's file ends before its container says so.
    package let endsEarly: Bool

    package init(facts: PhotoFacts, stickers: [Sticker], timings: Timings, flaw: String? = nil, endsEarly: Bool = false)
    {
        self.facts = facts
        self.flaw = flaw
        self.stickers = stickers
        self.timings = timings
        self.endsEarly = endsEarly
    }

    /// Times per step in microseconds. The second pass over a photo is included in the first one's steps, and the
    /// subject's colors in the photo's.
    package struct Timings: Codable, Sendable {
        package var decode = 0
        package var mask = 0
        package var matte = 0
        package var outline = 0
        package var encode = 0
        package var colors = 0
        /// The passes of the network over the photo: the first, the second, and that for thin parts; before them, up to
        /// two over a thumbnail that did not suffice.
        package var passes = 0

        /// Without the colors, which are found at the same time.
        package var total: Duration { .microseconds(decode + mask + matte + outline + encode) }
    }
}

/// Measures the times of consecutive steps.
struct Stopwatch {
    private let clock = ContinuousClock()
    private var last: ContinuousClock.Instant

    init() {
        last = clock.now
    }

    /// Adds the microseconds since the last call, or since the start, to `time`.
    mutating func lap(_ time: inout Int) {
        let now = clock.now
        time += (now - last).microseconds
        last = now
    }
}

extension Duration {
    /// Whole microseconds.
    package var microseconds: Int {
        Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
    }
}
