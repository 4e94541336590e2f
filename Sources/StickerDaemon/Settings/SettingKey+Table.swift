extension SettingKey {
    /// All keys, in the order of `config.example.json`. The file, the environment, suggestions, the comparison of
    /// settings, reloads, the example and the schema use this list.
    package static let all = folders + pack + sticker + photos + process

    private static let folders: [SettingKey] = [
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
            outbox next to the inbox.
            """),
        .folder(
            "state", \.state,
            """
            The folder of the Library, which records every photo; never inside inbox or outbox. Default: systemd's \
            state directory, or else ~/.local/state/stickerd.
            """),
        .file(
            "model", \.model,
            """
            A network to find subjects with instead of the built-in one: a file that Training/convert.py made from an \
            ONNX model. Empty for the built-in one. A relative path starts at the folder of this file, ~/ at the \
            user's home.
            """),
    ]

    /// What the groups of keys are for, by name.
    static let groups: [String: String] = [
        "pack": "The pack's own description.",
        "sticker": "The look and file name of stickers.",
        "sticker.outline": "The die-cut edge around the subject.",
        "sticker.shadow": "A soft shadow under the sticker.",
        "colors": "The colors extracted from each photo.",
        "gallery": "The page that shows a pack.",
        "duplicates": "Photos that are the same as an earlier photo, or look like one.",
        "watch": "How the inbox is watched.",
        "originals": "What happens to photos in the inbox when they are finished.",
        "history": "How long the history of photos that left the inbox is kept.",
        "limits": "Limits for one photo; a photo that exceeds one fails.",
        "log": "The daemon's log.",
    ]

    static let named: [String: SettingKey] = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Whether keys lie below this name: true for `sticker` and `sticker.outline`.
    static func isGroup(_ name: String) -> Bool { groups[name] != nil }
}
