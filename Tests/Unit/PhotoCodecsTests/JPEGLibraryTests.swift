import PhotoCodecs
import PhotoRaster
import TestSupport
import Testing

/// Photos decoded with libjpeg's internals, and without them: to the same pixels, flaws and errors.
@Suite("JPEG, by libjpeg's public interface", .timeLimit(.minutes(5)))
struct JPEGLibraryTests {
    private struct Outcome: Equatable {
        var raster: Raster?
        var flaw: String?
        var error: String?

        init(_ bytes: [UInt8], _ workingSide: Int, _ region: PixelRect?, _ limits: DecodeLimits, isPublic: Bool) {
            do throws(CodecError) {
                let photo = try PhotoDecoder(limits: limits, avoidsPrivateParts: isPublic)
                    .decode(.bytes(bytes), workingSide: workingSide, region: region)
                raster = photo.raster
                flaw = photo.flaw
            } catch {
                self.error = error.description
            }
        }
    }

    /// At an eighth, where scans are skipped, at two, three and five eighths, and at the full size.
    private static let scales = [5, 12, 40, 80, 2000]

    private static let drawn: [(name: String, bytes: [UInt8])] = {
        // Twelve rows of blocks: the last one may be missing.
        let drawn = CodedJPEG(across: 4, down: 12, factor: 2, share: 0.1, seed: 7)
        return [
            ("sequential", drawn.inOneScan()), ("with restarts", drawn.inOneScan(restartInterval: 4)),
            ("in three scans", drawn.inThreeScans()), ("progressive", drawn.progressive()),
            ("progressive with restarts", drawn.progressive(restartInterval: 4)),
        ]
    }()

    private static func corpus() throws -> [(name: String, bytes: [UInt8])] {
        try FuzzCorpus.names(in: "jpeg").map { ($0, try FuzzCorpus.bytes(of: $0, in: "jpeg")) }
    }

    /// Compares both ways, with coefficients packed and not. Returns how often the photo was decoded.
    private func compare(_ bytes: [UInt8], _ name: String, region: PixelRect? = nil) -> (decoded: Int, failed: Int) {
        var packing = DecodeLimits()
        packing.maxMemory = 30_000
        var (decoded, failed) = (0, 0)
        for working in Self.scales {
            for limits in [DecodeLimits(), packing] {
                let one = Outcome(bytes, working, region, limits, isPublic: false)
                let other = Outcome(bytes, working, region, limits, isPublic: true)
                // Not the pixels: a failure would print all of them.
                let isSame = one == other
                #expect(
                    isSame,
                    "\(name) at \(working): \(one.error ?? one.flaw ?? "-"), \(other.error ?? other.flaw ?? "-")")
                if one.raster == nil { failed += 1 } else { decoded += 1 }
            }
        }
        return (decoded, failed)
    }

    @Test(
        "Codes of every length give the same pixels, in one scan and in several, with many coefficients and few",
        arguments: [1, 2], [0.02, 0.2, 0.6, 1])
    func codes(factor: Int, share: Double) {
        for seed: UInt64 in 1...4 {
            let drawn = CodedJPEG(across: 9, down: 7, factor: factor, share: share, seed: seed)
            for (bytes, name) in [
                (drawn.inOneScan(), "one scan"), (drawn.inOneScan(restartInterval: 5), "restarts"),
                (drawn.inThreeScans(), "three scans"), (drawn.progressive(), "progressive"),
            ] {
                #expect(compare(bytes, "\(name), seed \(seed)").decoded >= Self.scales.count)
                let region = PixelRect(x: 37, y: 42, width: 31, height: 12)
                #expect(compare(bytes, "\(name), seed \(seed)", region: region).decoded >= Self.scales.count)
            }
            // Not by libjpeg's word alone: the same coefficients are the same picture.
            let outcomes = [drawn.inThreeScans(), drawn.inOneScan(), drawn.progressive()].map {
                Outcome($0, 2000, nil, DecodeLimits(), isPublic: false)
            }
            #expect(outcomes[0].raster != nil && outcomes.allSatisfy { $0.raster == outcomes[0].raster })
        }
    }

    @Test("Whole photos are the same, and so are their regions")
    func whole() throws {
        for (name, bytes) in try Self.drawn + Self.corpus() {
            #expect(compare(bytes, name).decoded >= Self.scales.count)
            #expect(
                compare(bytes, name, region: PixelRect(x: 7, y: 3, width: 21, height: 30)).decoded >= Self.scales.count)
        }
    }

    @Test("Truncated photos are the same, or fail with the same reason")
    func truncated() throws {
        var (decoded, failed) = (0, 0)
        for (name, bytes) in try Self.drawn + Self.corpus() {
            for length in stride(from: bytes.count - 1, to: bytes.count / 8, by: -max(bytes.count / 12, 1)) {
                for end in [[], [0xFF, 0xD9]] as [[UInt8]] {
                    let counts = compare(bytes.prefix(length) + end, "\(name), cut at \(length)")
                    decoded += counts.decoded
                    failed += counts.failed
                }
            }
        }
        #expect(decoded > 100 && failed > 100)
    }

    @Test("Damaged photos are the same, or fail with the same reason", arguments: 1...4)
    func damaged(seed: UInt64) throws {
        var random = TestRandom(state: seed)
        var (decoded, failed) = (0, 0)
        for (name, bytes) in try Self.drawn + Self.corpus() {
            for _ in 0..<10 {
                var damaged = bytes
                for _ in 0..<1 + Int(random.next() % 3) {
                    let place = bytes.count / 8 + Int(random.next() % UInt64(bytes.count * 7 / 8))
                    switch random.next() % 4 {
                    case 0: damaged[place] ^= 1 << UInt8(random.next() % 8)
                    case 1: damaged[place] = 0xFF
                    case 2: damaged.insert(contentsOf: [0xFF, 0xD0 + UInt8(random.next() % 8)], at: place)
                    default: damaged.removeSubrange(place..<min(place + Int(random.next() % 40), damaged.count))
                    }
                    if damaged.count < bytes.count { damaged += bytes.suffix(bytes.count - damaged.count) }
                }
                let counts = compare(damaged, "\(name), seed \(seed)")
                decoded += counts.decoded
                failed += counts.failed
            }
        }
        #expect(decoded > 100 && failed > 100)
    }
}
