@testable import PhotoRule

/// States that random worlds must reach, or the test would prove little.
enum Reached: Int, CaseIterable {
    case removed, left, moved, replaced, noSubject, unpublished
    case pendingState, processingState, doneState, duplicateState, noSubjectState, failedState
    case keptWithoutFile, waitingForTarget, movedTwice, skipped, made, copied, copiedFromFormer, archived, deleted,
        unknown
    case unreadWithSticker, unreadableWithSticker, inSeveralPacks, copyInPack, takenOver, ofOtherRecipe, whollyRemoved
}

/// What must be true, whatever the facts say.
extension PhotoWorld {
    mutating func reach(_ reached: Reached) { counts[reached.rawValue] += 1 }

    mutating func reach(_ file: File) {
        switch file.state {
        case .pending: reach(.pendingState)
        case .processing: reach(.processingState)
        case .done: reach(.doneState)
        case .duplicate: reach(.duplicateState)
        case .noSubject: reach(.noSubjectState)
        case .failed: reach(.failedState)
        case .ignored, nil: break
        }
        if file.presence == .archived { reach(.archived) }
        if file.presence == .deleted { reach(.deleted) }
        if file.isUnreadable, !packs[file.pack].stickers.isEmpty { reach(.unreadableWithSticker) }
        if file.presence == .unknown { reach(.unknown) }
        if file.presence == .unread, !file.isNew, !packs[file.pack].stickers.isEmpty { reach(.unreadWithSticker) }
    }

    /// No sticker is withdrawn without a reason that the events gave.
    mutating func check(_ withdrawal: Decision.Withdrawal, _ pack: Int) {
        let known = packs[pack]
        guard let sticker = known.stickers.first(where: { $0.ordinal == withdrawal.ordinal }) else {
            return fail("withdrawn from \(pack), where it is not")
        }
        switch withdrawal.evidence {
        case .removed:
            reach(.removed)
            if !known.removed.contains(sticker.ordinal) { fail("withdrawn as removed") }
        case .left:
            reach(.left)
            let (targets, isTaken) = destinations(of: pack)
            if isHeld(pack) || !isTaken || !targets.isEmpty { fail("withdrawn from \(pack) as left") }
        case .moved:
            reach(.moved)
            let targets = destinations(of: pack).targets
            if packs.indices.contains(where: { packs[$0].last == packs[pack].last && packs[$0].isRename && $0 != pack })
            {
                reach(.movedTwice)
            }
            if isHeld(pack) || targets.isEmpty || !targets.allSatisfy(hasSuccessor) {
                fail("withdrawn from \(pack) as moved to \(targets)")
            }
        case .replaced:
            reach(.replaced)
            let others = known.stickers.filter { $0 != sticker && $0.isPublished && !$0.isRequested }
            if others.isEmpty && !isOver(pack) { fail("withdrawn from \(pack) as replaced") }
        case .noSubject:
            reach(.noSubject)
            let isNone = results.contains { $0.recipe == packs[pack].decided && $0.outcome == .noSubject }
            if !isNone || !isHeld(pack) || isWhole(pack) {
                fail("withdrawn from \(pack) without a subject")
            }
        case .unpublished:
            reach(.unpublished)
            if sticker.isPublished { fail("withdrawn from \(pack) as unpublished") }
        }
    }

    /// Whether a user removed all that some recipe made of the photo.
    private func isOver(_ pack: Int) -> Bool {
        results.contains {
            if case .made(let count) = $0.outcome {
                (0..<count).allSatisfy(packs[pack].removed.contains)
            } else {
                false
            }
        }
    }

    /// Whether nothing of the photo's stickers in a pack is to be made.
    private func isWhole(_ pack: Int) -> Bool {
        let known = packs[pack]
        guard let recipe = known.stickers.first?.recipe, !known.stickers.contains(where: isUnsound) else {
            return false
        }
        guard recipe < 3, case .made(let count) = outcomes[recipe] else { return true }
        return Set(known.stickers.map(\.ordinal)).union(known.removed).isSuperset(of: 0..<count)
    }

    private func isUnsound(_ sticker: Sticker) -> Bool { sticker.isRequested || !sticker.isPublished }

    /// Where a photo that a pack no longer has went, and whether the settings take its stickers.
    func destinations(of pack: Int) -> (targets: [Int], isTaken: Bool) {
        var found: (targets: [Int], isTaken: Bool) = ([], packs[pack].owed == .taken)
        var next = packs[pack].movedTo
        if packs[pack].isRename, let file = packs[pack].last {
            next = packs.indices.filter { target in
                files.contains { $0.id == file && $0.pack == target && $0.presence != .left }
                    || packs[target].last == file && !packs[target].isRename
            }
        }
        for target in next {
            if isHeld(target) {
                found.targets.append(target)
            } else {
                let rest = destinations(of: target)
                found.isTaken = found.isTaken || rest.isTaken
                found.targets += rest.targets
                if rest.targets.isEmpty, !rest.isTaken, hasStickers(target) { found.targets.append(target) }
            }
        }
        return found
    }

