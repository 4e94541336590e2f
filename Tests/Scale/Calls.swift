import ArgumentParser
import FileNames
import Foundation
import LinuxIO
import PackLedger
import PhotoCodecs
import PhotoColors
import PhotoFacts
import PhotoLibrary
import PhotoRaster
import SystemPackage

/// Measures calls of a Library that `scale.py` has filled.
struct Calls: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure claim, resolve, finish, count and list in an existing Library.")

    @Option(help: "The Library's folder, best in memory.") var folder: String
    @Option(help: "The outbox that the Library belongs to.") var outbox: String
    @Option(help: "How often each call is measured.") var rounds = 300

    /// The pack in which photos are finished, as `scale.py` names it.
    private static let pack = "P"
    /// How many stickers are listed: those of a page.
    private static let listed = 100

    func run() async throws {
        let library = try Library(in: FilePath(folder), outbox: outbox)
        try await library.remember(recipe: "r", content: "{}")
        var times: [String: [Double]] = [:]
        var processor: [String: Double] = [:]
        func measure<Value>(_ name: String, _ call: () async throws -> Value) async throws -> Value {
            let (start, used) = (ContinuousClock.now, ProcessorTime.now)
            let value = try await call()
            times[name, default: []].append(start.duration(to: .now) / .milliseconds(1))
            processor[name, default: 0] += (ProcessorTime.now - used) * 1000
            return value
        }
        for round in 0..<rounds {
            let name = "new-\(round)"
            let path = InboxPath(bytes: Array("\(Self.pack)/\(name).jpg".utf8))
            let identity = FileIdentity(device: 1, inode: 1 << 40 + UInt64(round), size: 1, modified: 1, changed: 1)
            _ = try await measure("arrive") {
                try await library.record([Arrival(path: path, identity: identity, verdict: .ready)], renamed: [:])
            }
            // The filled Library has waiting files, too; this takes the first.
            guard let claim = try await measure("claim", { try await library.claim(limit: 1) }).first else { continue }
            _ = try await measure("resolve") { try await library.resolve(claim, photo: name) }
            let file = try await measure("reserve") {
                try await library.reserveName(
                    forPhoto: name, recipe: "r", candidates: ["\(name).png"], thumbnail: { "\($0).webp" }, claim: claim)
            }
            let ending = Self.ending(photo: name, pack: claim.pack, file: file ?? name)
            _ = try await measure("finish") { try await library.finish(claim, as: ending) }
            _ = try await measure("count") { try await library.status() }
            _ = try await measure("list") {
                try await library.stickers(ofPack: Self.pack, limit: Self.listed)
            }
            _ = try await measure("summary") { try await library.summary(ofPack: Self.pack, listed: Self.listed) }
        }
        try library.close()
        // Median, 99th percentile, and processor time on average, in milliseconds.
        let text = times.map { name, all in
            let times = all.sorted()
            return String(
                format: #""%@":[%.4f,%.4f,%.4f]"#, name, times[times.count / 2], times[times.count * 99 / 100],
                processor[name, default: 0] / Double(times.count))
        }
        print("{\(text.sorted().joined(separator: ","))}")
    }

    private static func ending(photo: String, pack: String, file: String) -> Ending {
        let facts = PhotoFacts(
            format: .jpeg, width: 1, height: 1, confidence: 1,
            colors: ColorExtractor(Raster(width: 1, height: 1)).sample())
        let sticker = StickerRecord(
            StickerFacts(width: 1, height: 1, confidence: 1), pack: pack, photo: photo, file: file,
            thumbnail: "\(file).webp", bytes: 1, sha256: "", recipe: "r")
        return .made([sticker], result: Ending.Result(photo: photo, facts: facts, recipe: "r"), stems: [photo])
    }
}
