/// One pack while it is being decided.
struct Standing {
    /// The index of the file that stands for the photo; nil if no file holds it here.
    var first: Int?
    /// The removals that the photo brings along from other packs are in.
    var removed: [Int]
    /// The stickers that are all there, none of them to be made again.
    var edition: Edition?
    /// Why the photo is to have no sticker here.
    var objection: Decision.Evidence?
    /// The state of the file that stands for the photo.
    var state: FileState?
    var work: Decision.Work?
    /// The recipe whose result the pack goes by.
    var decided: String?

    init(_ facts: KnownPhoto.InPack) {
        var first: (index: Int, order: (Int, Int64, Int64))?
        for (index, file) in facts.files.enumerated() {
            guard let rank = file.rank, facts.isShown || file.presence != .unknown else { continue }
            let order = (rank, file.arrival, file.id)
            if let first, first.order < order { continue }
            first = (index, order)
        }
        self.first = first?.index
        removed = facts.removed.sorted()
        decided = first == nil ? nil : facts.decided
    }

    var isHeld: Bool { first != nil }
    var isComplete: Bool { edition != nil }

    /// Stickers that one recipe made of the photo, numbered from 0.
    struct Edition {
        let recipe: String
        let count: Int

        func contains(_ sticker: KnownPhoto.Sticker) -> Bool { sticker.recipe == recipe && sticker.ordinal < count }
    }

    /// Sets work that is to be done with a file, if it can be read.
    mutating func set(_ work: Decision.Work, _ file: KnownPhoto.File) {
        (state, self.work) = file.isUnreadable ? (.failed, nil) : (.pending, work)
    }
}

extension KnownPhoto {
    /// The recipe whose stickers are all there, and how many it made; any others have been replaced. Two recipes cannot
    /// be: each would have to have made the first sticker that is not removed.
    func edition(_ pack: Int, _ removed: [Int]) -> Standing.Edition? {
        let stickers = packs[pack].stickers
        for result in results {
            guard case .made(let count) = result.outcome, (0..<count).contains(where: { !removed.contains($0) }),
                isMade(count, by: result.recipe, stickers, removed)
            else { continue }
            return Standing.Edition(recipe: result.recipe, count: count)
        }
        // Taken over, of a recipe without a result; or a later try with the same recipe failed.
        guard let first = stickers.first(where: { !removed.contains($0.ordinal) }),
            !results.contains(where: { $0.recipe == first.recipe && $0.outcome != .failed })
        else { return nil }
        let isUniform = stickers.allSatisfy {
            removed.contains($0.ordinal) || $0.isPublished && !$0.isRequested && $0.recipe == first.recipe
        }
        return isUniform ? Standing.Edition(recipe: first.recipe, count: .max) : nil
    }

    /// Whether the stickers that a recipe made of the photo are all there.
    func isMade(_ count: Int, by recipe: String, _ stickers: [Sticker], _ removed: [Int]) -> Bool {
        (0..<count).allSatisfy { ordinal in
            removed.contains(ordinal)
                || stickers.contains {
                    $0.ordinal == ordinal && $0.recipe == recipe && $0.isPublished && !$0.isRequested
                }
        }
    }
}
