import Foundation
import PhotoLibrary
import Testing

/// Stories of a photo that decisions by the present state alone got wrong: each was played to its end.
@Suite("What becomes of a photo in the end")
struct DecisionCaseTests {
    /// Has no settings that withdraw, and a photo of which every recipe makes one sticker.
    private var world: PhotoWorld {
        var world = PhotoWorld(seed: 0)
        (world.withdraws, world.skips, world.isLate) = (false, false, false)
        world.outcomes = [.made(1), .made(1), .made(1)]
        return world
    }

    private func end(_ world: inout PhotoWorld) -> [[Int]] {
        let isAtRest = world.rest()
        #expect(isAtRest)
        world.checkRest()
        #expect(world.violations.isEmpty)
        return world.packs.map { $0.stickers.filter(\.isPublished).map(\.ordinal) }
    }

    @Test("Both copies removed, in either order or together, leave both stickers", arguments: [[0, 1], [1, 0], []])
    func bothRemoved(order: [Int]) {
        var world = world
        world.put(in: 0, 1)
        #expect(end(&world) == [[0], [0], []])
        for pack in order {
            world.leaveAll(pack)
            world.settle()
            #expect(end(&world) == [[0], [0], []])
        }
        for pack in 0..<2 { world.leaveAll(pack) }
        world.settle()
        #expect(end(&world) == [[0], [0], []])
    }

    @Test("A sticker that was removed in one pack stays in another after the photo has left the first")
    func removalStays() {
        var world = world
        world.put(in: 0, 1)
        _ = end(&world)
        world.remove(0)
        world.settle()
        #expect(end(&world) == [[], [0], []])
        world.leaveAll(0)
        world.settle()
        #expect(end(&world) == [[], [0], []])
    }

    @Test("A rebuilt Library, expired history and other settings withdraw nothing", arguments: 0..<3)
    func withoutEvidence(loss: Int) {
        var world = world
        world.put(in: 0)
        _ = end(&world)
        switch loss {
        case 0: world.rebuild()
        case 1: world.files[0].presence = .archived
        default: break
        }
        world.leaveAll(0)
        world.expire(0)
        world.withdraws = true
        world.settle()
        #expect(end(&world) == [[0], [], []])
    }

    @Test("An archived photo that is dropped into another pack is in both", arguments: [true, false])
    func archivedAndDropped(isHistoryKept: Bool) {
        var world = world
        world.put(in: 0)
        _ = end(&world)
        world.files[0].presence = .archived
        if !isHistoryKept { world.expire(0) }
        world.put(in: 1)
        #expect(end(&world) == [[0], [0], []])
    }

    @Test("A photo that moves beside a similar one keeps its sticker, and so does one when skipping is switched on")
    func similar() {
        var world = world
        world.put(in: 0)
        _ = end(&world)
        world.skips = true
        for pack in 0..<2 { (world.packs[pack].hasLeader, world.packs[pack].isLed) = (true, true) }
        world.settle()
        #expect(end(&world) == [[0], [], []])
        world.rename(0, to: 1)
        world.settle()
        #expect(end(&world) == [[], [0], []])
    }

    @Test("A touched photo keeps its sticker, whether it is renamed before it is read again or not", arguments: [0, 1])
    func touched(pack: Int) {
        var world = world
        world.withdraws = true
        world.put(in: 0)
        _ = end(&world)
        world.write(0, isSame: true)
        world.settle()
        world.rename(0, to: pack)
        world.settle()
        #expect(end(&world) == (pack == 0 ? [[0], [], []] : [[], [0], []]))
    }

    @Test("A photo replaced by another loses its sticker only if the settings say so", arguments: [true, false])
    func replaced(withdraws: Bool) {
        var world = world
        world.withdraws = withdraws
        world.put(in: 0)
        _ = end(&world)
        world.write(0, isSame: false)
        world.settle()
        #expect(world.packs[0].stickers.count == 1)
        #expect(end(&world) == [withdraws ? [] : [0], [], []])
    }

    @Test("A remake that fails keeps the sticker, which is withdrawn with the photo", arguments: [true, false])
    func failedRemake(isUnreadable: Bool) {
        var world = world
        world.withdraws = true
        world.put(in: 0)
        _ = end(&world)
        world.files[0].isClosed = isUnreadable
        if !isUnreadable { world.outcomes[1] = .failed }
        world.recipe = 1
        world.remake(0)
        world.settle()
        #expect(end(&world) == [[0], [], []])
        #expect(world.files[0].state == .failed)
        world.leaveAll(0)
        world.settle()
        #expect(end(&world) == [[], [], []])
    }

    @Test("A photo whose folder was closed for a moment is remade once it is tried again")
    func closed() {
        var world = world
        world.put(in: 0)
        _ = end(&world)
        world.files[0].isClosed = true
        world.recipe = 1
        world.remake(0)
        world.settle()
        _ = end(&world)
        world.files[0].isClosed = false
        world.retry(0)
        world.settle()
        #expect(end(&world) == [[0], [], []])
        #expect(world.packs[0].stickers.map(\.recipe) == [1])
    }

