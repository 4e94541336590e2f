import Foundation
@testable import PhotoRule

/// What happens to the photo, and what it means for stickers: told by the events, as a user would tell it.
extension PhotoWorld {
    mutating func happen() {
        now += [1, 60, 400, 1_000, 8_000][below(5)]
        switch below(40) {
        case 0...6: arrive(in: below(3))
        case 7...11: change { world, index in world.leave(index) }
        case 12...16: change { world, index in world.rename(index, to: world.below(3)) }
        case 17...18: change { world, index in world.write(index, isSame: world.below(2) == 0) }
        case 19: withdraws.toggle()
        case 20: recipe = below(3)
        case 21: (withdraws, skips) = (below(2) == 0, below(2) == 0)
        case 22: packs[below(3)].hasLeader.toggle()
        case 23: remove(below(3))
        case 24: restore(below(3))
        case 25: remake(below(3))
        case 26: retry(below(3))
        case 27: lose(below(3))
        case 28: change { world, index in world.take(index) }
        case 29: expire(below(3))
        case 30: below(4) == 0 ? rebuild() : crash()
        case 31: below(4) == 0 ? replaceInbox() : crash()
        case 32, 33: change { world, index in world.files[index].isClosed.toggle() }
        case 34: leaveAll(below(3))
        default:
            if below(2) == 0 { recipe = below(3) }
            remake(below(3))
        }
        settle()
    }

    private mutating func change(_ change: (inout PhotoWorld, Int) -> Void) {
        let present = files.indices.filter { files[$0].isInInbox }
        if !present.isEmpty { change(&self, present[below(present.count)]) }
    }

    mutating func arrive(in pack: Int) {
        guard files.count < 6 else { return }
        arrival += 1
        files.append(
            File(
                id: arrival, pack: pack, arrival: arrival, since: now, presence: .unread, isNew: true, state: .pending))
    }

    /// Puts files with the photo into packs, and reads them. Then a day passes.
    mutating func put(in packs: Int...) {
        for pack in packs {
            arrive(in: pack)
            read(files.count - 1)
            settle()
        }
        now += 86_400
    }

    /// The file's contents are known: they are the photo's, or not.
    mutating func read(_ index: Int) {
        if files[index].isClosed { return files[index].isUnreadable = true }
        guard files[index].isSame else {
            if files[index].isNew { files.remove(at: index) } else { leave(index) }
            return
        }
        let wasHeld = isHeld(files[index].pack)
        if !files[index].isNew {
            // New contents, as far as anyone knew.
            arrival += 1
            files[index].arrival = arrival
            packs[files[index].pack].decided = nil
        }
        (files[index].isNew, files[index].presence, files[index].isUnreadable) = (false, .here, false)
        if !wasHeld { came(to: files[index].pack, at: files[index].since) }
    }

    mutating func leave(_ index: Int) {
        let file = files[index]
        if file.isNew { return _ = files.remove(at: index) }
        files[index].presence = .left
        packs[file.pack].departure = departure(of: file, target: nil)
        went(from: file.pack, file.id, owed: withdraws ? .taken : .kept)
    }

    mutating func leaveAll(_ pack: Int) {
        for index in files.indices.reversed() where files[index].pack == pack && files[index].isInInbox { leave(index) }
    }

    private func departure(of file: File, target: Int?) -> KnownPhoto.Departure {
        KnownPhoto.Departure(
            since: packs[file.pack].since ?? Date(timeIntervalSince1970: file.since),
            date: Date(timeIntervalSince1970: now),
            withdraws: target == nil && withdraws, file: file.id, isRename: target != nil)
    }

    mutating func rename(_ index: Int, to pack: Int) {
        let file = files[index]
        guard file.pack != pack else { return }
        let wasHeld = isHeld(pack)
        (files[index].pack, files[index].since) = (pack, now)
        guard !file.isNew else { return }
        packs[file.pack].departure = departure(of: file, target: pack)
        if !wasHeld { came(to: pack, at: now) }
        went(from: file.pack, file.id, owed: .kept, renamedTo: pack)
    }

    mutating func write(_ index: Int, isSame: Bool) {
        files[index].isSame = files[index].isSame && isSame
        files[index].presence = .unread
        files[index].isUnreadable = false
    }

    // MARK: - What is owed

    private mutating func came(to pack: Int, at time: Double) {
        // What went there before did not get a sticker, and is followed no longer.
        for former in packs.indices where packs[former].movedTo.contains(pack) && !hasStickers(pack) {
            packs[former].movedTo.removeAll { $0 == pack }
        }
        (packs[pack].owed, packs[pack].movedTo, packs[pack].left, packs[pack].last) = (.nothing, [], nil, nil)
        if packs[pack].stickers.isEmpty { packs[pack].came = time }
        for former in packs.indices where former != pack && !isHeld(former) {
            guard let left = packs[former].left else { continue }
            let came = packs[pack].came
            let isAfter = came >= left && came - left < 900
            if isAfter || came < left && left - came < 900 && came - packs[former].came > 900 {
                packs[former].movedTo.append(pack)
            }
        }
    }

