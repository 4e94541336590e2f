import Foundation
@testable import PhotoRule
import Testing

@Suite("What becomes of a photo", .timeLimit(.minutes(10)))
struct DecisionTests {
    @Test("Every rule in Docs/Reliability.md gives its answer, in whatever order the facts are")
    func table() throws {
        let rules = try DecisionTable().rules
        #expect(rules.count > 60)
        for rule in rules {
            let photo = try DecisionTable.facts(rule.facts)
            #expect(DecisionTable.answer(to: photo) == rule.answer, "\(rule.name): \(rule.facts)")
            var reversed = photo
            reversed.packs.reverse()
            reversed.results.reverse()
            for pack in reversed.packs.indices {
                reversed.packs[pack].stickers.reverse()
                reversed.packs[pack].removed.reverse()
            }
            #expect(parts(DecisionTable.answer(to: reversed)) == parts(rule.answer), "\(rule.name), reversed")
        }
    }

    private func parts(_ answer: String) -> Set<Set<String>> {
        Set(answer.components(separatedBy: "; ").map { Set($0.components(separatedBy: ", ")) })
    }

    @Test("Further copies change nothing but their own states")
    func copies() throws {
        for rule in try DecisionTable().rules {
            let photo = try DecisionTable.facts(rule.facts)
            let decision = photo.decide(recipe: "now", skipsNearDuplicates: true)
            for pack in photo.packs.indices where photo.packs[pack].files.contains(where: { $0.presence == .here }) {
                var more = photo
                more.packs[pack].files += (500..<600).map { KnownPhoto.File(id: $0, arrival: $0, presence: .here) }
                var answer = more.decide(recipe: "now", skipsNearDuplicates: true)
                let count = photo.packs[pack].files.count
                let isReadable = !photo.packs[pack].files.allSatisfy(\.isUnreadable)
                guard isReadable else { continue }
                #expect(answer.packs[pack].states[count...].allSatisfy { $0 == decision.packs[pack].copies })
                answer.packs[pack].states.removeLast(100)
                #expect(answer == decision, "\(rule.name)")
            }
        }
    }

    /// `STICKERD_DECISIONS` is the number of worlds; without it, the test takes about a second.
    @Test("Random worlds come to rest: alike in whatever order the work is done, without a sticker too many or too few")
    func worlds() throws {
        let count = ProcessInfo.processInfo.environment["STICKERD_DECISIONS"].flatMap { UInt64($0) } ?? 500
        var reached = [Int](repeating: 0, count: Reached.allCases.count)
        var failures: [String] = []
        for seed in 0..<count {
            var world = PhotoWorld(seed: seed)
            failures += world.live().map { "seed \(seed): \($0)" }
            for index in reached.indices { reached[index] += world.counts[index] }
        }
        #expect(failures.count == 0, "\(failures.prefix(3).joined(separator: "\n"))")
        let missed = Reached.allCases.filter { reached[$0.rawValue] == 0 }
        #expect(missed.isEmpty, "no world reached \(missed)")
    }
}
