import FileNames
import Foundation
@testable import PhotoRule
import TestSupport

/// One photo in a world of three packs: files, settings, a Library that decides by `KnownPhoto`, and the work that
/// follows. Everything is a value, so that one world can be brought to rest in several ways.
struct PhotoWorld {
    struct File {
        let id: Int64
        var pack: Int
        var arrival: Int64
        var since: Double
        var presence: KnownPhoto.File.Presence
        /// Whether its contents are still this photo's.
        var isSame = true
        /// Whether the Library has not read it yet, and does not know its photo.
        var isNew = false
        var isClaimed = false
        var isUnreadable = false
        /// Whether its folder is closed.
        var isClosed = false
        var state: FileState?

        var isInInbox: Bool { presence == .here || presence == .unread }
    }

    struct Sticker: Equatable {
        var ordinal: Int
        var recipe: Int
        var added: Double
        var isPublished = true
        var isReserved = false
        var isListed = false
        var isRequested = false
    }

    struct Pack {
        var departure: KnownPhoto.Departure?
        var since: Date?
        var stickers: [Sticker] = []
        var removed: [Int] = []
        var isLed = false
        var isRequested = false
        var decided: String?
        /// Whether a photo that looks the same has a sticker here.
        var hasLeader = false
        /// What must become of the stickers, from the moment the photo's last file left: told by the events, not by the
        /// facts.
        var owed = Owed.nothing
        /// The packs that it moved to.
        var movedTo: [Int] = []
        /// When the photo came, and when it was removed.
        var came = -Double.infinity
        var left: Double?
        /// The last file that left, and whether it was renamed.
        var last: Int64?
        var isRename = false
    }

    enum Owed { case nothing, kept, taken }

    struct Claim {
        let pack: Int
        let file: Int64
        let recipe: Int
    }

    static let names: [ExactName] = ["A", "B", "C"]
    static let recipes = ["r0", "r1", "r2", "unknown"]

    var random: TestRandom
    var now = 100_000.0
    var arrival: Int64 = 0
    var files: [File] = []
    var packs = [Pack](repeating: Pack(), count: 3)
    var results: [KnownPhoto.Result] = []
    var claims: [Claim] = []
    var recipe = 0
    var withdraws = false
    var skips = false
    /// What each recipe makes of the photo, and how often a worker fails before that.
    var outcomes: [KnownPhoto.Result.Outcome] = []
    /// Whether withdrawals are carried out later, as if each were work of its own.
    var isLate = false
    /// Whether nothing fails any more.
    var isCalm = false
    /// The last one, of the present facts.
    var decision = Decision(packs: [])
    var violations: [String] = []
    var counts = [Int](repeating: 0, count: Reached.allCases.count)

    init(seed: UInt64) {
        random = TestRandom(state: (seed &+ 1) &* 0x9e37_79b9_7f4a_7c15)
        for _ in 0..<3 {
            outcomes.append(
                [.noSubject, .failed, .made(2), .made(2), .made(1), .made(1), .made(1), .made(1)][below(8)])
        }
        withdraws = below(2) == 0
        skips = below(4) == 0
        isLate = below(3) == 0
    }

    /// A random number from 0 to below `end`.
    mutating func below(_ end: Int) -> Int { Int(random.next() >> 33) % end }

    mutating func fail(_ text: @autoclosure () -> String) { violations.append(text()) }

    // MARK: - Facts

    var facts: KnownPhoto {
        KnownPhoto(packs: packs.indices.map(facts), results: results)
    }

    private func facts(_ pack: Int) -> KnownPhoto.InPack {
        let known = packs[pack]
        var facts = KnownPhoto.InPack(
            name: Self.names[pack], since: known.since, departure: known.departure,
            stickers: known.stickers.map {
                KnownPhoto.Sticker(
                    ordinal: $0.ordinal, recipe: Self.recipes[$0.recipe], added: Date(timeIntervalSince1970: $0.added),
                    isPublished: $0.isPublished, isReserved: $0.isReserved, isListed: $0.isListed,
                    isRequested: $0.isRequested)
            }, removed: known.removed, isLed: known.isLed && known.hasLeader, isRequested: known.isRequested,
            decided: known.decided)
        for file in files where file.pack == pack && !file.isNew {
            if known.since == nil, file.presence != .left {
                let since = Date(timeIntervalSince1970: file.since)
                facts.since = min(facts.since ?? since, since)
            }
            facts.files.append(
                KnownPhoto.File(
                    id: file.id, arrival: file.arrival, presence: file.presence, isClaimed: file.isClaimed,
                    isUnreadable: file.isUnreadable))
        }
        return facts
    }

    func decide() -> Decision { facts.decide(recipe: Self.recipes[recipe], skipsNearDuplicates: skips) }

    func isHeld(_ pack: Int) -> Bool {
        let isShown = !packs[pack].stickers.isEmpty || !packs[pack].removed.isEmpty
        return files.contains {
            $0.pack == pack && !$0.isNew && $0.presence != .left && (isShown || $0.presence != .unknown)
        }
    }

    /// Whether all stickers that the photo should have in a pack are there and listed.
    func isPublished(_ pack: Int) -> Bool {
        let stickers = packs[pack].stickers.filter { !packs[pack].removed.contains($0.ordinal) }
        return !stickers.isEmpty && stickers.allSatisfy { $0.isPublished && $0.isListed }
    }

    // MARK: - The transaction

    /// Decides, as at the end of each transaction, and checks that a second decision changes nothing.
    mutating func settle() {
        let first = decide()
        apply(first, withdrawing: !isLate)
        let again = decide()
        decision = again
        guard !isLate else { return }
        let isChanged = again.packs.indices.contains { pack in
            !again.packs[pack].withdrawn.isEmpty || again.packs[pack].forgetsDeparture
                || again.packs[pack].removed != packs[pack].removed.sorted()
                || again.packs[pack].work != first.packs[pack].work || again.packs[pack].since != packs[pack].since
                || again.packs[pack].decided != packs[pack].decided
                || again.packs[pack].states != first.packs[pack].states.filter { $0 != nil }
        }
        if isChanged { fail("deciding twice changes something: \(first) \(again)") }
    }

    mutating func apply(_ decision: Decision, withdrawing: Bool) {
        let removals = Set(packs.flatMap(\.removed))
        for pack in packs.indices {
            let answer = decision.packs[pack]
            var states = answer.states[...]
            for index in files.indices where files[index].pack == pack && !files[index].isNew {
                files[index].state = states.removeFirst()
            }
            (packs[pack].removed, packs[pack].decided) = (answer.removed, answer.decided)
            if withdrawing || answer.withdrawn.isEmpty { packs[pack].since = answer.since }
            if answer.forgetsDeparture { packs[pack].departure = nil }
        }
        if removals != Set(packs.flatMap(\.removed)) { fail("a removal was lost") }
        if withdrawing { withdraw(decision) }
        files.removeAll { !$0.isNew && $0.state == nil }
        for file in files { reach(file) }
    }

    private mutating func withdraw(_ decision: Decision) {
        for pack in packs.indices {
            for withdrawal in decision.packs[pack].withdrawn { check(withdrawal, pack) }
        }
        for pack in packs.indices {
            let withdrawn = decision.packs[pack].withdrawn
            packs[pack].stickers.removeAll { sticker in withdrawn.contains { $0.ordinal == sticker.ordinal } }
        }
    }
}