    @Test("New settings replace a sticker only on request")
    func otherRecipe() {
        var world = world
        world.put(in: 0)
        _ = end(&world)
        world.recipe = 1
        world.put(in: 1)
        #expect(end(&world) == [[0], [0], []])
        #expect(world.packs[0].stickers.map(\.recipe) == [0])
        world.remake(0)
        world.settle()
        #expect(end(&world) == [[0], [0], []])
        #expect(world.packs[0].stickers.map(\.recipe) == [1])
    }

    @Test("Two copies that are removed and back before anything was withdrawn keep the sticker")
    func backInTime() {
        var world = world
        (world.withdraws, world.isLate) = (true, true)
        world.put(in: 0, 0)
        _ = end(&world)
        world.leaveAll(0)
        world.settle()
        #expect(world.decision.packs[0].withdrawn.map(\.evidence) == [.left])
        world.put(in: 0, 0)
        #expect(world.decision.packs[0].withdrawn.isEmpty)
        #expect(end(&world) == [[0], [], []])
    }

    @Test("A pack that cannot be written keeps the former sticker, and holds up no other pack")
    func unwritable() {
        var world = world
        world.put(in: 0)
        _ = end(&world)
        world.rename(0, to: 1)
        world.put(in: 2)
        while let step = world.steps.first(where: { $0 != .list(1) }) { world.take(step) }
        #expect(world.packs.map { $0.stickers.map(\.isListed) } == [[true], [false], [true]])
        world.take(.list(1))
        #expect(world.packs.map(\.stickers.count) == [0, 1, 1])
    }

    @Test("A departure that is over withdraws nothing when the file that ended it is forgotten")
    func overDeparture() {
        var world = world
        world.withdraws = true
        world.put(in: 0, 0)
        _ = end(&world)
        world.leave(0)
        world.settle()
        world.files[0].presence = .archived
        world.settle()
        world.expire(0)
        world.settle()
        #expect(end(&world) == [[0], [], []])
    }

    @Test("A photo that was in both packs for long has not moved, even if its file in one of them is new")
    func longInBoth() {
        var world = world
        world.put(in: 0, 1)
        world.files[1].isClosed = true
        #expect(end(&world) == [[0], [], []])
        world.arrive(in: 1)
        world.read(2)
        world.settle()
        world.leave(1)
        world.settle()
        #expect(end(&world) == [[0], [0], []])
        world.leave(0)
        world.settle()
        #expect(end(&world) == [[0], [0], []])
    }

    @Test("A photo that had no subject with former settings gets its sticker again if another program deletes it")
    func foundLater() {
        var world = world
        world.outcomes[0] = .noSubject
        world.put(in: 0)
        #expect(end(&world) == [[], [], []])
        world.recipe = 1
        world.put(in: 1)
        #expect(end(&world) == [[], [0], []])
        world.retry(0)
        world.settle()
        #expect(end(&world) == [[0], [0], []])
        world.lose(0)
        world.settle()
        #expect(end(&world) == [[0], [0], []])
    }

    @Test("A photo that went through many packs, each within minutes of all others, is followed once through each")
    func manyPacks() {
        let start = Date(timeIntervalSince1970: 1_000_000)
        let packs = (0..<40).map { number in
            let came = start + Double(number) * 10
            let sticker = KnownPhoto.Sticker(ordinal: 0, recipe: "r", added: came)
            let isLast = number == 39
            return KnownPhoto.InPack(
                name: ExactName(String(format: "%02d", number)),
                files: isLast ? [.init(id: 1, arrival: 1, presence: .here)] : [], since: came,
                departure: isLast ? nil : .init(since: came, date: came + 5, withdraws: true, file: 0),
                stickers: number == 0 || isLast ? [sticker] : [])
        }
        let decision = KnownPhoto(packs: packs, results: [.init(recipe: "r", outcome: .made(1))])
            .decide(recipe: "r", skipsNearDuplicates: false)
        #expect(decision.packs[0].withdrawn.map(\.evidence) == [.moved])
        #expect(decision.packs[39].states == [.done])
    }

    @Test("A photo that two ways lead to, and that was removed there, is withdrawn from all packs by one decision")
    func twoWays() {
        func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
        func sticker(_ seconds: Double) -> KnownPhoto.Sticker { .init(ordinal: 0, recipe: "r", added: date(seconds)) }
        let packs: [KnownPhoto.InPack] = [
            .init(
                name: "A", files: [.init(id: 2, arrival: 2, presence: .left)], since: date(2860),
                departure: .init(since: date(2860), date: date(10860), withdraws: true, file: 2)),
            .init(
                name: "B", files: [.init(id: 1, arrival: 1, presence: .left)], since: date(1400),
                departure: .init(since: date(1400), date: date(2460), withdraws: true, file: 1),
                stickers: [sticker(1400)]),
            .init(
                name: "C", since: date(2400),
                departure: .init(since: date(2400), date: date(2860), withdraws: false, file: 2, isRename: true),
                stickers: [sticker(2400)]),
        ]
        let decision = KnownPhoto(packs: packs, results: [.init(recipe: "r", outcome: .made(1))])
            .decide(recipe: "r", skipsNearDuplicates: false)
        #expect(decision.packs.map { $0.withdrawn.map(\.evidence) } == [[], [.left], [.left]])
    }
}
