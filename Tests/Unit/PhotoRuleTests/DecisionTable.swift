import FileNames
import Foundation
@testable import PhotoRule
import TestSupport

/// The rules in Docs/Reliability.md, section "What becomes of a photo", which explains the notation.
struct DecisionTable {
    struct Rule {
        let name: String
        let facts: String
        let answer: String
    }

    let rules: [Rule]

    init() throws {
        let page = Repository.root.appending(path: "Docs/Reliability.md")
        let text = try String(contentsOf: page.standardizedFileURL, encoding: .utf8)
        let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix("What becomes of a photo\n") }
        rules = (section ?? "").split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, cells[1].hasPrefix("`") else { return nil }
            let code = cells[1...].map { $0.filter { $0 != "`" } }
            return Rule(name: cells[0], facts: code[0], answer: code[1])
        }
    }

    struct Mistake: Error {
        let text: String
    }

    // MARK: - Reading facts

    /// "A: here, sticker; B: renamed to A; made 1"
    static func facts(_ text: String) throws -> KnownPhoto {
        var photo = KnownPhoto(packs: [], results: [])
        var file: Int64 = 0
        for group in text.components(separatedBy: "; ") {
            let parts = group.components(separatedBy: ": ")
            guard parts.count == 2 else {
                photo.results.append(try result(group))
                continue
            }
            var pack = KnownPhoto.InPack(name: ExactName(parts[0]), since: minute(-600))
            for item in parts[1].components(separatedBy: ", ") { try read(item, into: &pack, &file) }
            photo.packs.append(pack)
        }
        return photo
    }

    private static func read(_ item: String, into pack: inout KnownPhoto.InPack, _ file: inout Int64) throws {
        let words = item.split(separator: " ").map(String.init)
        func has(_ word: String) -> Bool { words.contains(word) }
        func number(after word: String) -> Int? {
            words.firstIndex(of: word).flatMap { words.dropFirst($0 + 1).first }.flatMap { Int($0) }
        }
        switch words[0] {
        case "since": pack.since = minute(number(after: "since") ?? 0)
        case "removed", "renamed":
            // A renamed file is the first one that the facts name.
            let isRename = words[0] == "renamed"
            pack.departure = KnownPhoto.Departure(
                since: pack.since ?? .distantPast, date: minute(number(after: "at") ?? 0), withdraws: has("withdraw"),
                file: isRename ? 1 : pack.files.last?.id ?? 0, isRename: isRename)
        case "sticker":
            pack.stickers.append(
                KnownPhoto.Sticker(
                    ordinal: number(after: "sticker") ?? 0, recipe: recipe(words), added: pack.since ?? .distantPast,
                    isPublished: !has("missing") && !has("reserved"), isReserved: has("reserved"),
                    isListed: !has("unlisted") && !has("missing") && !has("reserved"),
                    isRequested: has("remake")))
        case "user": pack.removed.append(number(after: "removed") ?? 0)
        case "similar": pack.isLed = true
        case "retry": pack.isRequested = true
        case "by": pack.decided = recipe(words)
        default:
            guard let presence = KnownPhoto.File.Presence.allCases.first(where: { "\($0)" == words[0] }) else {
                throw Mistake(text: item)
            }
            file += 1
            pack.files.append(
                KnownPhoto.File(
                    id: file, arrival: file, presence: presence, isClaimed: has("claimed"),
                    isUnreadable: has("unreadable")))
        }
    }

    private static func result(_ text: String) throws -> KnownPhoto.Result {
        let words = text.split(separator: " ").map(String.init)
        let outcome: KnownPhoto.Result.Outcome
        switch words[0] {
        case "made": outcome = .made(Int(words[1]) ?? 0)
        case "no": outcome = .noSubject
        case "failed": outcome = .failed
        default: throw Mistake(text: text)
        }
        return KnownPhoto.Result(recipe: recipe(words), outcome: outcome)
    }

    private static func recipe(_ words: [String]) -> String { words.first { $0 == "old" || $0 == "older" } ?? "now" }

    private static func minute(_ minute: Int) -> Date { Date(timeIntervalSince1970: 1e9 + 60 * Double(minute)) }

    // MARK: - Writing answers

    /// "A: done, duplicate; B: pending, copy from A"
    static func answer(to photo: KnownPhoto) -> String {
        let decision = photo.decide(recipe: "now", skipsNearDuplicates: true)
        return zip(photo.packs, decision.packs).compactMap { facts, answer in
            var parts = answer.states.map { $0?.rawValue ?? "forgotten" }
            switch answer.work {
            case .make: parts.append("make")
            case .copy(let source): parts.append("copy from \(source)")
            case nil: break
            }
            parts += answer.withdrawn.map { "withdraw \($0.ordinal) (\($0.evidence))" }
            if answer.withdrawn.isEmpty, answer.states.isEmpty, !facts.stickers.isEmpty { parts.append("keep") }
            if answer.removed != facts.removed { parts += answer.removed.map { "user removed \($0)" } }
            return parts.isEmpty ? nil : "\(facts.name): \(parts.joined(separator: ", "))"
        }.joined(separator: "; ")
    }
}
