// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Warnings are errors where the tests run: on Debian 12, with Swift 6.3. Elsewhere, another header or compiler must
/// not break the build, because it deprecated something.
#if compiler(>=6.3) && !compiler(>=6.4)
let warnings: [SwiftSetting] =
    (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8))?.contains("VERSION_CODENAME=bookworm") == true
    ? [.treatAllWarnings(as: .error)] : []
#else
let warnings: [SwiftSetting] = []
#endif

/// One set of rules for every Swift target; what it forbids is forbidden everywhere.
let strict: [SwiftSetting] =
    warnings + [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
    ]

/// The same for loops over pixels and weights, optimized in debug builds, too: tests cut many pictures and start many
/// workers. The module is compiled as a whole, because generics are specialized only within what is compiled together.
/// With one thread, it still has an object file for each source file, which the debug build's index expects. Batch
/// mode, the default of debug builds, is off, because a module compiled as a whole ignores it with a warning.
let strictAndOptimized =
    strict + [.unsafeFlags(["-O", "-wmo", "-num-threads", "1", "-disable-batch-mode"], .when(configuration: .debug))]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
// SQLite itself, for what GRDB does not cover: its progress handler.
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")

let package = Package(
    name: "stickerd",
    products: [.executable(name: "stickerd", targets: ["stickerd"])],
    dependencies: [
        // The field's command-line parser: help, usage errors (64) and completions, without code of ours.
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        // A heap; what proves useful in this package moves into the standard library.
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        // The best-kept SQLite library in Swift: migrations, typed rows, serialised access.
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        // The logging interface that Swift's server libraries share.
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        // Ordered start and graceful shutdown of services, signals included.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        // Errno and FilePath: file names are bytes, errors are typed.
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    ],
    targets: [
        // MARK: The command line
        .executableTarget(
            name: "stickerd",
            dependencies: [
                "CLinuxShims", "DaemonSettings", "Diagnosis", "FileNames", "LinuxIO", "PackFacts", "PhotoCodecs",
                "PhotoColors", "PhotoLibrary", "StickerDaemon", "Systemd", "Workers", argumentParser, logging,
                systemPackage,
            ], swiftSettings: strict,
            // All symbols are bound at the start, so that the table of their addresses can be made read-only. GNU ld,
            // the default where gold is missing, cannot do that with Swift's sections.
            linkerSettings: [.unsafeFlags(["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "now"])]),

        // MARK: What may be wrong
        .target(
            name: "Diagnosis",
            dependencies: [
                "Conditions", "DaemonSettings", "Inbox", "LibraryCommands", "LinuxIO", "PhotoCodecs", "PhotoLibrary",
                "PhotoRaster", "Processing", "StickerDaemon", "StickerStudio", "SubjectModel", "Systemd", "Workers",
                logging, systemPackage,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DiagnosisTests",
            dependencies: [
                "Conditions", "DaemonSettings", "Diagnosis", "FileNames", "LibraryCommands", "LinuxIO", "PhotoLibrary",
                "StickerDaemon", "TestSupport", "stickerd", logging, systemPackage,
            ],
            path: "Tests/Unit/DiagnosisTests", swiftSettings: strict),

        // MARK: Composition root
        .target(
            name: "StickerDaemon",
            dependencies: [
                "Conditions", "DaemonSettings", "Exports", "FileNames", "Inbox", "LibraryCommands", "LinuxIO",
                "Outbox", "OutboxLayout", "PackExports", "PackFacts", "PackLedger", "Packs", "PhotoCodecs",
                "PhotoColors", "PhotoFacts", "PhotoLibrary", "PhotoRule", "Processing", "PrometheusMetrics",
                "StickerPipeline", "StickerStudio", "SubjectModel", "Systemd", "Workers", logging,
                serviceLifecycle, systemPackage, unixSignals,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "LinuxIO", "PackFacts", "PackLedger", "PhotoCodecs", "PhotoFacts", "PhotoLibrary", "PhotoRule",
                "stickerd", "StickerDaemon", "TestSupport", grdb, systemPackage,
            ],
            path: "Tests/Process/DaemonTests",
            swiftSettings: strict),
        .testTarget(
            name: "StickerDaemonTests",
            dependencies: [
                "Conditions", "DaemonSettings", "Exports", "FileNames", "LinuxIO", "PackFacts", "PackLedger",
                "PhotoFacts", "PhotoLibrary", "PrometheusMetrics", "StickerDaemon", "Systemd", "TestSupport",
                logging, systemPackage,
            ],
            path: "Tests/Unit/StickerDaemonTests", swiftSettings: strict
        ),

        // MARK: Settings
        .target(
            name: "DaemonSettings",
            dependencies: [
                "FileNames", "Inbox", "LibraryCommands", "LinuxIO", "PackExports", "PackFacts", "Packs", "PhotoCodecs",
                "PhotoColors", "PhotoLibrary", "PhotoRule", "Processing", "StickerStudio", "Systemd", "Workers",
                logging, systemPackage,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DaemonSettingsTests",
            dependencies: [
                "DaemonSettings", "Inbox", "LinuxIO", "PackFacts", "Packs", "PhotoCodecs", "PhotoColors",
                "PhotoLibrary", "Processing", "StickerStudio", "TestSupport", logging, systemPackage,
            ],
            path: "Tests/Unit/DaemonSettingsTests", swiftSettings: strict),

        // MARK: Processing and outbox
        .target(
            name: "StickerPipeline",
            dependencies: [
                "Conditions", "Exports", "LinuxIO", "Outbox", "PackExports", "Packs", "PhotoCodecs", "PhotoLibrary",
                "Processing", "StickerStudio", "SubjectModel", "Workers", logging, systemPackage,
            ],
            swiftSettings: strict),
        .target(
            name: "Processing",
            dependencies: [
                "Conditions", "FileNames", "LinuxIO", "Outbox", "OutboxLayout", "PhotoCodecs", "PhotoFacts",
                "PhotoLibrary", "PhotoRule", "PrometheusMetrics", "StickerStudio", "Systemd", "Workers", logging,
                systemPackage,
            ],
            swiftSettings: strict),
        .target(
            name: "Exports",
            dependencies: [
                "Archives", "Conditions", "FileNames", "LinuxIO", "Outbox", "OutboxLayout", "PackExports", "PackFacts",
                "PackLedger", "Packs", "PhotoLibrary", "StickerStudio", "Systemd", logging, systemPackage,
            ],
            swiftSettings: strict),
        .target(
            name: "Packs",
            dependencies: [
                "Archives", "Conditions", "FileNames", "Gallery", "LinuxIO", "Outbox", "OutboxLayout", "PackFacts",
                "PackLedger", "PhotoColors", "PhotoFacts", "PhotoLibrary", "Systemd", logging, systemPackage,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PacksTests",
            dependencies: [
                "FileNames", "PackFacts", "Packs", "PhotoFacts", "PhotoLibrary", "TestSupport",
            ], path: "Tests/Unit/PacksTests",
            swiftSettings: strict),
        .target(
            name: "Outbox",
            dependencies: [
                "Archives", "Conditions", "FileNames", "LinuxIO", "OutboxLayout", "PackFacts", "PackLedger",
                "PhotoLibrary", logging, systemPackage,
            ],
            swiftSettings: strict),
        .target(
            name: "Archives", dependencies: ["CZlib", "LinuxIO", systemPackage], swiftSettings: strict),
        .testTarget(
            name: "ArchivesTests", dependencies: ["Archives", "LinuxIO", "TestSupport", systemPackage],
            path: "Tests/Unit/ArchivesTests", swiftSettings: strict),
        .testTarget(
            name: "StickerPipelineTests",
            dependencies: [
                "Archives", "Conditions", "Exports", "FileNames", "LibraryCommands", "LinuxIO", "Outbox",
                "OutboxLayout", "PackExports", "PackFacts", "PackLedger", "Packs", "PhotoCodecs", "PhotoColors",
                "PhotoFacts", "PhotoLibrary", "PhotoRaster", "PhotoRule", "Processing", "SQLiteDatabase", "stickerd",
                "StickerPipeline", "StickerStudio", "TestSupport", "Workers", grdb, logging, systemPackage,
            ],
            path: "Tests/Unit/StickerPipelineTests", swiftSettings: strict),

        // MARK: What watches the inbox
        .target(
            name: "Inbox",
            dependencies: ["Conditions", "FileNames", "LinuxIO", "PhotoLibrary", heap, logging, systemPackage],
            swiftSettings: strict),
        .testTarget(
            name: "InboxTests",
            dependencies: [
                "Conditions", "FileNames", "Inbox", "LibraryCommands", "LinuxIO", "PackLedger", "PhotoCodecs",
                "PhotoColors", "PhotoFacts", "PhotoLibrary", "PhotoRaster", "PhotoRule", "TestSupport", logging,
                systemPackage,
            ],
            path: "Tests/Unit/InboxTests", exclude: ["Scenarios"], swiftSettings: strict),

        // MARK: The worker processes
        .target(
            name: "Workers",
            dependencies: [
                "CZlib", "Conditions", "FileNames", "LinuxIO", "PhotoCodecs", "PhotoColors", "PhotoFacts",
                "PhotoLibrary", "PhotoRaster", "PrometheusMetrics", "StickerStudio", "SubjectModel", "Systemd",
                logging, systemPackage,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WorkersTests",
            dependencies: [
                "Conditions", "HostileWorker", "LinuxIO", "PhotoCodecs", "PhotoColors", "PhotoFacts", "PhotoRaster",
                "stickerd", "StickerStudio", "SubjectModel", "TestSupport", "Workers", logging, systemPackage,
            ],
            path: "Tests/Unit/WorkersTests", swiftSettings: strict),
        // What a worker can send that no shell can: a program of its own.
        .executableTarget(
            name: "HostileWorker", dependencies: ["LinuxIO", systemPackage], path: "Tests/Process/HostileWorker",
            swiftSettings: strict),

        // MARK: What work waits for
        .target(
            name: "Conditions", dependencies: ["FileNames", "LinuxIO", "Systemd", logging, systemPackage],
            swiftSettings: strict),
        .testTarget(
            name: "ConditionsTests",
            dependencies: ["Conditions", "FileNames", "LinuxIO", "TestSupport", logging, systemPackage],
            path: "Tests/Unit/ConditionsTests",
            swiftSettings: strict),

        // MARK: Packs for messengers and servers
        .target(name: "PackExports", dependencies: ["PackFacts", "StickerStudio"], swiftSettings: strict),
        .testTarget(
            name: "PackExportsTests", dependencies: ["PackExports", "PackFacts", "StickerStudio", "TestSupport"],
            path: "Tests/Unit/PackExportsTests",
            swiftSettings: strict),

        // MARK: The page that shows a pack
        .target(
            name: "Gallery",
            dependencies: [
                "CGalleryAssets", "LinuxIO", "OutboxLayout", "PackFacts", "PhotoColors", systemPackage,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GalleryTests", dependencies: ["Gallery", "LinuxIO", "PackFacts", "PhotoColors"],
            path: "Tests/Unit/GalleryTests", swiftSettings: strict),

        .target(name: "PackFacts", dependencies: ["OutboxLayout", "PhotoColors"], swiftSettings: strict),

        // MARK: What is remembered
        .target(
            name: "LibraryCommands",
            dependencies: [
                "FileNames", "LinuxIO", "OutboxLayout", "PackLedger", "PhotoLibrary", "PhotoRule", "SQLiteDatabase",
                grdb, systemPackage,
            ],
            swiftSettings: strict),
        .target(
            name: "PackLedger",
            dependencies: [
                "FileNames", "LinuxIO", "OutboxLayout", "PhotoColors", "PhotoLibrary", "PhotoRule", "SQLiteDatabase",
                grdb,
            ],
            swiftSettings: strict),
        .target(
            name: "PhotoLibrary",
            dependencies: [
                "FileNames", "LinuxIO", "OutboxLayout", "PhotoCodecs", "PhotoColors", "PhotoFacts", "PhotoLikeness",
                "PhotoRule", "SQLiteDatabase", grdb, sqlite, systemPackage,
            ],
            resources: [.embedInCode("Schema.sql")], swiftSettings: strict),
        .testTarget(
            name: "PhotoLibraryTests",
            dependencies: [
                "FileNames", "LibraryCommands", "LinuxIO", "OutboxLayout", "PackLedger", "PhotoCodecs", "PhotoColors",
                "PhotoFacts", "PhotoLibrary", "PhotoLikeness", "PhotoRaster", "PhotoRule", "SQLiteDatabase",
                "TestSupport", grdb, sqlite, systemPackage,
            ],
            path: "Tests/Unit/PhotoLibraryTests",
            swiftSettings: strict),

        .target(
            name: "SQLiteDatabase", dependencies: ["LinuxIO", grdb, sqlite, systemPackage], swiftSettings: strict),
        .testTarget(
            name: "SQLiteDatabaseTests", dependencies: ["SQLiteDatabase", "TestSupport", grdb, systemPackage],
            path: "Tests/Unit/SQLiteDatabaseTests", swiftSettings: strict),

        // MARK: What becomes of a photo
        .target(name: "PhotoRule", dependencies: ["FileNames"], swiftSettings: strict),
        .testTarget(
            name: "PhotoRuleTests", dependencies: ["FileNames", "PhotoRule", "TestSupport"],
            path: "Tests/Unit/PhotoRuleTests", swiftSettings: strict),

        // MARK: From photo to sticker
        .target(
            name: "StickerStudio",
            dependencies: [
                "CRasterLoops", "PhotoCodecs", "PhotoColors", "PhotoFacts", "PhotoLikeness", "PhotoRaster",
                "SubjectModel",
            ],
            swiftSettings: strictAndOptimized),
        .testTarget(
            name: "StickerStudioTests",
            dependencies: [
                "LinuxIO", "PhotoCodecs", "PhotoColors", "PhotoFacts", "PhotoRaster", "StickerStudio", "SubjectModel",
                "TestSupport",
            ],
            path: "Tests/Unit/StickerStudioTests", swiftSettings: strict
        ),

        .target(
            name: "PhotoFacts", dependencies: ["PhotoCodecs", "PhotoColors", "PhotoLikeness"], swiftSettings: strict),

        .target(name: "PhotoColors", dependencies: ["PhotoRaster"], swiftSettings: strictAndOptimized),
        .testTarget(
            name: "PhotoColorsTests", dependencies: ["PhotoColors", "PhotoRaster", "TestSupport"],
            path: "Tests/Unit/PhotoColorsTests",
            swiftSettings: strict),

        .target(
            name: "PhotoLikeness", dependencies: ["CRasterLoops", "PhotoRaster"], swiftSettings: strictAndOptimized),
        .testTarget(
            name: "PhotoLikenessTests", dependencies: ["PhotoLikeness", "PhotoRaster", "TestSupport"],
            path: "Tests/Unit/PhotoLikenessTests",
            swiftSettings: strict),
        // What measures it; never installed.
        .executableTarget(
            name: "likeness",
            dependencies: [
                "FileNames", "LinuxIO", "PhotoCodecs", "PhotoColors", "PhotoFacts", "PhotoLibrary", "PhotoLikeness",
                "PhotoRaster", argumentParser, systemPackage,
            ],
            path: "Tests/Likeness", exclude: ["measure.py", "requirements.txt", "run.sh"], swiftSettings: strict),
        // Measures a Library of a million files, and many workers; never installed.
        .executableTarget(
            name: "scale",
            dependencies: [
                "Conditions", "FileNames", "LinuxIO", "Outbox", "PackLedger", "Packs", "PhotoCodecs", "PhotoColors",
                "PhotoFacts", "PhotoLibrary", "PhotoRaster", "Processing", "StickerPipeline", "StickerStudio",
                "Workers", argumentParser, logging, systemPackage,
            ],
            path: "Tests/Scale", exclude: ["plot.py", "run.sh", "scale.py"], swiftSettings: strict),

        .target(
            name: "SubjectModel", dependencies: ["CNetworkLoops", "CSubjectWeights", "CXNNPACK", "PhotoRaster"],
            swiftSettings: strictAndOptimized),
        .testTarget(
            name: "SubjectModelTests",
            dependencies: ["CNetworkLoops", "LinuxIO", "PhotoRaster", "SubjectModel", "TestSupport", systemPackage],
            path: "Tests/Unit/SubjectModelTests",
            resources: [.copy("Fixtures")],
            swiftSettings: strict),

        // Runs a network on numbers, to compare it with other engines; never installed.
        .executableTarget(
            name: "network", dependencies: ["LinuxIO", "SubjectModel", systemPackage], path: "Tests/Models",
            exclude: ["architectures.py", "check.py", "requirements.txt", "run.sh"], swiftSettings: strict),

        .target(
            name: "PhotoCodecs", dependencies: ["CDeflate", "CPhotoShims", "PhotoRaster"],
            swiftSettings: strictAndOptimized),
        .testTarget(
            name: "PhotoCodecsTests", dependencies: ["PhotoCodecs", "PhotoRaster", "TestSupport"],
            path: "Tests/Unit/PhotoCodecsTests",
            resources: [.copy("Fixtures")],
            swiftSettings: strict),

        .target(name: "PhotoRaster", dependencies: ["CRasterLoops"], swiftSettings: strictAndOptimized),
        .testTarget(
            name: "PhotoRasterTests", dependencies: ["CRasterLoops", "PhotoRaster", "TestSupport"],
            path: "Tests/Unit/PhotoRasterTests",
            swiftSettings: strict),

        // MARK: The system underneath
        .target(
            name: "Systemd", dependencies: ["CSystemd", "FileNames", "LinuxIO", logging, systemPackage],
            swiftSettings: strict),
        .testTarget(
            name: "SystemdTests", dependencies: ["Systemd", "TestSupport", logging], path: "Tests/Unit/SystemdTests",
            swiftSettings: strict),

        .target(
            name: "OutboxLayout", dependencies: ["FileNames", "LinuxIO", systemPackage], swiftSettings: strict),
        .testTarget(
            name: "OutboxLayoutTests", dependencies: ["OutboxLayout", "StickerStudio"],
            path: "Tests/Unit/OutboxLayoutTests", swiftSettings: strict),
        .target(name: "FileNames", dependencies: ["LinuxIO", systemPackage], swiftSettings: strict),
        .testTarget(
            name: "FileNamesTests", dependencies: ["FileNames"], path: "Tests/Unit/FileNamesTests",
            swiftSettings: strict),

        .target(
            name: "LinuxIO",
            dependencies: ["CCrypto", "CLinuxShims", "CSeccomp", "PrometheusMetrics", systemPackage],
            swiftSettings: strict),
        // Enters the worker's confinement and makes one system call: a program of its own, because it dies of it.
        .executableTarget(
            name: "Confined", dependencies: ["LinuxIO"], path: "Tests/Process/Confined", swiftSettings: strict),
        .testTarget(
            name: "LinuxIOTests", dependencies: ["CLinuxShims", "Confined", "LinuxIO", "TestSupport", systemPackage],
            path: "Tests/Unit/LinuxIOTests",
            swiftSettings: strict),

        .target(name: "PrometheusMetrics", swiftSettings: strict),
        .testTarget(
            name: "PrometheusMetricsTests", dependencies: ["PrometheusMetrics", "TestSupport"],
            path: "Tests/Unit/PrometheusMetricsTests", swiftSettings: strict),

        // MARK: C
        .target(
            name: "CPhotoShims", dependencies: ["CDE265", "CHEIF", "CJPEG", "CLCMS", "CLinuxShims", "CPNG", "CWebP"],
            path: "Sources/C/PhotoShims"),
        // Without optimization, a photo takes seconds: vectors go through memory.
        .target(
            name: "CRasterLoops", dependencies: ["CLinuxShims"], path: "Sources/C/RasterLoops",
            cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
        .target(
            name: "CNetworkLoops", dependencies: ["CLinuxShims"], path: "Sources/C/NetworkLoops",
            cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
        .testTarget(
            name: "NetworkLoopsTests", dependencies: ["CNetworkLoops"], path: "Tests/Unit/NetworkLoopsTests",
            swiftSettings: strict),
        .target(name: "CLinuxShims", path: "Sources/C/LinuxShims"),
        // The page's parts come in by C23's #embed, and so do the weights.
        .target(name: "CGalleryAssets", path: "Sources/C/GalleryAssets"),
        .target(name: "CSubjectWeights", path: "Sources/C/SubjectWeights", exclude: ["subject.safetensors"]),
        .systemLibrary(
            name: "CCrypto", path: "Sources/C/Crypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // The tiles of phones' photos, without libheif's copies and conversions.
        .systemLibrary(
            name: "CDE265", path: "Sources/C/DE265", pkgConfig: "libde265", providers: [.apt(["libde265-dev"])]),
        // Deflate in one go, in two thirds of zlib's time.
        .systemLibrary(
            name: "CDeflate", path: "Sources/C/Deflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
        .systemLibrary(name: "CHEIF", path: "Sources/C/HEIF", pkgConfig: "libheif", providers: [.apt(["libheif-dev"])]),
        .systemLibrary(name: "CJPEG", path: "Sources/C/JPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
        .systemLibrary(name: "CLCMS", path: "Sources/C/LCMS", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
        .systemLibrary(name: "CPNG", path: "Sources/C/PNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(
            name: "CSeccomp", path: "Sources/C/Seccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(
            name: "CSystemd", path: "Sources/C/Systemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CWebP", path: "Sources/C/WebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CZlib", path: "Sources/C/Zlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "CXNNPACK", path: "Sources/C/XNNPACK", providers: [.apt(["libpthreadpool-dev", "libxnnpack-dev"])]),

        // MARK: Shared by the tests
        .target(
            name: "TestSupport", dependencies: ["LinuxIO", "PhotoRaster", logging, systemPackage],
            path: "Tests/Support",
            swiftSettings: strictAndOptimized),
    ]
)
