package import PhotoLibrary
package import SystemPackage

/// All settings, validated: every value is within the range of its key.
///
/// Properties are named like the keys of the file: `sticker.outline.width` is `sticker.outline.width` here too. Two
/// values are equal if every key has the same value, whatever its source.
package struct Settings: Sendable {
    /// Absolute, symbolic links unresolved; never inside `outbox`, nor the other way round.
    package internal(set) var inbox: FilePath
    /// Absolute, symbolic links unresolved.
    package internal(set) var outbox: FilePath
    /// Absolute, symbolic links unresolved; never inside `inbox` or `outbox`.
    package internal(set) var state: FilePath
    /// A network to use instead of the embedded one; absolute.
    package internal(set) var model: FilePath?
    package internal(set) var pack = Pack()
    package internal(set) var sticker = Sticker()
    package internal(set) var colors = Colors()
    package internal(set) var gallery = Gallery()
    package internal(set) var duplicates = Duplicates()
    package internal(set) var watch = Watch()
    package internal(set) var originals: OriginalsSettings
    package internal(set) var whenPhotoRemoved = WhenPhotoRemoved.keep
    package internal(set) var history = History()
    package internal(set) var limits = Limits()
    /// Number of worker processes; 0 means one per core.
    package internal(set) var workers = 0
    package internal(set) var log = Log()

    /// The source of each key's value; a key that is missing here has its default.
    package internal(set) var sources: [String: SettingsSource] = [:]

    init(folders: DefaultFolders) {
        inbox = folders.inbox
        outbox = folders.outbox
        state = folders.state
        originals = OriginalsSettings(archive: folders.inbox, failed: folders.inbox)
        placeOriginals()
    }

    /// Places the folders for originals next to the inbox, unless they are set.
    mutating func placeOriginals() {
        let parent = inbox.removingLastComponent()
        if sources["originals.archive"] == nil { originals.archive = parent.appending("archive") }
        if sources["originals.failed"] == nil { originals.failed = parent.appending("failed") }
    }
}

extension Settings: Equatable {
    package static func == (left: Settings, right: Settings) -> Bool {
        SettingKey.all.allSatisfy { $0.isSame(left, right) }
    }
}
