import Foundation

/// Photos whose numbered copies take turns, so that any measurement has equally many of each.
struct PhotoSet {
    /// Those of which no sticker is made come first: the last copy of all is one that becomes a sticker.
    let photos: [Photo]
    /// The stickers that each photo becomes; 0 if it has no clear subject.
    let stickers: [Int]

    /// Makes the stickers of all photos once, to count them.
    ///
    /// Nil if none becomes a sticker.
    init?(_ all: [Photo], for subject: Subject) throws {
        let folder = try subject.scratch.folder("survey-photos")
        let paths = try all.enumerated().map { index, photo in try Self.write(photo, index, in: folder) }
        let output = try subject.scratch.folder("survey-stickers")
        _ = try subject.make(paths, output: output)
        let made = try FileManager.default.contentsOfDirectory(atPath: output).compactMap(Self.number)
        let counts = all.indices.map { index in made.count { $0 == index } }
        guard counts.contains(where: { $0 > 0 }) else { return nil }
        let order = all.indices.sorted { (min(counts[$0], 1), $0) < (min(counts[$1], 1), $1) }
        photos = order.map { all[$0] }
        stickers = order.map { counts[$0] }
    }

    /// Which of `photos` the copy with this number is of.
    func index(ofCopy number: Int) -> Int { number % photos.count }

    func stickers(ofCopy number: Int) -> Int { stickers[index(ofCopy: number)] }

    /// The numbers of at least `count` copies, equally many of each photo.
    func copies(atLeast count: Int) -> Range<Int> {
        0..<(count + photos.count - 1) / photos.count * photos.count
    }

    /// The bytes of a copy, different from those of all other copies.
    func copy(_ number: Int) -> Data { photos[index(ofCopy: number)].copy(number) }

    /// The name of a copy's file.
    static func fileName(_ number: Int) -> String { "photo-\(number).jpg" }

    /// The copy's number in the name of its file or sticker.
    static func number(in name: some StringProtocol) -> Int? {
        let words = name.split { $0 == "-" || $0 == "." }
        return words.count > 2 && words[0] == "photo" ? Int(words[1]) : nil
    }

    /// Writes copies to a folder and waits for the disk. Returns their paths.
    func fill(_ folder: String, with numbers: Range<Int>) throws -> [String] {
        let paths = try numbers.map { try Self.write(photos[index(ofCopy: $0)], $0, in: folder) }
        sync()
        return paths
    }

    private static func write(_ photo: Photo, _ number: Int, in folder: String) throws -> String {
        let path = "\(folder)/\(fileName(number))"
        _ = try DroppedFile.write(photo.copy(number), to: path)
        return path
    }
}
