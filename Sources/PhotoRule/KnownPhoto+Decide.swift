import FileNames

extension KnownPhoto {
    /// What should become of the photo's files and stickers. The same facts give the same answer, in whatever order
    /// they are.
    ///
    /// - Parameters:
    ///   - recipe: the identifier of the current recipe.
    ///   - skipsNearDuplicates: whether the settings do.
    package func decide(recipe: String, skipsNearDuplicates: Bool) -> Decision {
        var standings = packs.map(Standing.init)
        carryRemovals(&standings)
        for pack in packs.indices { standings[pack].edition = edition(pack, removed(pack, standings)) }
        let routes = packs.indices.map { standings[$0].isHeld ? nil : route(from: $0, standings) }
        let rules = (recipe: recipe, skips: skipsNearDuplicates)
        for pack in packs.indices { stand(pack, &standings, routes, rules) }
        return Decision(packs: packs.indices.map { answer(pack: $0, standings, routes[$0]) })
    }

    /// Decides the state of the file that stands for the photo in a pack, and the work that is to be done there.
    private func stand(
        _ pack: Int, _ standings: inout [Standing], _ routes: [Route?], _ rules: (recipe: String, skips: Bool)
    ) {
        let (facts, standing) = (packs[pack], standings[pack])
        guard let first = standing.first.map({ facts.files[$0] }) else { return }
        let stickers = facts.stickers.filter { !standing.removed.contains($0.ordinal) }
        if let edition = standing.edition {
            return (standings[pack].state, standings[pack].decided) = (.done, edition.recipe)
        }
        if stickers.isEmpty, isRemoved(standing.removed) {
            return (standings[pack].state, standings[pack].objection) = (.done, .removed)
        }
        guard first.isThere else { return standings[pack].state = first.stateUnread }
        let hasSticker = stickers.contains(where: \.isPublished)
        let former = hasSticker ? [] : packs.indices.filter { routes[$0]?.targets.contains(pack) == true }
        if let source = firstName(former.filter { isSource($0, for: standing, standings) }) {
            return standings[pack].set(.copy(from: source), first)
        }
        let result = result(for: facts, recipe: rules.recipe)
        if result?.outcome == .failed || result?.outcome == .noSubject { standings[pack].decided = result?.recipe }
        switch result?.outcome {
        case .failed: standings[pack].state = .failed
        case .noSubject:
            let state = isRemoved(standing.removed) ? FileState.done : .noSubject
            (standings[pack].state, standings[pack].objection) = (state, .noSubject)
        case .made, nil:
            let isMoved = former.contains { packs[$0].stickers.contains(where: \.isPublished) }
            if facts.isLed, rules.skips, !hasSticker, !isMoved {
                return (standings[pack].state, standings[pack].objection) = (.duplicate, .unpublished)
            }
            let made = results.first { $0.recipe == rules.recipe }
            if case .made(let count)? = made?.outcome, isMade(count, by: rules.recipe, stickers, standing.removed) {
                // A user removed all that the recipe made; any others are from before.
                return (standings[pack].state, standings[pack].objection) = (.done, .replaced)
            }
            let sources = packs.indices.filter { source in
                standings[source].edition?.recipe == rules.recipe && removed(source, standings).isEmpty
                    && routes[source].map { !$0.hasMoved && !$0.isLeaving } ?? true
            }
            standings[pack].set(firstName(sources).map { .copy(from: $0) } ?? .make, first)
        }
    }

    /// Whether a pack that the photo moved from has stickers to copy, whatever their recipe.
    private func isSource(_ former: Int, for standing: Standing, _ standings: [Standing]) -> Bool {
        standings[former].isComplete && removed(former, standings).allSatisfy(standing.removed.contains)
    }

    private func firstName(_ packs: [Int]) -> ExactName? { packs.map { self.packs[$0].name }.min() }

    /// The result that a pack goes by; nil if the photo is to be processed there.
    ///
    /// A new recipe alone changes nothing: a pack goes by the result that it was decided by. One that is new to the
    /// photo goes by that of the current recipe; but a failure may have been that of a file.
    private func result(for facts: InPack, recipe: String) -> Result? {
        if facts.isRequested { return nil }
        let result = results.first { $0.recipe == facts.decided ?? recipe }
        return facts.decided == nil && result?.outcome == .failed ? nil : result
    }

    /// Whether a user removed the photo: all stickers that a recipe made of it, or its entry if it had none. It is
    /// listed neither as failed nor as without a subject then.
    private func isRemoved(_ removed: [Int]) -> Bool {
        guard !removed.isEmpty else { return false }
        var isMade = false
        for case .made(let count) in results.map(\.outcome) where count > 0 {
            if (0..<count).allSatisfy(removed.contains) { return true }
            isMade = true
        }
        return !isMade && removed.contains(0)
    }
}
