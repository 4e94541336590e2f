import PackFacts
import StickerStudio

/// Sets for LINE Creators Market, each as a folder and as the ZIP that is uploaded there.
///
/// Rules: https://creator.line.me/en/guideline/sticker/. It allows ZIPs of 20 MB: the largest set is smaller even
/// uncompressed.
struct LINEExport: PackExport {
    let name = "line"
    let title = "LINE"
    let purpose = "Upload each ZIP at LINE Creators Market."

    /// The numbers of stickers that a set may have.
    static let setSizes = [8, 16, 24, 32, 40]
    static let picture = PictureForm(
        width: 370, height: 320, margin: 10, fit: .tightEven, format: .png, maxBytes: 1_000_000)
    static let main = PictureForm(width: 240, height: 240, margin: 10, format: .png, maxBytes: 1_000_000)
    static let tab = PictureForm(width: 96, height: 74, format: .png, maxBytes: 1_000_000)

    func plan(_ pack: Pack, _ book: inout NameBook) throws(ExportRefusal) -> ExportPlan {
        let smallest = Self.setSizes.first ?? 1
        try pack.require(smallest, for: title)
        let sets = sets(of: pack, atLeast: smallest, &book)
        let chosen = number(sets, &book)
        var files: [ExportFile] = []
        var archives: [ExportFile] = []
        var leftOut = 0
        for (set, numbered) in zip(sets, chosen) {
            leftOut += set.stickers.count - numbered.count
            guard let first = numbered.first else { continue }
            let stem = ExportFileName.set(set.number, of: ExportFileName.identifier(of: pack))
            let folder = stem + "/"
            let pictures =
                numbered.enumerated().map { index, sticker in
                    ExportFile(folder + Self.file(index + 1), .picture(ExportPicture(of: sticker, Self.picture)))
                } + [
                    ExportFile(folder + "main.png", .picture(ExportPicture(of: first, Self.main))),
                    ExportFile(folder + "tab.png", .picture(ExportPicture(of: first, Self.tab))),
                ]
            files += pictures
            archives.append(pictures.zipped(as: stem + ".zip", without: folder))
        }
        return ExportPlan(files: files + archives, notes: leftOut > 0 ? [Self.note(leftOut)] : [])
    }

    private static func note(_ count: Int) -> String {
        let leftOut = "\(Pack.stickerCount(count)) \(count == 1 ? "is" : "are") left out"
        return leftOut + ", because LINE takes sets of 8, 16, 24, 32 or 40 stickers."
    }

    /// `01.png` to `40.png`.
    private static func file(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number).png" }

    /// As `SetAssignment` gives them; joined only if none is large enough.
    private func sets(of pack: Pack, atLeast smallest: Int, _ book: inout NameBook) -> [StickerSet] {
        var assignment = SetAssignment(export: name, maximum: Self.setSizes.last ?? smallest)
        let sets = assignment.sets(of: pack.stickers, &book)
        guard !sets.contains(where: { $0.stickers.count >= smallest }) else { return sets }
        assignment.minimum = smallest
        return assignment.sets(of: pack.stickers, &book)
    }

    /// For each set, the stickers that go into it, in the order of their numbers; none if it is too small.
    ///
    /// Each keeps the number that it has in the book unless the set became smaller; the first of the others fill the
    /// gaps. Numbers of stickers that are gone are given again.
    private func number(_ sets: [StickerSet], _ book: inout NameBook) -> [[PackEntry]] {
        let chosen = sets.map { set in
            Self.setSizes.last { $0 <= set.stickers.count }.map { numbered(set, upTo: $0, book) } ?? []
        }
        // A set that is too small now keeps its numbers: it may be large enough again.
        let waiting = Set(zip(sets, chosen).filter { $1.isEmpty }.map { $0.0.number })
        for (file, entry) in book.stickers where entry.numbers?[name] != nil {
            if let set = entry.sets?[name], waiting.contains(set) { continue }
            book.stickers[file]?.numbers?[name] = nil
        }
        for (index, sticker) in chosen.flatMap({ $0.enumerated() }) {
            let numbers = book.stickers[sticker.file]?.numbers ?? [:]
            book.stickers[sticker.file]?.numbers = numbers.merging([name: index + 1]) { $1 }
        }
        return chosen
    }

    private func numbered(_ set: StickerSet, upTo size: Int, _ book: NameBook) -> [PackEntry] {
        var byNumber = [PackEntry?](repeating: nil, count: size)
        var others: [PackEntry] = []
        for sticker in set.stickers {
            let number = book.stickers[sticker.file]?.numbers?[name] ?? 0
            if (1...size).contains(number), byNumber[number - 1] == nil {
                byNumber[number - 1] = sticker
            } else {
                others.append(sticker)
            }
        }
        var waiting = others[...]
        return byNumber.compactMap { $0 ?? waiting.popFirst() }
    }
}
