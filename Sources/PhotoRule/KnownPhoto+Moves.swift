import Foundation

/// Where a photo went that a pack no longer has.
struct Route {
    /// The indices of the packs that have it instead.
    var targets: [Int]
    /// Whether it was removed, in this pack or on its way, while the settings withdrew the stickers of such photos.
    var withdraws: Bool
    /// Whether it leads to a pack that was followed on another way, which has the targets.
    var joins = false
    var hasMoved: Bool { !targets.isEmpty }
    /// Whether the photo did not stay in the pack.
    var leadsOn: Bool { withdraws || hasMoved || joins }
    /// Whether its stickers are withdrawn at once.
    var isLeaving: Bool { withdraws && !hasMoved }
}

/// Photos that moved between packs: renamed, or removed and created again, as sync clients do.
extension KnownPhoto {
    /// The longest time, in seconds, between the removal of a photo from a pack and its arrival in another one if these
    /// are a move.
    static let moveGap = 900.0

    /// Follows the photo from a pack that no file holds it in. Nil if nothing tells how it left: its stickers stay.
    func route(from pack: Int, _ standings: [Standing]) -> Route? {
        var passed: [Int: Bool] = [:]
        return route(from: pack, standings, &passed)
    }

    /// - Parameter passed: packs that were followed already, and whether their routes lead on: each is followed once,
    ///   however many ways lead there.
    private func route(from pack: Int, _ standings: [Standing], _ passed: inout [Int: Bool]) -> Route? {
        guard let departure = packs[pack].departure else { return nil }
        passed[pack] = false
        var route = Route(targets: [], withdraws: departure.withdraws)
        for target in packs.indices where target != pack && hasMoved(from: pack, to: target, standings) {
            if standings[target].isHeld {
                route.targets.append(target)
                continue
            }
            // It was moved on, or removed.
            if let leadsOn = passed[target] {
                route.joins = route.joins || leadsOn
                continue
            }
            if let rest = self.route(from: target, standings, &passed), rest.leadsOn {
                route.targets += rest.targets
                route.withdraws = route.withdraws || rest.withdraws
            } else if standings[target].isComplete {
                route.targets.append(target)
            }
        }
        passed[pack] = route.leadsOn
        return route
    }

    /// Whether the photo moved from one pack, where no file holds it, directly to another.
    private func hasMoved(from pack: Int, to target: Int, _ standings: [Standing]) -> Bool {
        guard let departure = packs[pack].departure else { return false }
        if departure.isRename { return isIn(target, departure.file, standings) }
        guard let arrived = packs[target].arrived else { return false }
        if !standings[target].isHeld {
            guard let next = packs[target].departure, next.date > departure.date else { return false }
        }
        let gap = arrived.timeIntervalSince(departure.date)
        if gap >= 0 { return gap < Self.moveGap }
        // It was in both packs. One that is put into two packs at about the same time belongs to both.
        let since = min(departure.since, packs[pack].arrived ?? departure.since)
        return -gap < Self.moveGap && arrived.timeIntervalSince(since) > Self.moveGap
    }

    /// Whether a file holds the photo in a pack, or was the last to leave it.
    private func isIn(_ pack: Int, _ file: Int64, _ standings: [Standing]) -> Bool {
        if standings[pack].isHeld { return packs[pack].files.contains { $0.id == file && $0.rank != nil } }
        return packs[pack].departure.map { $0.file == file && !$0.isRename } ?? false
    }

    /// Takes removals along with a photo that left before it arrived, or was renamed soon after that: copies of it may
    /// be renamed one after the other. One that was in both packs is removed only where a user removed it.
    func carryRemovals(_ standings: inout [Standing]) {
        let former = standings
        for pack in packs.indices where !former[pack].isHeld && !packs[pack].removed.isEmpty {
            guard let departure = packs[pack].departure else { continue }
            let earliest = departure.date - (departure.isRename ? Self.moveGap : 0)
            var isCarried = false
            for target in packs.indices where target != pack && hasMoved(from: pack, to: target, former) {
                guard let first = former[target].first, packs[target].files[first].presence != .unread,
                    let arrived = packs[target].arrived, arrived >= earliest
                else { continue }
                for ordinal in packs[pack].removed where !standings[target].removed.contains(ordinal) {
                    standings[target].removed.append(ordinal)
                }
                standings[target].removed.sort()
                isCarried = true
            }
            if isCarried { standings[pack].removed = [] }
        }
    }

    /// The numbers of the stickers that a pack does not lack: removed there, or where the photo took its removals.
    func removed(_ pack: Int, _ standings: [Standing]) -> [Int] {
        guard !standings[pack].isHeld, packs[pack].departure != nil else { return standings[pack].removed }
        let targets = packs.indices.filter { $0 != pack && hasMoved(from: pack, to: $0, standings) }
        return standings[pack].removed + targets.flatMap { standings[$0].removed }
    }
}
