import FileNames
import Foundation
@testable import PhotoRule
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

    /// Each a list of events, with the packs A to C that they are about; `[AB]` is the packs that have a sticker once
    /// all work is done, and `(A)` is those that have one at once. `first` and what follows it are about the first
    /// file.
    private static let stories: KeyValuePairs = [
        "Both copies removed, in either order or together, leave both stickers":
            [
                "put AB [AB] leave A [AB] leave B [AB]", "put AB [AB] leave B [AB] leave A [AB]",
                "put AB [AB] leave AB [AB]",
            ],
        "A sticker that was removed in one pack stays in another after the photo has left the first":
            ["put AB [AB] remove A [B] leave A [B]"],
        "A rebuilt Library, expired history and other settings withdraw nothing": [
            "put A [A] rebuild leave A expire A withdraws [A]",
            "put A [A] first archived leave A expire A withdraws [A]",
            "put A [A] leave A expire A withdraws [A]",
        ],
        "An archived photo that is dropped into another pack is in both":
            ["put A [A] first archived put B [AB]", "put A [A] first archived expire A put B [AB]"],
        "A photo that moves beside a similar one keeps its sticker, and so does one when skipping is switched on":
            ["put A [A] skips AB [A] first moved B [B]"],
        "A touched photo keeps its sticker, whether it is renamed before it is read again or not":
            ["withdraws put A [A] first touched [A]", "withdraws put A [A] first touched first moved B [B]"],
        "A photo replaced by another loses its sticker only if the settings say so":
            ["withdraws put A [A] first replaced (A) []", "put A [A] first replaced (A) [A]"],
        "A remake that fails keeps the sticker, which is withdrawn with the photo": [
            "withdraws put A [A] first closed recipe remake A [A] first failed leave A []",
            "withdraws fails put A [A] recipe remake A [A] first failed leave A []",
        ],
        "A photo whose folder was closed for a moment is remade once it is tried again":
            ["put A [A] first closed recipe remake A [A] first opened retry A [A] new A"],
        "New settings replace a sticker only on request":
            ["put A [A] recipe put B [AB] old A remake A [AB] new A"],
        "A departure that is over withdraws nothing when the file that ended it is forgotten":
            ["withdraws put AA [A] first left first archived expire A [A]"],
        "A photo that had no subject with former settings gets its sticker again if another program deletes it":
            ["blank put A [] recipe put B [B] retry A [AB] lose A [AB]"],
    ]

    @Test("Stories end as they should", arguments: stories.flatMap { name, texts in texts.map { (name, $0) } })
    func story(name: String, text: String) {
        var world = world
        var words = text.split(separator: " ").map(String.init)[...]
        func packs(_ letters: String) -> [Int] { letters.utf8.map { Int($0) - 65 } }
        while let word = words.popFirst() {
            if word.hasPrefix("[") || word.hasPrefix("(") {
                let ends = word.hasPrefix("[") ? end(&world) : world.packs.map { $0.stickers.map(\.ordinal) }
                let expected = packs(String(word.dropFirst().dropLast()))
                #expect(ends == (0..<3).map { expected.contains($0) ? [0] : [] }, "\(name): \(text)")
                continue
            }
            let isAboutPacks = !["withdraws", "fails", "blank", "recipe", "rebuild"].contains(word)
            let more = isAboutPacks ? words.popFirst() ?? "" : ""
            switch word {
            case "withdraws": world.withdraws = true
            case "fails": world.outcomes[1] = .failed
            case "blank": world.outcomes[0] = .noSubject
            case "recipe": world.recipe = 1
            case "rebuild": world.rebuild()
            case "first": change(&world, more, &words)
            case "put":
                // A day passes after all of them.
                for pack in packs(more) {
                    world.put(in: pack)
                    world.now -= 86_400
                }
                world.now += 86_400
            case "skips":
                world.skips = true
                for pack in packs(more) { (world.packs[pack].hasLeader, world.packs[pack].isLed) = (true, true) }
            case "old", "new": #expect(world.packs[packs(more)[0]].stickers.map(\.recipe) == [word == "new" ? 1 : 0])
            default:
                for pack in packs(more) {
                    switch word {
                    case "leave": world.leaveAll(pack)
                    case "remove": world.remove(pack)
                    case "expire": world.expire(pack)
                    case "remake": world.remake(pack)
                    case "retry": world.retry(pack)
                    case "lose": world.lose(pack)
                    default: Issue.record("unknown event: \(word)")
                    }
                }
            }
            world.settle()
        }
    }

    /// Something happens to the world's first file.
    private func change(_ world: inout PhotoWorld, _ change: String, _ words: inout ArraySlice<String>) {
        switch change {
        case "archived": world.files[0].presence = .archived
        case "touched", "replaced": world.write(0, isSame: change == "touched")
        case "closed", "opened": world.files[0].isClosed = change == "closed"
        case "left": world.leave(0)
        case "failed": #expect(world.files[0].state == .failed)
        default: world.rename(0, to: words.popFirst() == "B" ? 1 : 0)
        }
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
