extension SettingKey {
    /// Every key there is, in the order of `config.example.json`: the one list behind the file, the environment, the
    /// suggestions, the comparison of settings and what a reload takes over.
    package static let all: [SettingKey] = [
        .folder("inbox", \.inbox),
        .folder("outbox", \.outbox),
        .folder("state", \.state),
        .file("model", \.model),

        .text("pack.name", \.pack.name, length: 1...128),
        .identifier("pack.identifier", \.pack.identifier),
        .text("pack.publisher", \.pack.publisher, length: 0...128),

        .integer("sticker.size", \.sticker.size, 96...2048),
        .choice("sticker.format", \.sticker.format),
        .integer("sticker.maxBytes", \.sticker.maxBytes, 0...1 << 30),
        .choice("sticker.subjects", \.sticker.subjects),
        .integerOrAuto("sticker.outline.width", \.sticker.outline.width, 0...256),
        .color("sticker.outline.color", \.sticker.outline.color),
        .fraction("sticker.shadow.opacity", \.sticker.shadow.opacity),
        .integer("sticker.shadow.radius", \.sticker.shadow.radius, 0...256),
        .integer("sticker.shadow.offset", \.sticker.shadow.offset, -256...256),
        .integer("sticker.padding", \.sticker.padding, 0...256),
        .flag("sticker.keepStem", \.sticker.keepStem),

        .integer("colors.count", \.colors.count, 3...10),
        .choices("colors.export", \.colors.export),

        .flag("gallery.enabled", \.gallery.enabled),
        .webAddress("gallery.baseUrl", \.gallery.baseUrl),
        .integer("gallery.maxArchiveBytes", \.gallery.maxArchiveBytes, 0...4_000_000_000),

        .choice("duplicates.near", \.duplicates.near),

        .choice("watch.mode", \.watch.mode),
        .flag("watch.recursive", \.watch.recursive),
        .seconds("watch.settleSeconds", \.watch.settleSeconds, 0.1...3600),
        .seconds("watch.rescanSeconds", \.watch.rescanSeconds, 1...86_400),
        .globs("watch.ignore", \.watch.ignore),

        .choice("originals.mode", \.originals.mode, reloads: false),
        .folder("originals.archive", \.originals.archive),
        .folder("originals.failed", \.originals.failed),
        .choice("whenPhotoRemoved", \.whenPhotoRemoved),
        .integer("history.days", \.history.days, 0...36_500),

        .integer("limits.maxPixels", \.limits.maxPixels, 1...10_000_000_000),
        .integer("limits.maxFileBytes", \.limits.maxFileBytes, 1...1 << 40),
        .integer("limits.maxMemory", \.limits.maxMemory, 1 << 20...1 << 40),
        .seconds("limits.secondsPerPhoto", \.limits.secondsPerPhoto, 1...3600),
        .integer("limits.minFreeBytes", \.limits.minFreeBytes, 0...1 << 50),

        .integer("workers", \.workers, 0...256, reloads: false),
        .choice("log.level", \.log.level, reloads: false),
    ]

    static let named: [String: SettingKey] = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Whether keys lie below this name: true for `sticker` and `sticker.outline`.
    static func isGroup(_ name: String) -> Bool {
        all.contains { $0.name.hasPrefix(name + ".") }
    }
}
