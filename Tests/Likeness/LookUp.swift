import ArgumentParser
import FileNames
import Foundation
import LinuxIO
import PhotoCodecs
import PhotoColors
import PhotoFacts
import PhotoLibrary
import PhotoLikeness
import PhotoRaster
import SystemPackage

/// Measures look-ups in a Library of generated photos.
struct LookUp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fill a Library with photos of random likeness through its interface, and look some up.")

    @Option(help: "Number of photos to add.") var photos = 100_000
    @Option(help: "Number of look-ups of each kind.") var lookUps = 1000
    @Option(help: "Consecutive photos that look alike.") var burst = 1
    @Option(help: "The Library's folder, best in memory.") var folder: String

    func run() async throws {
        let library = try Library(in: FilePath(folder), outbox: "/outbox")
        try await library.remember(recipe: "r", content: "{}")
        _ = try await library.folder(ofPack: "", candidates: [""])
        var random = SystemRandomNumberGenerator()
        var known: [PerceptualHash] = []
        var seen = 0
        let filling = try await ContinuousClock().measure {
            while seen < photos {
                if seen % burst == 0 { known.append(random.likeness()) }
                let likeness = known[known.count - 1].changed(in: seen % burst % 20, using: &random)
                try await add(likeness, number: seen, to: library)
                seen += 1
            }
        }
        print("\(photos) photos written in \(filling)")
        try await measure("strangers", in: library) { random.likeness() }
        for bits in [0, 12, 31, PerceptualHash.alike] {
            try await measure("changed in \(bits) bits", in: library) {
                known.randomElement(using: &random)?.changed(in: bits, using: &random)
            }
        }
        try library.close()
    }

    private func measure(_ name: String, in library: Library, _ make: () -> PerceptualHash?) async throws {
        var times: [Double] = []
        var found = 0
        for _ in 0..<lookUps {
            guard let likeness = make() else { continue }
            let start = ContinuousClock.now
            if try await library.firstNearDuplicate(of: likeness, ofPhoto: "new", inPack: "") != nil { found += 1 }
            times.append(start.duration(to: .now) / .milliseconds(1))
        }
        guard !times.isEmpty else { return }
        times.sort()
        print(
            String(
                format: "%@: %d of %d found; median %.2f ms, 99th percentile %.2f ms", name, found, times.count,
                times[times.count / 2], times[times.count * 99 / 100]))
    }

    private func add(_ likeness: PerceptualHash, number: Int, to library: Library) async throws {
        let name = "\(number)"
        let identity = FileIdentity(device: 1, inode: UInt64(number), size: 1, modified: 1, changed: 1)
        _ = try await library.record([
            Arrival(path: InboxPath(bytes: Array(name.utf8)), identity: identity, verdict: .ready)
        ])
        for claim in try await library.claim(limit: 1) {
            _ = try await library.resolve(claim, photo: name)
            let sticker = StickerRecord(
                StickerFacts(width: 1, height: 1, confidence: 1), pack: "", photo: name, file: "\(name).png", bytes: 1,
                sha256: "", recipe: "r")
            let result = Ending.Result(
                photo: name,
                facts: PhotoFacts(
                    format: .jpeg, width: 1, height: 1, confidence: 1,
                    colors: ColorExtractor(Raster(width: 1, height: 1)).sample(), likeness: likeness),
                recipe: "r")
            try await library.finish(claim, as: .made([sticker], result: result, stems: [name]))
        }
    }
}

extension RandomNumberGenerator {
    fileprivate mutating func likeness() -> PerceptualHash {
        let bytes = (0..<PerceptualHash.byteCount).map { _ in UInt8.random(in: 0...255, using: &self) }
        guard let likeness = PerceptualHash(bytes: bytes) else {
            preconditionFailure("PerceptualHash rejected \(bytes.count) bytes")
        }
        return likeness
    }
}

extension PerceptualHash {
    fileprivate func changed(in bits: Int, using random: inout some RandomNumberGenerator) -> PerceptualHash {
        var bytes = bytes
        for bit in (0..<Self.bitCount).shuffled(using: &random).prefix(bits) { bytes[bit / 8] ^= 1 << UInt8(bit % 8) }
        return PerceptualHash(bytes: bytes) ?? self
    }
}