    /// Whether all that some recipe made of the photo is there.
    func hasStickers(_ pack: Int) -> Bool {
        let known = packs[pack]
        return known.stickers.contains { sticker in
            let sound = known.stickers.filter { $0.recipe == sticker.recipe && !isUnsound($0) }.map(\.ordinal)
            guard sticker.recipe < 3 else { return !known.stickers.contains(where: isUnsound) }
            guard case .made(let count) = outcomes[sticker.recipe] else { return false }
            return Set(sound + known.removed).isSuperset(of: 0..<count) && !Set(sound).isSubset(of: known.removed)
        }
    }

    private func hasSuccessor(_ pack: Int) -> Bool {
        let stickers = packs[pack].stickers.filter { !packs[pack].removed.contains($0.ordinal) }
        let isNone = results.contains { $0.recipe == packs[pack].decided && $0.outcome == .noSubject }
        if isNone || isOver(pack), isHeld(pack), !isWhole(pack) { return true }
        if stickers.contains(where: \.isPublished) { return stickers.allSatisfy { !$0.isPublished || $0.isListed } }
        // All were removed, or made again, it has no subject.
        return isHeld(pack)
            && (!packs[pack].removed.isEmpty || outcomes.contains(.noSubject))
    }

    /// Checks a world at rest.
    mutating func checkRest() {
        if files.contains(where: { $0.presence == .unread && !$0.isUnreadable }) { fail("a file is not read") }
        if packs.indices.count(where: isHeld) > 1 { reach(.inSeveralPacks) }
        checkSettings()
        for pack in packs.indices {
            let known = packs[pack]
            let stickers = known.stickers
            if known.stickers.contains(where: { $0.recipe == 3 }) { reach(.takenOver) }
            if known.stickers.contains(where: { $0.recipe != recipe }) { reach(.ofOtherRecipe) }
            if known.stickers.isEmpty, !known.removed.isEmpty, isHeld(pack) { reach(.whollyRemoved) }
            let states = files.filter { $0.pack == pack && !$0.isNew && $0.presence != .left }.map(\.state)
            if states.count > 1 { reach(.copyInPack) }
            if states.filter({ $0 == .done }).count > 1 { fail("\(pack) is done twice") }
            if states.contains(.pending) && !files.contains(where: { $0.pack == pack && $0.presence == .unread }) {
                fail("\(pack) waits for ever")
            }
            if stickers.contains(where: { known.removed.contains($0.ordinal) }) {
                fail("\(pack) shows what was removed")
            }
            if isHeld(pack) { checkHeld(pack, states) } else { checkLeft(pack) }
        }
    }

    /// Another recipe alone changes nothing, unless a request waits for a file that cannot be read.
    private mutating func checkSettings() {
        guard !files.contains(where: \.isUnreadable) else { return }
        for other in Self.recipes.prefix(3) {
            let decision = facts.decide(recipe: other, skipsNearDuplicates: skips)
            if decision.packs.contains(where: { $0.work != nil || !$0.withdrawn.isEmpty }) {
                fail("\(other) changes something: \(decision)")
            }
        }
    }

    private mutating func checkHeld(_ pack: Int, _ states: [FileState?]) {
        let known = packs[pack]
        let isReadable = files.contains {
            $0.pack == pack && !$0.isNew && !$0.isUnreadable && ($0.presence == .here || $0.presence == .archived)
        }
        guard isReadable else { return }
        if states.contains(.noSubject), !known.stickers.isEmpty { fail("\(pack) has a sticker and no subject") }
        if states.contains(.done) {
            guard let sticker = known.stickers.first else {
                return known.removed.isEmpty ? fail("\(pack) is done without a sticker") : ()
            }
            let isWhole = known.stickers.allSatisfy {
                $0.isPublished && $0.isListed && $0.recipe == sticker.recipe && !$0.isRequested
            }
            if !isWhole { fail("\(pack) is done with \(known.stickers)") }
            if sticker.recipe < 3, case .made(let count) = outcomes[sticker.recipe] {
                let numbers = Set(known.stickers.map(\.ordinal)).union(known.removed)
                if !numbers.isSuperset(of: 0..<count) { fail("\(pack) lacks a sticker") }
            }
            if known.isRequested, known.stickers.isEmpty { fail("\(pack) was not tried again") }
        } else if !states.contains(where: { $0 == .noSubject || $0 == .failed }),
            !(known.isLed && known.hasLeader && skips)
        {
            fail("\(pack) has neither a sticker nor a reason: \(states)")
        }
    }

    private mutating func checkLeft(_ pack: Int) {
        let (targets, isTaken) = destinations(of: pack)
        let stickers = packs[pack].stickers
        guard !stickers.isEmpty else { return }
        reach(.keptWithoutFile)
        if stickers.allSatisfy(\.isReserved) { fail("\(pack) reserves a name for nothing") }
        if targets.isEmpty, isTaken { fail("\(pack) keeps a sticker that the settings take") }
        if !targets.isEmpty {
            let isWaiting = targets.contains { target in
                files.contains {
                    $0.pack == target && ($0.state == .failed || $0.presence == .unread || $0.presence == .unknown)
                }
            }
            if isWaiting { reach(.waitingForTarget) } else { fail("\(pack) keeps a sticker that moved to \(targets)") }
        }
    }
}
