package import Logging
package import PhotoColors
package import PhotoLibrary
package import StickerPipeline
package import StickerStudio
package import SystemPackage

/// All that people can set, already checked: every value lies in the range its key allows.
///
/// Names follow the keys of the file: `sticker.outline.width` is `sticker.outline.width` here too. Two settings are
/// equal when every key has the same value, wherever it came from.
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
    /// Number of worker processes; 0 stands for one per core.
    package internal(set) var workers = 0
    package internal(set) var log = Log()

    /// Where each key's value was found; a key that is missing here has its built-in default.
    package internal(set) var sources: [String: SettingsSource] = [:]

    /// What a pack says about itself.
    package struct Pack: Sendable {
        /// Of the root's pack; the others are named after their folder.
        package internal(set) var name = "Stickers"
        /// ASCII letters, digits, dots, hyphens and underscores only.
        package internal(set) var identifier = "stickers"
        /// May be empty.
        package internal(set) var publisher = ""
    }

    /// How a finished sticker looks and is called; lengths in pixels of the finished sticker.
    package struct Sticker: Sendable {
        /// The longer side, outline, shadow and padding included.
        package internal(set) var size = 512
        package internal(set) var format = StickerFormat.png
        /// Most bytes of a WebP sticker; 0 for as many as good quality needs.
        package internal(set) var maxBytes = 100_000
        package internal(set) var subjects = SubjectGrouping.auto
        package internal(set) var outline = Outline()
        package internal(set) var shadow = Shadow()
        /// What stays transparent around everything that is drawn.
        package internal(set) var padding = 4
        /// Whether the file name begins with the photo's.
        package internal(set) var keepStem = true
    }

    /// The die-cut edge around a sticker.
    package struct Outline: Sendable {
        /// How far it reaches beyond the subject, in pixels of the finished sticker; nil for `StickerRecipe`'s usual
        /// share of the sticker's size.
        package internal(set) var width: Int?
        /// `#rrggbb` in lower case, sRGB; nil for no outline at all, whatever the width.
        package internal(set) var color: String? = "#ffffff"
    }

    /// The soft shadow under a sticker; lengths in pixels of the finished sticker.
    package struct Shadow: Sendable {
        /// 0 for no shadow at all, 1 for black.
        package internal(set) var opacity = 0.0
        /// How far it fades out around the sticker.
        package internal(set) var radius = 12
        /// How far it lies below the sticker; above it if negative.
        package internal(set) var offset = 4
    }

    /// The palette taken from each photo.
    package struct Colors: Sendable {
        /// How many colors of each photo are told at most, in `ColorExtractor.counts`.
        package internal(set) var count = 5
        /// Formats of the palette files beside the stickers.
        package internal(set) var export: [PaletteFormat] = []
    }

    /// The page that shows a pack.
    package struct Gallery: Sendable {
        package internal(set) var enabled = true
        /// Where the outbox can be seen on the web; empty for nowhere.
        package internal(set) var baseUrl = ""
        /// Most bytes of the archive with all stickers of a pack; 0 for none.
        package internal(set) var maxArchiveBytes = 200_000_000
    }

    /// Photos that came before in another file.
    package struct Duplicates: Sendable {
        /// Those that only look the same.
        package internal(set) var near = NearDuplicates.report
    }

    /// How the inbox is watched.
    package struct Watch: Sendable {
        package internal(set) var mode = WatchMode.auto
        package internal(set) var recursive = true
        /// How long nothing may have changed about a file that no event will call finished.
        package internal(set) var settleSeconds = 2.0
        /// How often everything is read anew, in case an event never came.
        package internal(set) var rescanSeconds = 300.0
        /// Patterns of fnmatch(3), each for one file or folder name.
        package internal(set) var ignore = [
            ".*", "~*", "*~", "*.part", "*.partial", "*.filepart", "*.crdownload", "*.download", "*.tmp", "*.temp",
            "*.swp", ".syncthing.*", "Thumbs.db", "desktop.ini",
        ]
    }

    /// What becomes of photos once they are done; the folders are absolute, symbolic links unresolved, and where they
    /// are used never inside inbox or outbox, nor the other way round.
    package struct OriginalsSettings: Sendable {
        package internal(set) var mode = OriginalsMode.keep
        /// Used in the mode `archive` alone.
        package internal(set) var archive: FilePath
        /// Used in every mode but `keep`.
        package internal(set) var failed: FilePath
    }

    /// What is remembered of photos that left the inbox.
    package struct History: Sendable {
        /// How long their attempts and moves are kept; 0 for ever. What was made of them is always kept.
        package internal(set) var days = 365
    }

    /// What one photo may cost.
    package struct Limits: Sendable {
        /// Width × height of the full photo.
        package internal(set) var maxPixels = 300_000_000
        package internal(set) var maxFileBytes = 1 << 30
        /// Bytes that one photo may hold in memory where it cannot be taken row by row.
        package internal(set) var maxMemory = 150 << 20
        /// Longest time one photo may keep a worker busy.
        package internal(set) var secondsPerPhoto = 30.0
        /// Bytes that stay free on the disks of outbox and state; below it nothing is begun.
        package internal(set) var minFreeBytes = 100 << 20
    }

    /// What is told to the journal.
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

    /// Beside the inbox, wherever that is, unless somebody says otherwise.
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