    private mutating func went(from pack: Int, _ file: Int64, owed: Owed, renamedTo target: Int? = nil) {
        if isHeld(pack) { return }
        packs[pack].owed = owed
        packs[pack].left = target == nil ? now : nil
        packs[pack].movedTo = []
        (packs[pack].last, packs[pack].isRename) = (file, target != nil)
        guard target == nil else { return }
        for other in packs.indices where other != pack && isHeld(other) {
            let came = packs[other].came
            if now - came < 900, came - packs[pack].came > 900 || came >= now { packs[pack].movedTo.append(other) }
        }
    }

    // MARK: - Requests

    mutating func remove(_ pack: Int) {
        let first = files.first { $0.pack == pack && ($0.state == .noSubject || $0.state == .failed) && !$0.isNew }
        if let sticker = packs[pack].stickers.first(where: \.isPublished) {
            packs[pack].removed.append(sticker.ordinal)
        } else if first != nil, !packs[pack].removed.contains(0) {
            packs[pack].removed.append(0)
        }
    }

    mutating func restore(_ pack: Int) {
        if !packs[pack].removed.isEmpty { packs[pack].removed.removeFirst() }
    }

    mutating func remake(_ requested: Int) {
        guard files.contains(where: { $0.pack == requested && $0.presence == .here }) else { return }
        // So are stickers that wait for the photo's move to the pack, or it would bring them along.
        packs[requested].decided = nil
        for pack in packs.indices where pack == requested || !isHeld(pack) {
            for index in packs[pack].stickers.indices { packs[pack].stickers[index].isRequested = true }
        }
    }

    mutating func retry(_ pack: Int) {
        for index in files.indices where files[index].pack == pack && files[index].state == .failed {
            (files[index].isUnreadable, packs[pack].isRequested) = (false, true)
        }
        if files.contains(where: { $0.pack == pack && $0.state == .noSubject }) { packs[pack].isRequested = true }
    }

    // MARK: - What the Library and the outbox lose

    /// Another program deletes a sticker from the outbox.
    mutating func lose(_ pack: Int) {
        guard !packs[pack].stickers.isEmpty else { return }
        let index = below(packs[pack].stickers.count)
        (packs[pack].stickers[index].isPublished, packs[pack].stickers[index].isListed) = (false, false)
    }

    /// stickerd archives or deletes a finished file.
    mutating func take(_ index: Int) {
        let file = files[index]
        guard file.state == .done, file.presence == .here, isPublished(file.pack) else { return }
        files[index].presence = below(2) == 0 ? .archived : .deleted
    }

    /// History is deleted.
    mutating func expire(_ pack: Int) {
        let wasHeld = isHeld(pack)
        let isPast: [KnownPhoto.File.Presence] = [.left, .archived, .deleted]
        files.removeAll { $0.pack == pack && isPast.contains($0.presence) && !$0.isClaimed }
        // A departure that is over must not come back to life with the file that ended it.
        if !wasHeld { packs[pack].departure = nil }
        guard !isHeld(pack) else { return }
        // Nothing tells any more that a photo from elsewhere was here.
        for other in packs.indices { packs[other].movedTo.removeAll { $0 == pack } }
        (packs[pack].owed, packs[pack].movedTo, packs[pack].left, packs[pack].last) = (.kept, [], nil, nil)
    }

    /// The Library is lost, and takes over the outbox.
    mutating func rebuild() {
        files.removeAll { !$0.isInInbox }
        for index in files.indices {
            (files[index].isNew, files[index].isClaimed, files[index].state) = (true, false, .pending)
            (files[index].presence, files[index].isUnreadable, files[index].since) = (.unread, false, now)
        }
        (claims, results) = ([], [])
        for pack in packs.indices {
            (packs[pack].departure, packs[pack].since) = (nil, nil)
            packs[pack].stickers.removeAll { !$0.isPublished }
            for index in packs[pack].stickers.indices {
                (packs[pack].stickers[index].recipe, packs[pack].stickers[index].isRequested) = (3, false)
            }
            (packs[pack].isLed, packs[pack].isRequested, packs[pack].decided) = (false, false, nil)
            packs[pack].came = packs[pack].stickers.map(\.added).min() ?? now
            (packs[pack].owed, packs[pack].movedTo, packs[pack].left, packs[pack].last) = (.kept, [], nil, nil)
        }
    }

    mutating func replaceInbox() {
        files.removeAll { $0.isNew }
        for index in files.indices where files[index].isInInbox {
            files[index].presence = .unknown
        }
    }

    /// The daemon is killed: claims end, and names may stay reserved.
    private mutating func crash() {
        for claim in claims {
            for index in files.indices where files[index].id == claim.file { files[index].isClaimed = false }
            let isFree = !packs[claim.pack].stickers.contains { $0.ordinal == 0 }
            if isFree, !packs[claim.pack].removed.contains(0), below(2) == 0 {
                packs[claim.pack].stickers.append(
                    Sticker(
                        ordinal: 0, recipe: claim.recipe, added: now, isPublished: false, isReserved: true))
            }
        }
        claims = []
    }
}
