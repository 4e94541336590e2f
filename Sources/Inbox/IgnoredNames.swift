/// Names of files and folders that are not their user's photos. `Docs/Ignored.md` says of each who writes it.
package enum IgnoredNames {
    /// In a list of patterns, this word stands for `usual`.
    package static let usualName = "default"

    /// Patterns as in `InboxRules.ignorePatterns`.
    ///
    /// A name that users may give to a folder of photos is not among them, such as "snapshot" or "thumbnails".
    package static let usual =
        hidden + unfinished + network + systems + cameras + backups + conflicts + libraries

    /// Hidden files include `.Trash-1000`, `.snapshot`, `.zfs`, `.thumbnails`, `.stversions` and `.@__thumb`.
    private static let hidden = [".*", "~*", "*~"]

    private static let unfinished = [
        "*.part", "*.partial", "*.filepart", "*.crdownload", "*.download", "*.opdownload", "*.tmp", "*.temp", "*.swp",
        "*.!sync", "*.!ut", "*.!qb", "*.!bt", "*.bc!", "*.jc!", "*.td", "*.xltd", "*.aria2", "*.dtapart",
        "*.fdmdownload", "*.incomplete", "*.ffs_tmp", "*.sb-????????-??????", "*_exiftool_tmp", ".syncthing.*",
    ]

    private static let network = [
        "@eaDir", "eaDir_tmp", "SYNOPHOTO_*", "SYNOFILE_THUMB*", "SYNOVIDEO_*", "*@SynoResource", "*@SynoEAStream",
        "#recycle", "#snapshot", "@sharesnap", "@tmp", "@Recycle", "@Recently-Snapshot", "@Transcode",
        "Network Recycle Bin*", "_NAS_Recycle_*", "trashbox", "Recycle Bin", "Network Trash Folder", "Temporary Items",
        "TheVolumeSettingsFolder", "TheFindByContentFolder", "@GMT-*", "@snapshots", "files_trashbin",
        "files_versions", "appdata_oc*",
    ]

    private static let systems = [
        "$RECYCLE.BIN", "RECYCLER", "System Volume Information", "FOUND.[0-9][0-9][0-9]", "Thumbs.db",
        "ehthumbs*.db", "desktop.ini", "__MACOSX", "Backups.backupdb", "lost+found", "LOST.DIR",
    ]

    private static let cameras = ["*.thm", "*.scr", "THMBNL"]

    private static let backups = [
        "*.bak", "*.bak[0-9]", "*.bk", "*.bkp", "*.backup", "*.orig", "*.*.old", "*.*.save", "#*.*#", "*.*_original",
        "\\[Originals\\]",
    ]

    private static let conflicts = [
        "*.sync-conflict-*", "*conflicted copy*", "*(case clash from *",
        "*_conflict-[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]-[0-9][0-9][0-9][0-9][0-9][0-9]*", "*(SFConflict *",
        "*_*-[0-9][0-9]-[0-9]*-[0-9][0-9][0-9][0-9]_*Conflict*", "*(Conflict_*", "*.Conflict", "*.Conflict.*",
        "*\\[Conflict*\\]*", "*in Konflikt stehende Kopie*", "*copie en conflit*",
        "*copia en conflicto*", "*copia conflictiva*", "*copia in conflitto*", "*(Case Conflict*",
        "*(Selective Sync Conflict*", "*(Unicode Encoding Conflict*",
    ]

    private static let libraries = [
        "*.photoslibrary", "*.photolibrary", "*.migratedphotolibrary", "iPhoto Library", "*.aplibrary", "*.apvault",
        "*.lrdata", "*.lrlibrary", "*.cot", "*.cop", "mipmaps-*.d", "*.trickplay", "*.fcpbundle", "*.imovielibrary",
    ]
}
