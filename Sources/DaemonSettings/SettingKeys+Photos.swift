import Inbox
import PhotoRule
import Processing

extension SettingKey {
    static let photos: [SettingKey] = [
        .choice(
            "duplicates.near", \.processing.nearDuplicates, .report,
            """
            What to do with photos that look like an earlier one of their pack but have other bytes, such as \
            bursts and re-saved copies: off disables detection; report makes their sticker and logs it; skip makes \
            none, and the photo counts as a duplicate.
            """),
        .choice(
            "watch.mode", \.watch.mode, .auto,
            """
            How changes are detected: auto uses inotify, and also polling if inotify cannot see every change \
            (network and FUSE file systems, too few watches); inotify uses only inotify; polling only rescans \
            every few seconds.
            """),
        .flag(
            "watch.recursive", \.watch.recursive, true,
            "Whether folders inside the inbox are watched too; each folder on the first level is its own pack."),
        .seconds(
            "watch.settleSeconds", \.watch.settleSeconds, 2, 0.1...3600,
            "Seconds a file must stay unchanged to count as complete if no close event is expected."),
        .seconds(
            "watch.incompleteSeconds", \.processing.incompleteTime, .seconds(60), 0...86_400,
            """
            Seconds an incomplete photo, such as an interrupted upload, waits unchanged for the rest before it fails; a minute \
            longer if the inbox is polled. With 0 it fails at once.
            """),
        .seconds("watch.rescanSeconds", \.watch.rescanSeconds, 300, 1...86_400, "Seconds between full rescans."),
        .globs(
            "watch.ignore", \.watch.ignorePatterns, IgnoredNames.usual,
            """
            Patterns of file and folder names to ignore; * matches any text, ? one character, [0-9] one of several, and A to Z \
            either case. This list replaces the default one, which Docs/Ignored.md explains. The word default stands for that \
            list, and ! before a pattern keeps its names from being ignored: ["default", "*.draft", "!*.bak"]. In \
            STICKERD_WATCH_IGNORE patterns are separated by colons.
            """),
        .choice(
            "originals.mode", \.processing.originals, .keep, reloads: false,
            """
            What happens to finished photos: keep leaves them in the inbox; archive moves them once their stickers are \
            on disk; delete deletes those with a sticker. With archive and delete, failed photos (with delete, also \
            those without a subject) are moved to originals.failed, each with a file that gives the reason.
            """),
        .folder(
            "originals.archive", \.archive,
            """
            The folder for finished photos, with one folder per day (UTC); must not contain inbox or outbox, nor be \
            inside them. Default: archive next to the inbox.
            """),
        .folder(
            "originals.failed", \.failed,
            """
            The folder for failed photos; must not contain inbox or outbox, nor be inside them. Default: failed next \
            to the inbox.
            """),
        .choice(
            "whenPhotoRemoved", \.whenPhotoRemoved, .keep,
            """
            What happens to a sticker if its photo is removed from the inbox or replaced: keep keeps it; withdraw \
            removes it from the pack.
            """),
        .integer(
            "history.days", \.historyDays, 365, 0...36_500,
            """
            Days to keep the attempts and moves of a photo that left the inbox; 0 for forever. Its digest and stickers \
            are always kept, so that it is recognized.
            """),
    ]
}
