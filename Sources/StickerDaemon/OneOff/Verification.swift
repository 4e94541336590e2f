import Foundation
import PhotoLibrary
import StickerPipeline
import SystemPackage

/// The findings of `stickerd verify`: whether inbox, Library, stickers and derived files agree.
package struct Verification: Sendable {
    /// One difference.
    package struct Problem: Hashable, Sendable {
        /// The repair, if there is one.
        enum Fix: Hashable {
            case remake(StickerRecord)
            case retry(InboxPath)
            case writeIndex
            case none
        }

        /// A one-line message.
        package let text: String
        let fix: Fix
    }

    /// In a stable order.
    package let problems: [Problem]
    /// Published stickers of all packs, according to the Library.
    package let stickers: Int
    /// Files that the Library knows, in any state.
    package let photos: Int
    let isRunning: Bool
    /// Whether the outbox was not checked because it is unavailable.
    let isOutboxAway: Bool

    /// The number of checks. A working daemon causes short differences: only what every check finds is a problem.
    private static let checks = 4
    private static let pause = Duration.milliseconds(700)

    /// Checks everything, reading every sticker.
    ///
    /// - Throws: `LibraryError` if the state folder has no readable Library, `Errno` if a folder of the outbox cannot
    ///   be read.
    package static func run(_ settings: Settings) async throws -> Verification {
        var last = try Verification(checking: settings)
        for _ in 1..<checks where last.isRunning && !last.problems.isEmpty {
            try await Task.sleep(for: pause)
            let next = try Verification(checking: settings)
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

    private init(checking settings: Settings) throws {
        let library = try LibraryInspection(of: settings.state, latest: Outbox.maxStickersToRecognize)
        var problems = library.damage.map { Problem(text: "Library: \($0)", fix: .none) }
        problems += library.withoutSticker.map {
            Problem(text: "\($0): is done in the Library, but has no sticker", fix: .retry($0))
        }
        do throws(OutboxError) {
            try Outbox.requirePresence(
                at: settings.outbox, before: library.outboxPlace, latest: library.latestPublished)
            isOutboxAway = false
        } catch {
            problems.append(Problem(text: "\(error)", fix: .none))
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
