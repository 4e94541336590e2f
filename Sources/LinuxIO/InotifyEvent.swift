import Glibc

/// An inotify(7) event about a watched folder or one of its direct entries.
package struct InotifyEvent: Sendable {
    /// inotify(7)'s bits. `unmounted`, `watchEnded`, `overflow` and `isFolder` need not be requested.
    package struct Mask: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        package static let modified = Mask(rawValue: UInt32(IN_MODIFY))
        package static let closedAfterWriting = Mask(rawValue: UInt32(IN_CLOSE_WRITE))
        /// Mode, owner, times or number of links.
        package static let attributesChanged = Mask(rawValue: UInt32(IN_ATTRIB))
        package static let created = Mask(rawValue: UInt32(IN_CREATE))
        package static let deleted = Mask(rawValue: UInt32(IN_DELETE))
        package static let movedAway = Mask(rawValue: UInt32(IN_MOVED_FROM))
        package static let movedIn = Mask(rawValue: UInt32(IN_MOVED_TO))
        package static let folderDeleted = Mask(rawValue: UInt32(IN_DELETE_SELF))
        package static let folderMoved = Mask(rawValue: UInt32(IN_MOVE_SELF))
        package static let unmounted = Mask(rawValue: UInt32(IN_UNMOUNT))
        /// The last event of a watch that was removed, by `unwatch` or with its folder.
        package static let watchEnded = Mask(rawValue: UInt32(IN_IGNORED))
        /// The kernel's queue was full, and events were lost.
        package static let overflow = Mask(rawValue: UInt32(IN_Q_OVERFLOW))
        /// Set in addition to another bit if the event is about a folder.
        package static let isFolder = Mask(rawValue: UInt32(IN_ISDIR))
    }

    /// The watch's number; -1 with `overflow`.
    package let watch: Int32
    package let mask: Mask
    /// Equal in both halves of one rename; otherwise 0.
    package let cookie: UInt32
    /// The entry's name in the watched folder; empty if the event is about the folder itself.
    package let name: [UInt8]
}

extension InotifyEvent {
    private static let headerBytes = 16

    /// Parses the records of one read(2): watch, mask, cookie, length (four bytes each), then the name, NUL-padded.
    static func parse(_ bytes: ArraySlice<UInt8>) -> [InotifyEvent] {
        var events: [InotifyEvent] = []
        var rest = bytes
        while rest.count >= headerBytes {
            let length = Int(word(3, of: rest))
            let padded = rest.dropFirst(headerBytes).prefix(length)
            events.append(
                InotifyEvent(
                    watch: Int32(bitPattern: word(0, of: rest)), mask: Mask(rawValue: word(1, of: rest)),
                    cookie: word(2, of: rest), name: Array(padded.prefix { $0 != 0 })))
            rest = rest.dropFirst(headerBytes + length)
        }
        return events
    }

    private static func word(_ index: Int, of bytes: ArraySlice<UInt8>) -> UInt32 {
        let start = bytes.startIndex + index * 4
        let shifted = (0..<4).map { UInt32(bytes[start + $0]) << UInt32($0 * 8) }
        return shifted.reduce(0, |)
    }
}
