import StickerStudio

/// Sets for LINE Creators Market, each as a folder and as the ZIP that is uploaded there.
///
/// Rules: https://creator.line.me/en/guideline/sticker/. It limits the ZIP, too; 42 pictures of these sizes stay below
/// the limit even uncompressed.
struct LINEExport: PackExport {
    let name = "line"
    let title = "LINE"
    let purpose = "Upload the ZIP of a set at LINE Creators Market."

    /// The numbers of stickers that a set may have.
    static let setSizes = [8, 16, 24, 32, 40]
    static let picture = PictureForm(
        width: 370, height: 320, margin: 10, fit: .tightEven, format: .png, maxBytes: 1_000_000)
    static let main = PictureForm(width: 240, height: 240, margin: 10, format: .png, maxBytes: 1_000_000)
    static let tab = PictureForm(width: 96, height: 74, format: .png, maxBytes: 1_000_000)

    func plan(_ pack: ExportPack, _ book: inout NameBook) throws(ExportRefusal) -> ExportPlan {
        let smallest = Self.setSizes.first ?? 1
        try pack.require(smallest, for: title)
        let assignment = SetAssignment(export: name, maximum: Self.setSizes.last ?? smallest)
        var files: [ExportFile] = []
        var archives: [ExportFile] = []
        var leftOut = 0
        for set in assignment.sets(of: pack.stickers, &book) {
            let size = Self.setSizes.last { $0 <= set.stickers.count } ?? 0
            let numbered = numbered(set, upTo: size, &book)
            leftOut += set.stickers.count - numbered.count
            guard let first = numbered.first else { continue }
            let folder = ExportFileName.set(set.number, of: ExportFileName.identifier(of: pack))
            let pictures =
                numbered.enumerated().map { index, sticker in
                    (name: Self.file(index + 1), picture: ExportPicture(of: sticker, Self.picture))
                } + [
                    (name: "main.png", picture: ExportPicture(of: first, Self.main)),
                    (name: "tab.png", picture: ExportPicture(of: first, Self.tab)),
                ]
            files += pictures.map { ExportFile(folder + "/" + $0.name, .picture($0.picture)) }
            archives.append(
                ExportFile(
                    folder + ".zip", .zip(pictures.map { ExportEntry($0.name, .picture($0.picture)) }),
                    isDownload: true))
        }
        guard !files.isEmpty else { throw ExportRefusal(Self.scattered) }
        return ExportPlan(files: files + archives, notes: leftOut > 0 ? [Self.note(leftOut)] : [])
    }

    private static let scattered = """
        LINE takes sets of at least 8 stickers, and none of this pack's sets has as many; remove the "line" numbers \
        below "sets" in \(NameBook.fileName), so that the stickers are spread again
        """

    private static func note(_ count: Int) -> String {
        """
        \(ExportPack.stickerCount(count)) left out, because LINE takes sets of 8, 16, 24, 32 or 40 stickers.
        """
    }

    /// `01.png` to `40.png`.
    private static func file(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number).png" }

    /// The stickers of a set by number. Each keeps the number that it has in the book if the set is large enough; the
    /// first of the others fill the gaps.
    private func numbered(_ set: StickerSet, upTo size: Int, _ book: inout NameBook) -> [ExportSticker] {
        var byNumber: [Int: ExportSticker] = [:]
        var others: [ExportSticker] = []
        for sticker in set.stickers {
            if let number = book.stickers[sticker.file]?.numbers?[name], 1...max(1, size) ~= number, size > 0,
                byNumber[number] == nil
            {
                byNumber[number] = sticker
            } else {
                others.append(sticker)
            }
        }
        var waiting = others[...]
        for number in 1..<(size + 1) where byNumber[number] == nil { byNumber[number] = waiting.popFirst() }
        let places = byNumber.sorted { $0.key < $1.key }
        forget(set, &book)
        for (number, sticker) in places {
            var numbers = book.stickers[sticker.file]?.numbers ?? [:]
            numbers[name] = number
            book.stickers[sticker.file]?.numbers = numbers
        }
        return places.map(\.value)
    }

    /// Removes the numbers of a set, also those of stickers that are gone: others have them now.
    private func forget(_ set: StickerSet, _ book: inout NameBook) {
        for (file, entry) in book.stickers where entry.numbers?[name] != nil && entry.sets?[name] == set.number {
            book.stickers[file]?.numbers?[name] = nil
        }
    }
}
