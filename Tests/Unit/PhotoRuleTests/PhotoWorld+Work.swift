@testable import PhotoRule
import TestSupport

/// The work that follows from decisions, in any order, with failures in between.
extension PhotoWorld {
    enum Step: Equatable {
        case read(Int64)
        case withdraw
        case claim(Int)
        case finish(Int)
        case list(Int)
    }

    /// What could be done next.
    var steps: [Step] {
        var steps: [Step] = []
        for file in files where file.presence == .unread && file.state == .pending && !file.isUnreadable {
            steps.append(.read(file.id))
        }
        for pack in packs.indices {
            if packs[pack].stickers.contains(where: { $0.isPublished && !$0.isListed }) { steps.append(.list(pack)) }
            let isClaimed = claims.contains { $0.pack == pack }
            if !isClaimed, decision.packs[pack].work != nil, claimable(pack) != nil { steps.append(.claim(pack)) }
        }
        if isLate, decision.packs.contains(where: { !$0.withdrawn.isEmpty }) { steps.append(.withdraw) }
        for index in claims.indices { steps.append(.finish(index)) }
        return steps
    }

    private func claimable(_ pack: Int) -> Int? {
        files.firstIndex { $0.pack == pack && !$0.isNew && $0.state == .pending && $0.presence != .unread }
    }

    mutating func take(_ step: Step) {
        switch step {
        case .read(let id): files.firstIndex { $0.id == id }.map { read($0) }
        case .withdraw: apply(decide(), withdrawing: true)
        case .claim(let pack):
            guard let index = claimable(pack) else { return }
            files[index].isClaimed = true
            claims.append(Claim(pack: pack, file: files[index].id, recipe: recipe))
        case .finish(let index): finish(claims.remove(at: index))
        case .list(let pack):
            for index in packs[pack].stickers.indices where packs[pack].stickers[index].isPublished {
                packs[pack].stickers[index].isListed = true
            }
        }
        settle()
    }

    /// Brings the world to rest in random order. Returns false if that takes too long.
    mutating func rest() -> Bool {
        isCalm = true
        // Contents are facts: what is known of them first decides, as the order of arrival does.
        for case .read(let id) in steps { take(.read(id)) }
        for _ in 0..<200 {
            let steps = steps
            if steps.isEmpty { return true }
            take(steps[below(steps.count)])
        }
        return false
    }

    /// Ends work that began with other settings: what it made is history.
    mutating func finishFormer() {
        while let index = claims.firstIndex(where: { $0.recipe != recipe }) { take(.finish(index)) }
    }

    private mutating func finish(_ claim: Claim) {
        guard let index = files.firstIndex(where: { $0.id == claim.file }) else { return }
        files[index].isClaimed = false
        let isReadable = [.here, .archived, .setAside].contains(files[index].presence)
        guard isReadable, files[index].pack == claim.pack else { return }
        if files[index].isClosed { return files[index].isUnreadable = true }
        switch decide().packs[claim.pack].work {
        case .copy(let name): copy(from: Self.names.firstIndex(of: name) ?? 0, to: claim.pack)
        case .make: make(claim)
        case nil: break
        }
    }

    private mutating func copy(from source: Int, to pack: Int) {
        if isSkipped(pack) { return }
        for index in packs[source].stickers.indices {
            let sticker = packs[source].stickers[index]
            guard !packs[pack].removed.contains(sticker.ordinal), !packs[source].removed.contains(sticker.ordinal)
            else {
                continue
            }
            if !isCalm, below(16) == 0 {
                // Its file is damaged.
                (packs[source].stickers[index].isPublished, packs[source].stickers[index].isListed) = (false, false)
                return
            }
        }
        for sticker in packs[source].stickers where !packs[source].removed.contains(sticker.ordinal) {
            publish(sticker.ordinal, recipe: sticker.recipe, in: pack)
        }
        packs[pack].isRequested = false
        reach(isHeld(source) ? .copied : .copiedFromFormer)
    }

    private mutating func make(_ claim: Claim) {
        let outcome = outcomes[claim.recipe]
        results.removeAll { $0.recipe == Self.recipes[claim.recipe] }
        results.append(.init(recipe: Self.recipes[claim.recipe], outcome: outcome))
        packs[claim.pack].decided = Self.recipes[claim.recipe]
        if claim.recipe == recipe { packs[claim.pack].isRequested = false }
        guard case .made(let count) = outcome else { return }
        if isSkipped(claim.pack) { return }
        reach(.made)
        for ordinal in 0..<count { publish(ordinal, recipe: claim.recipe, in: claim.pack) }
    }

    /// Whether the photo looks like one that has a sticker in the pack. One that brings a sticker along is not skipped.
    private mutating func isSkipped(_ pack: Int) -> Bool {
        guard skips, packs[pack].hasLeader, !packs[pack].stickers.contains(where: \.isPublished) else { return false }
        packs[pack].isLed = true
        guard decide().packs[pack].work == nil else { return false }
        reach(.skipped)
        return true
    }

    private mutating func publish(_ ordinal: Int, recipe: Int, in pack: Int) {
        guard !packs[pack].removed.contains(ordinal) else { return }
        var sticker = Sticker(ordinal: ordinal, recipe: recipe, added: now)
        if let index = packs[pack].stickers.firstIndex(where: { $0.ordinal == ordinal }) {
            sticker.added = packs[pack].stickers[index].added
            // Made with settings that have changed since: the request stands.
            sticker.isRequested = packs[pack].stickers[index].isRequested && recipe != self.recipe
            packs[pack].stickers[index] = sticker
        } else {
            packs[pack].stickers.append(sticker)
        }
    }
}

extension PhotoWorld {
    /// Lets things happen while some of the work is done, and then brings two copies of the world to rest.
    ///
    /// - Returns: the first rule that was broken.
    mutating func live() -> [String] {
        for _ in 0..<(6 + below(10)) {
            happen()
            for _ in 0..<below(4) {
                let steps = steps
                guard !steps.isEmpty else { break }
                let choice = below(steps.count)
                take(steps[choice])
            }
        }
        return close()
    }

    /// Brings two copies of the world to rest.
    mutating func close() -> [String] {
        finishFormer()
        var other = self
        other.random = TestRandom(state: random.next() | 1)
        let areAtRest = [rest(), other.rest()]
        if areAtRest.contains(false) { fail("it never rests") }
        checkRest()
        let ends = [end, other.end]
        if ends[0] != ends[1] { fail("the order of work decides:\n\(ends[0])\n\(ends[1])") }
        return Array((violations + other.violations).prefix(1))
    }

    /// What a user sees of a world at rest.
    private var end: [Set<String>] {
        packs.indices.map { pack in
            let files = files.filter { $0.pack == pack }.map { "\($0.id) \($0.presence) \($0.state?.rawValue ?? "")" }
            let stickers = packs[pack].stickers.map { "sticker \($0)" }
            return Set(files + stickers + packs[pack].removed.map { "removed \($0)" })
        }
    }
}
