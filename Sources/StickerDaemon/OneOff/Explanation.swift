package import DaemonSettings
import FileNames
import Foundation
import Inbox
import LibraryCommands
import LinuxIO
import PhotoFacts
import PhotoLibrary
import PhotoRule
package import SystemPackage

/// The output of `stickerd explain`: the history of one photo, in the order of events, or why the settings ignore a
/// file.
package struct Explanation: Sendable {
    /// The path in the inbox, escaped.
    private let path: String
    private let story: PhotoStory?
    /// Why the file is not in the Library, or no longer. A folder that is ignored is not read.
    private let reasonToIgnore: String?

    /// - Parameters:
    ///   - name: of a photo or a sticker, as on the command line.
    ///   - settings: the daemon's.
    /// - Returns: nil if there is no such photo and no such sticker in the Library, and no such file that is ignored.
    /// - Throws: `LibraryError` if the state folder has no readable Library.
    package init?(of name: FilePath, settings: Settings) throws {
        let path = settings.inboxName(of: name)
        let photo = try PhotoStory.read(of: path, in: settings.state)
        let story = try photo ?? Self.story(ofSticker: name, settings)
        let isIgnored = photo == nil && story == nil || photo?.file.isElsewhere == true
        let reason = isIgnored ? settings.reasonToIgnore(path) : nil
        guard story != nil || reason != nil else { return nil }
        (self.path, self.story, reasonToIgnore) = (story?.file.path.description ?? path, story, reason)
    }

    /// Why a name in the inbox is unknown: it is a folder, or the daemon's user may not read its folder. Nil if neither
    /// is so. As root, becomes that user.
    package static func reasonUnread(_ name: FilePath, settings: Settings) -> String? {
        guard let path = InboxPath(escaped: settings.inboxName(of: name)), path != .root else { return nil }
        let isFolder = (try? path.status(in: settings.inbox))?.kind == .folder
        guard let folder = isFolder ? path : path.folder, isFolder || !path.isGone(from: settings.inbox),
            (try? StateOwner.become(for: settings)) != nil
        else { return nil }
        do throws(Errno) {
            let root = try OwnedDescriptor(opening: settings.inbox, options: .directory)
            _ = try OwnedDescriptor(opening: folder.bytes, beneath: root.raw, options: .directory)
            if isFolder { return "is a folder; name a photo in it" }
            _ = try path.status(in: settings.inbox)
            return nil
        } catch {
            return "\(isFolder ? "this" : "its") folder is not read: \(error); \(InboxError.fix(for: error))"
        }
    }

    /// Why there is no history of a sticker that is known; nil if it is not.
    package static func reasonForgotten(_ name: FilePath, settings: Settings) throws -> String? {
        guard let file = name.lastComponent?.string,
            try PhotoStory.knows(sticker: file, inFolder: settings.outboxFolder(of: name), in: settings.state)
        else { return nil }
        return "its photo has no history: another photo has taken its name, or the history was deleted (history.days)"
    }

    private static func story(ofSticker name: FilePath, _ settings: Settings) throws -> PhotoStory? {
        guard let file = name.lastComponent?.string else { return nil }
        let folder = settings.outboxFolder(of: name)
        return try PhotoStory.read(ofSticker: file, inFolder: folder, in: settings.state)
    }

    /// Several lines, the last one without a line feed; times are UTC.
    package var text: String {
        ([(path, "")] + ignored + (story.map(rows) ?? [])).map { name, value in
            value.isEmpty ? name : "  " + name + String(repeating: " ", count: max(1, 12 - name.count)) + value
        }.joined(separator: "\n")
    }

    private var ignored: [(String, String)] { reasonToIgnore.map { [("state", "ignored: \($0)")] } ?? [] }

    private func rows(_ story: PhotoStory) -> [(String, String)] {
        let state = reasonToIgnore == nil ? "state" : "before"
        let file = story.file
        var rows = [(state, file.state.rawValue + (file.reason.map { ": \($0)" } ?? ""))]
        rows.append(("since", time(file.stateSince)))
        if let seen = file.seen { rows.append(("seen", "\(time(seen)), \(file.identity.size) bytes")) }
        if let photo = story.photo { rows.append(("photo", line(photo))) }
        // The Library keeps the photo and its stickers after the file's history is deleted.
        if let first = story.photo?.firstSeen, let seen = file.seen, first < seen {
            rows.append(("known since", time(first)))
        }
        for attempt in story.attempts { rows.append(("tried", line(attempt))) }
        if story.crashes > 0 {
            rows.append(
                ("alone", "a worker or stickerd crashed \(counted(story.crashes, "time")) meanwhile; runs alone"))
        }
        for (sticker, isPublished) in story.stickers {
            let size = "\(sticker.width) × \(sticker.height) pixels, \(sticker.bytes) bytes"
            let facts = isPublished ? "\(size), since \(time(sticker.added))" : "not in the pack now"
            rows.append(("sticker", "\(name(sticker.file, sticker.pack)), \(facts)"))
        }
        if let finder = story.stickers.first?.sticker.foundBy { rows.append(("found by", text(finder))) }
        for sticker in story.removed {
            let place = name(sticker.file, file.pack)
            rows.append(("removed", "\(place), \(time(sticker.since)); stickerd restore undoes it"))
        }
        if let source = story.source { rows.append(("made from", source)) }
        for other in story.otherFiles { rows.append(("same photo", "\(other.path) (\(other.state.rawValue))")) }
        if let original = story.original { rows.append(("original", line(original))) }
        return rows
    }

    private func text(_ finder: SubjectFinder) -> String {
        switch finder {
        case .network: "the network"
        case .background: "its difference from a flat background"
        case .alpha: "the photo's own transparency"
        }
    }

    private func line(_ photo: PhotoRecord) -> String {
        let size = photo.width.flatMap { width in photo.height.map { ", \(width) × \($0) pixels" } } ?? ""
        return "sha256:\(photo.sha256)" + (photo.format.map { ", \($0)" } ?? "") + size
    }

    private func line(_ attempt: PhotoStory.Attempt) -> String {
        let start = time(attempt.started)
        guard let finished = attempt.finished else { return "\(start), in progress" }
        let seconds = finished.timeIntervalSince(attempt.started).formatted(.number.precision(.fractionLength(1)))
        return "\(start), \(seconds) s: \(attempt.outcome ?? "")" + (attempt.detail.map { " (\($0))" } ?? "")
    }

    private func line(_ original: Original) -> String {
        let place = original.destination.map { InboxPath(bytes: $0.bytes).description } ?? ""
        switch (original.outcome, original.finished) {
        case (.moved?, let date?): return "moved to \(place), \(time(date))"
        case (.removed?, let date?): return "removed, \(time(date))"
        case (.gone?, let date?): return "no longer in the inbox, \(time(date))"
        default: return original.action == .remove ? "will be removed" : "will be moved"
        }
    }

    /// The name is escaped here: after a rebuild it is as in `pack.json`, which others may have written.
    private func name(_ name: String, _ pack: String) -> String {
        let name = InboxPath(bytes: Array(name.utf8)).description
        return pack.isEmpty ? name : "\(name) in the pack \(pack)"
    }

    private func time(_ date: Date) -> String {
        date.formatted(.iso8601)
    }
}

extension Settings {
    /// Why the file of this path in the inbox, escaped, is ignored for its name or that of a folder above it; nil if it
    /// is not, or does not exist.
    fileprivate func reasonToIgnore(_ path: String) -> String? {
        guard let path = InboxPath(escaped: path), (try? path.status(in: inbox)) != nil else { return nil }
        return inboxRules.reasonToIgnore(path)
            ?? path.folder.flatMap { InboxRules.reasonToLeaveOut($0, of: inbox) }.map {
                "its folder is not read: \($0)"
            }
    }
}
