package import Logging
package import PhotoColors
package import PhotoLibrary
package import StickerPipeline
package import StickerStudio
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

    /// The pack's own description.
    package struct Pack: Sendable {
        /// The root pack's name; the others are named after their folder.
        package internal(set) var name = "Stickers"
        /// ASCII letters, digits, dots, hyphens and underscores only.
        package internal(set) var identifier = "stickers"
        /// May be empty.
        package internal(set) var publisher = ""
    }

    /// The look and file name of stickers; lengths in pixels of the finished sticker.
    package struct Sticker: Sendable {
        /// The longer side, outline, shadow and padding included.
        package internal(set) var size = 512
        package internal(set) var format = StickerFormat.png
        /// Maximum bytes of a WebP sticker; 0 for no limit.
        package internal(set) var maxBytes = 100_000
        package internal(set) var subjects = SubjectGrouping.auto
        package internal(set) var outline = Outline()
        package internal(set) var shadow = Shadow()
        /// The transparent margin around subject, outline and shadow.
        package internal(set) var padding = 4
        /// Whether the file name begins with the photo's.
        package internal(set) var keepStem = true
    }

    /// The die-cut edge around a sticker.
    package struct Outline: Sendable {
        /// Its width beyond the subject, in pixels of the finished sticker; nil for `StickerRecipe`'s usual share of
        /// the sticker's size.
        package internal(set) var width: Int?
        /// `#rrggbb` in lower case, sRGB; nil for no outline at all, whatever the width.
        package internal(set) var color: String? = "#ffffff"
    }

    /// The soft shadow under a sticker; lengths in pixels of the finished sticker.
    package struct Shadow: Sendable {
        /// 0 for no shadow at all, 1 for black.
        package internal(set) var opacity = 0.0
        /// The distance over which it fades out.
        package internal(set) var radius = 12
        /// The distance below the sticker; negative values move it up.
        package internal(set) var offset = 4
    }

    /// The colors extracted from each photo.
    package struct Colors: Sendable {
        /// The maximum number of colors per photo, in `ColorExtractor.counts`.
        package internal(set) var count = 5
        /// Formats of the palette files in the outbox.
        package internal(set) var export: [PaletteFormat] = []
    }

    /// The page that shows a pack.
    package struct Gallery: Sendable {
        package internal(set) var enabled = true
        /// The web address of the outbox; empty if it has none.
        package internal(set) var baseUrl = ""
        /// Maximum bytes of the ZIP with all stickers of a pack; 0 for none.
        package internal(set) var maxArchiveBytes = 200_000_000
    }

    /// Photos that are the same as an earlier photo, or look like one.
    package struct Duplicates: Sendable {
        /// Photos that only look the same.
        package internal(set) var near = NearDuplicates.report
    }

    /// How the inbox is watched.
    package struct Watch: Sendable {
        package internal(set) var mode = WatchMode.auto
        package internal(set) var recursive = true
        /// How long a file must stay unchanged if no close event is expected.
        package internal(set) var settleSeconds = 2.0
        /// The time between full rescans, which find files without an event.
        package internal(set) var rescanSeconds = 300.0
        /// Patterns of fnmatch(3) for the names of files and folders.
        package internal(set) var ignore = [
            ".*", "~*", "*~", "*.part", "*.partial", "*.filepart", "*.crdownload", "*.download", "*.tmp", "*.temp",
            "*.swp", ".syncthing.*", "Thumbs.db", "desktop.ini",
        ]
    }

    /// What happens to finished photos. The folders are absolute, symbolic links unresolved; if they are used, they are
    /// never inside inbox or outbox, nor the other way round.
    package struct OriginalsSettings: Sendable {
        package internal(set) var mode = OriginalsMode.keep
        /// Used only in the mode `archive`.
        package internal(set) var archive: FilePath
        /// Used in every mode except `keep`.
        package internal(set) var failed: FilePath
    }

    /// How long the history of photos that left the inbox is kept.
    package struct History: Sendable {
        /// Days to keep their attempts and moves; 0 for forever. Their results are always kept.
        package internal(set) var days = 365
    }

    /// Limits for one photo.
    package struct Limits: Sendable {
        /// Width × height of the full photo.
        package internal(set) var maxPixels = 300_000_000
        package internal(set) var maxFileBytes = 1 << 30
        /// Maximum bytes of memory for one photo that cannot be decoded row by row.
        package internal(set) var maxMemory = 150 << 20
        /// Maximum time of one photo in a worker.
        package internal(set) var secondsPerPhoto = 30.0
        /// Bytes that stay free on the disks of outbox and state; with less free space, no photo is claimed.
        package internal(set) var minFreeBytes = 100 << 20
    }

    /// The daemon's log.
    package struct Log: Sendable {
        package internal(set) var level = Logger.Level.info
    }

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
