import Logging
import PhotoCodecs
import Processing

extension SettingKey {
    static let process: [SettingKey] = [
        .integer(
            "limits.maxPixels", \.processing.limits.maxPixels, 300_000_000, 1...10_000_000_000,
            "Maximum number of pixels, width times height."),
        .integer(
            "limits.maxFileBytes", \.processing.limits.maxFileBytes, 1 << 30, 1...1 << 40,
            "Maximum size of the file in bytes."),
        .integer(
            "limits.maxMemory", \.processing.limits.maxMemory, 150 << 20, 1 << 20...1 << 40,
            """
            Maximum bytes of memory for one photo whose format cannot be decoded row by row: progressive JPEG, \
            HEIF and AVIF, lossless WebP.
            """),
        .seconds(
            "limits.secondsPerPhoto", \.processing.timePerPhoto, .seconds(30), 1...3600,
            "Maximum seconds that a worker may take for a photo, if it has the processor."),
        .integer(
            "limits.minFreeBytes", \.minFreeBytes, 100 << 20, 0...1 << 50,
            "Minimum free bytes on the disks of outbox and state; with less, work pauses."),
        .integer(
            "workers", \.workers, 0, 0...256, reloads: false,
            "The number of worker processes; 0 means one per core."),
        .choice("log.level", \.logLevel, .info, reloads: false, "Minimum log level."),
        .file(
            "metrics.file", \.metricsFile,
            """
            A file to write metrics to for Prometheus, in the folder of node_exporter's textfile collector; its name must \
            end in .prom. Empty for none.
            """),
    ]
}
