extension SettingKey {
    static let folders: [SettingKey] = [
        .folder(
            "inbox", \.inbox,
            """
            The folder for incoming photos; only read unless originals.mode says otherwise. A relative path starts \
            at the folder of this file, ~/ at the user's home. Default: inbox in systemd's state directory, or \
            else in ~/.local/share/stickerd.
            """),
        .folder(
            "outbox", \.outbox,
            """
            The folder for stickers, packs and the gallery; inbox and outbox must not contain each other. Default: \
            outbox in systemd's state directory, or else in ~/.local/share/stickerd.
            """),
        .folder(
            "state", \.state,
            """
            The folder of the Library, the database of all photos; must not be inside inbox or outbox. Default: systemd's \
            state directory, or else ~/.local/state/stickerd.
            """),
        .file(
            "model", \.model,
            """
            The file of a network to find subjects with, converted from ONNX with Training/convert.py; empty for the \
            built-in network. A relative path starts at the folder of this file, ~/ at the user's home.
            """),
    ]

    /// What each group of keys configures, by the group's name.
    static let groups: [String: String] = [
        "pack": "Name, identifier, publisher and emoji, as written to pack.json.",
        "sticker": "The look and file name of stickers.",
        "sticker.outline": "The die-cut edge around the subject.",
        "sticker.shadow": "A soft shadow under the sticker.",
        "colors": "The colors extracted from each photo.",
        "gallery": "The page that shows a pack.",
        "imessage": "Options of the iMessage export.",
        "duplicates": "Near-duplicates: photos that look like an earlier one.",
        "watch": "How the inbox is watched.",
        "originals": "What happens to photos in the inbox when they are finished.",
        "history": "How long the history of photos that left the inbox is kept.",
        "limits": "Limits for each photo, which fails if it exceeds one; and the minimum free space.",
        "log": "The daemon's log.",
        "metrics": "What the daemon measures, for monitoring.",
    ]
}
