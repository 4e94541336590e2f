package import PhotoLibrary
package import StickerPipeline
package import SystemPackage

extension Settings {
    /// How the inbox is watched.
    package struct Watch: Sendable {
        package internal(set) var mode = WatchMode.auto
        package internal(set) var recursive = true
        /// How long a file must stay unchanged if no close event is expected.
        package internal(set) var settleSeconds = 2.0
        /// How long a photo that ends early waits for the rest.
        package internal(set) var incompleteSeconds = 60.0
        /// The seconds between full rescans, which find files that events missed.
        package internal(set) var rescanSeconds = 300.0
        /// Patterns as in `InboxRules`, and words for a list of them.
        package internal(set) var ignore = IgnoredNames.usual

        /// `ignore` with the usual patterns in place of the word for them.
        package var ignorePatterns: [String] {
            ignore.flatMap { $0.lowercased() == IgnoredNames.usualName ? IgnoredNames.usual : [$0] }
        }
    }

    /// What happens to finished photos. The folders are absolute, with symbolic links unresolved; used ones are neither
    /// inside inbox or outbox nor around them.
    package struct OriginalsSettings: Sendable {
        package internal(set) var mode = OriginalsMode.keep
        /// Used only in the mode `archive`.
        package internal(set) var archive: FilePath
        /// Used in every mode except `keep`.
        package internal(set) var failed: FilePath
    }

    /// Photos with the same or similar contents as an earlier one.
    package struct Duplicates: Sendable {
        /// What happens to near-duplicates.
        package internal(set) var near = NearDuplicates.report
    }

    /// How long the history of photos that left the inbox is kept.
    package struct History: Sendable {
        /// Days to keep their attempts and moves; 0 for forever. Their results are always kept.
        package internal(set) var days = 365
    }
}

extension SettingKey {
    static let photos: [SettingKey] = [
        .choice(
            "duplicates.near", \.duplicates.near,
            """
            What to do with photos that look like an earlier one of their pack but have other bytes, such as \
            bursts and re-saved copies: off disables detection; report makes their sticker and logs it; skip makes \
            none, and the photo counts as a duplicate.
            """),
        .choice(
            "watch.mode", \.watch.mode,
            """
            How changes are detected: auto uses inotify, and also polling if inotify cannot see every change \
            (network and FUSE file systems, too few watches); inotify uses only inotify; polling only rescans \
            every few seconds.
            """),
        .flag(
            "watch.recursive", \.watch.recursive,
            "Whether folders inside the inbox are watched too; each folder on the first level is its own pack."),
        .seconds(
            "watch.settleSeconds", \.watch.settleSeconds, 0.1...3600,
            "Seconds a file must stay unchanged to count as complete if no close event is expected."),
        .seconds(
            "watch.incompleteSeconds", \.watch.incompleteSeconds, 0...86_400,
            """
            Seconds an incomplete photo, such as an interrupted upload, waits unchanged for the rest before it fails; a minute \
            longer if the inbox is polled. With 0 it fails at once.
            """),
        .seconds("watch.rescanSeconds", \.watch.rescanSeconds, 1...86_400, "Seconds between full rescans."),
        .globs(
            "watch.ignore", \.watch.ignore,
            """
            Patterns of file and folder names to ignore; * matches any text, ? one character, [0-9] one of several, and A to Z \
            either case. This list replaces the default one, which Docs/Ignored.md explains. The word default stands for that \
            list, and ! before a pattern keeps its names from being ignored: ["default", "*.draft", "!*.bak"]. In \
            STICKERD_WATCH_IGNORE patterns are separated by colons.
            """),
        .choice(
            "originals.mode", \.originals.mode, reloads: false,
            """
            What happens to finished photos: keep leaves them in the inbox; archive moves them once their stickers are \
            on disk; delete deletes those with a sticker. With archive and delete, failed photos (with delete, also \
            those without a subject) are moved to originals.failed, each with a file that gives the reason.
            """),
        .folder(
            "originals.archive", \.originals.archive,
            """
            The folder for finished photos, with one folder per day; must not contain inbox or outbox, nor be inside \
            them. Default: archive next to the inbox.
            """),
        .folder(
            "originals.failed", \.originals.failed,
            """
            The folder for failed photos; must not contain inbox or outbox, nor be inside them. Default: failed next \
            to the inbox.
            """),
        .choice(
            "whenPhotoRemoved", \.whenPhotoRemoved,
            """
            What happens to a sticker if its photo is removed from the inbox or replaced: keep keeps it; withdraw \
            removes it from the pack.
            """),
        .integer(
            "history.days", \.history.days, 0...36_500,
            """
            Days to keep the attempts and moves of a photo that left the inbox; 0 for forever. Its digest and stickers \
            are always kept, so that it is recognized.
            """),
    ]
}
