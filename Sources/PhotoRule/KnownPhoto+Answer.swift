/// What the decision about a pack means for its files and stickers.
extension KnownPhoto {
    func answer(pack: Int, _ standings: [Standing], _ route: Route?) -> Decision.InPack {
        let (facts, standing) = (packs[pack], standings[pack])
        var answer = Decision.InPack()
        answer.first = standing.first
        answer.removed = standing.removed
        answer.work = standing.work
        answer.decided = standing.decided
        answer.forgetsDeparture = standing.isHeld && facts.departure != nil
        answer.withdrawn = facts.stickers.compactMap { sticker in
            evidence(against: sticker, pack: pack, standings, route).map {
                Decision.Withdrawal(ordinal: sticker.ordinal, evidence: $0)
            }
        }
        let isShown = answer.withdrawn.count < facts.stickers.count || !standing.removed.isEmpty
        answer.since = standing.isHeld || answer.withdrawn.count < facts.stickers.count ? facts.arrived : nil
        answer.copies = copies(standing)
        // Of those that left, one stands for the stickers that stay.
        let last = facts.files.filter { $0.presence == .left }.map { ($0.arrival, $0.id) }.min { $0 < $1 }
        answer.states = facts.files.indices.map { index in
            let file = facts.files[index]
            if file.isClaimed { return .processing }
            if file.presence == .left {
                return isShown && !standing.isHeld && last.map { $0 == (file.arrival, file.id) } == true ? .done : nil
            }
            // It waits to be read, whatever its former photo has.
            if file.presence == .unread { return file.stateUnread }
            return index == standing.first ? standing.state : answer.copies
        }
        return answer
    }

    private func copies(_ standing: Standing) -> FileState? {
        switch standing.state {
        case .noSubject, .failed, nil: standing.state
        case .pending, .processing, .done, .duplicate, .ignored: .duplicate
        }
    }

    private func evidence(
        against sticker: Sticker, pack: Int, _ standings: [Standing], _ route: Route?
    ) -> Decision.Evidence? {
        let (facts, standing) = (packs[pack], standings[pack])
        if standing.removed.contains(sticker.ordinal) { return .removed }
        if standing.edition?.contains(sticker) == false { return .replaced }
        guard standing.isHeld else {
            // One of several that are kept is made again if the photo returns. That of a sticker which was made may
            // also be away from the outbox only for a while.
            let isKept = facts.stickers.contains { $0.isPublished && !standing.removed.contains($0.ordinal) }
            guard isKept || !sticker.isReserved else {
                return facts.files.contains(where: \.isClaimed) ? nil : .unpublished
            }
            return fate(route, standings)
        }
        return standing.objection
    }

    private func fate(_ route: Route?, _ standings: [Standing]) -> Decision.Evidence? {
        guard let route else { return nil }
        guard route.hasMoved else { return route.withdraws ? .left : nil }
        return route.targets.allSatisfy { target in
            guard let edition = standings[target].edition else { return standings[target].objection != nil }
            return packs[target].stickers.allSatisfy { $0.isListed || !edition.contains($0) }
        } ? .moved : nil
    }
}
