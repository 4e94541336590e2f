package import Logging

extension Settings {
    /// Limits for one photo.
    package struct Limits: Sendable {
        /// Width × height of the full photo.
        package internal(set) var maxPixels = 300_000_000
        package internal(set) var maxFileBytes = 1 << 30
        /// Maximum bytes of memory for one photo that cannot be decoded row by row.
        package internal(set) var maxMemory = 150 << 20
        /// Maximum time of one photo in a worker.
        package internal(set) var secondsPerPhoto = 30.0
        /// Bytes to keep free on the disks of outbox and state; with less, no photo is claimed.
        package internal(set) var minFreeBytes = 100 << 20
    }

    /// The daemon's log.
    package struct Log: Sendable {
        package internal(set) var level = Logger.Level.info
    }
}

extension SettingKey {
    static let process: [SettingKey] = [
        .integer(
            "limits.maxPixels", \.limits.maxPixels, 1...10_000_000_000, "Maximum number of pixels, width times height."),
        .integer("limits.maxFileBytes", \.limits.maxFileBytes, 1...1 << 40, "Maximum size of the file in bytes."),
        .integer(
            "limits.maxMemory", \.limits.maxMemory, 1 << 20...1 << 40,
            """
            Maximum bytes of memory for one photo whose format cannot be decoded row by row: progressive JPEG, \
            HEIF and AVIF, lossless WebP.
            """),
        .seconds(
            "limits.secondsPerPhoto", \.limits.secondsPerPhoto, 1...3600,
            "Maximum seconds that a worker may take for a photo."),
        .integer(
            "limits.minFreeBytes", \.limits.minFreeBytes, 0...1 << 50,
            "Minimum free bytes on the disks of outbox and state; with less, work pauses."),
        .integer(
            "workers", \.workers, 0...256, reloads: false,
            "The number of worker processes; 0 means one per core."),
        .choice("log.level", \.log.level, reloads: false, "Minimum log level."),
    ]
}
