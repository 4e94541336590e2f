import Foundation
import PhotoLibrary
import StickerPipeline
import SystemPackage

/// What `stickerd verify` finds: whether inbox, Library, stickers and what is derived from them agree.
package struct Verification: Sendable {
    /// One thing that does not agree with another.
    package struct Problem: Hashable, Sendable {
        /// What helps, where anything does.
        enum Cure: Hashable {
            case makeAgain(StickerRecord)
            case tryAgain(InboxPath)
            case writeIndex
            case none
        }

        /// One line for a person.
        package let text: String
        let cure: Cure
    }

    /// In a stable order.
    package let problems: [Problem]
    /// Published, of all packs, as the Library says.
    package let stickers: Int
    /// Files that the Library knows, in whatever state.
    package let photos: Int
    let isRunning: Bool
    /// What is in the outbox has not been looked at.
    let isOutboxAway: Bool

    /// While a daemon is working things differ for a moment: what is only seen now and then is no problem.
    private static let looks = 4
    private static let pause = Duration.milliseconds(700)

    /// Looks at everything, reading every sticker.
    ///
    /// - Throws: `LibraryError` where the state folder has no Library that can be read, `Errno` where a folder of the
    ///   outbox cannot be read.
    package static func run(_ settings: Settings) async throws -> Verification {
        var last = try Verification(looking: settings)
        for _ in 1..<looks where last.isRunning && !last.problems.isEmpty {
            try await Task.sleep(for: pause)
            let next = try Verification(looking: settings)
            let lasting = Set(last.problems)
            last = Verification(next, problems: next.problems.filter(lasting.contains))
        }
        return last
    }

    private init(_ other: Verification, problems: [Problem]) {
        self.problems = problems
        stickers = other.stickers
        photos = other.photos
        isRunning = other.isRunning
        isOutboxAway = other.isOutboxAway
    }

    private init(looking settings: Settings) throws {
        let library = try LibraryInspection(of: settings.state, latest: Outbox.witnesses)
        var problems = library.damage.map { Problem(text: "Library: \($0)", cure: .none) }
        problems += library.withoutSticker.map {
            Problem(text: "\($0): the Library says it is done, and has no sticker of it", cure: .tryAgain($0))
        }
        do throws(OutboxError) {
            try Outbox.requirePresence(
                at: settings.outbox, before: library.outboxPlace, latest: library.latestPublished)
            isOutboxAway = false
        } catch {
            problems.append(Problem(text: "\(error)", cure: .none))
            isOutboxAway = error.isAway
        }
        for pack in isOutboxAway ? [] : library.packs {
            problems += try OutboxCheck(settings.outbox, pack, hasGallery: settings.packs.gallery != nil).problems
        }
        problems += InboxCheck(settings, library).problems
        self.problems = problems
        stickers = library.packs.reduce(0) { $0 + $1.published.count }
        photos = library.files.count
        isRunning = library.isRunning
    }
}
