import FileNames
package import Foundation
import LinuxIO
package import SystemPackage

/// The file in an outbox that names the Library that it belongs to: it moves along with the stickers, to any disk and
/// path.
///
/// It also has the outbox's lock, so that who removes the lock removes what the outbox is recognized by, which is
/// noticed. Its text is untrusted.
package struct OutboxMarker: Equatable, Sendable {
    package static let fileName = ".stickerd"
    package static let name = Array(fileName.utf8)
    private static let explanation = "stickerd recognizes its outbox by this file. Leave it here."
    private static let key = "library "

    /// The Library's identity.
    package let library: UUID
    /// The process that wrote the file, in one line for people.
    package let owner: String

    package init(library: UUID, owner: String) {
        self.library = library
        self.owner = owner
    }

    /// The contents of the file, without padding.
    package var text: [UInt8] {
        var text = Array("\(Self.explanation)\n\(Self.key)\(library)\n".utf8)
        // A path may fill the file.
        text += owner.utf8.prefix(FileLock.maxTextBytes / 2)
        text.append(UInt8(ascii: "\n"))
        return text
    }

    /// nil if stickerd has not written this text.
    package init?(text: some Collection<UInt8>) {
        let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
        guard lines.count == 4, lines[1].starts(with: Self.key.utf8),
            let library = UUID(uuidString: String(decoding: lines[1].dropFirst(Self.key.utf8.count), as: UTF8.self))
        else { return nil }
        self.init(library: library, owner: InboxPath(bytes: Array(lines[2])).description)
    }

    /// What a folder has under the marker's name.
    package enum Found: Equatable, Sendable {
        case marker(OutboxMarker)
        /// An empty file: a person has said that the folder is the outbox, or stickerd was killed when it had
        /// recognized it.
        case blank
        /// No file, or one that cannot be read or that others wrote.
        case nothing
        /// A folder, a link, or something else that is no file.
        case obstacle

        /// - Parameter folder: an open folder.
        package init(in folder: Int32) {
            self = .nothing
            guard let status = try? FileStatus(of: OutboxMarker.name, in: folder) else { return }
            if status.kind != .regular {
                self = .obstacle
            } else if status.identity.size == 0 {
                self = .blank
            } else if let file = try? OwnedDescriptor(opening: OutboxMarker.name, in: folder, options: .nonBlocking),
                let text = try? file.read(upTo: FileLock.maxTextBytes)
            {
                self.init(text: text)
            }
        }

        /// From the contents of a file.
        package init(text: [UInt8]) {
            self = text.isEmpty ? .blank : OutboxMarker(text: text).map { .marker($0) } ?? .nothing
        }
    }
}

/// Why a folder is not a Library's outbox.
package enum OutboxRefusal: Error, Equatable, Sendable {
    /// It has neither the marker nor the stickers.
    case unknown
    /// It belongs to another Library.
    case another(OutboxMarker)

    /// The command that makes a folder the outbox of the next Library that uses it.
    package static func acceptance(of folder: FilePath) -> String {
        "truncate -s 0 '\(folder.appending(OutboxMarker.fileName))'"
    }
}
