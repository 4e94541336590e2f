import LinuxIO
import SystemPackage

/// What one process remembers of stickers' files, so that they are read and drawn once: the SHA-256 of each version of
/// a file, because a sticker's name has only digits of its photo's digest; which pictures cannot be made; and how often
/// what may still succeed was tried.
final class PictureMemory {
    /// A full list is emptied: the files are then read again. An entry has about 150 bytes.
    private static let maxEntries = 100_000
    /// Larger files are no stickers.
    static let maxBytes = 64 << 20

    private var digests: [FileIdentity: String] = [:]
    private var pictures: [String: String] = [:]
    private var refusals: [String: String] = [:]
    private var failures: [String: Int] = [:]
    /// By the paths of packs' folders.
    private var leftOut: [String: LeftOutStickers] = [:]

    /// How often a pass is repeated for a sticker that cannot be read, or a picture whose worker ended. After that, it
    /// is left out until something else changes; `stickerd export` ends with an error.
    static let maxTries = 5

    /// The digest of an open file in hexadecimal.
    func digest(of file: borrowing OwnedDescriptor) throws(Errno) -> (identity: FileIdentity, hex: String) {
        let identity = try FileStatus(ofDescriptor: file.raw).identity
        if let hex = digests[identity] { return (identity, hex) }
        let hex = try ContentDigest.sha256(ofDescriptor: file.raw, limit: Self.maxBytes).hex
        if digests.count >= Self.maxEntries { digests = [:] }
        digests[identity] = hex
        return (identity, hex)
    }

    /// SHA-256 of the picture of this name in the store; nil if it was not read. Its contents never change.
    func digest(ofPicture name: String) -> String? { pictures[name] }

    func remember(_ digest: String, ofPicture name: String) {
        if pictures.count >= Self.maxEntries { pictures = [:] }
        pictures[name] = digest
    }

    /// Why the picture of this name in the store cannot be made; nil if that was not tried.
    func refusal(of picture: String) -> String? { refusals[picture] }

    func remember(refusal reason: String, of picture: String) {
        if refusals.count >= Self.maxEntries { refusals = [:] }
        refusals[picture] = reason
    }

    /// Counts a try that failed and returns whether to try again because of it.
    ///
    /// - Parameter name: the picture's in the store, or the sticker's path, which has a slash.
    func mayRetry(afterFailureOf name: String) -> Bool {
        if failures.count >= Self.maxEntries { failures = [:] }
        let count = failures[name, default: 0] + 1
        failures[name] = count
        return count < Self.maxTries
    }

    /// Ends the count of a series of failures.
    func succeeded(_ name: String) { failures[name] = nil }

    /// Remembers which stickers of a pack's folder are left out. Returns whether they are others than before.
    func remember(_ stickers: LeftOutStickers, of folder: String) -> Bool {
        let former = leftOut[folder] ?? LeftOutStickers()
        leftOut[folder] = stickers.count == 0 ? nil : stickers
        return stickers != former
    }

    /// Makes the next pass try everything again.
    func forgetRefusals() { (refusals, failures) = ([:], [:]) }
}
