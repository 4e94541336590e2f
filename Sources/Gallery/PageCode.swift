package import LinuxIO
import OutboxLayout
package import SystemPackage

/// The script of the gallery's page, in its own file, so that a new sticker does not rewrite it.
///
/// Its name has a part of its SHA-256, and never gets other contents: a page cannot load another release's script, and
/// browsers may cache it.
package enum PageCode {
    private static let prefix = "gallery-"
    private static let suffix = ".js"
    /// How many digits of the digest the file's name has.
    private static let digits = 16

    /// The script.
    package static var bytes: [UInt8] { PageTemplate.script }

    /// Its file's name. Fails only if memory runs out.
    package static let name = Result<String, Errno> { () throws(Errno) in
        name(of: try ContentDigest.sha256(of: PageTemplate.script))
    }

    /// Its file, relative to the pack's folder.
    package static let file = name.map(OutboxSubfolder.pages.file)

    /// The name of a script with this digest, in any release.
    package static func name(of digest: ContentDigest) -> String { "\(prefix)\(digest.hex.prefix(digits))\(suffix)" }

    /// Whether a release could have given a script this path, relative to a pack's folder.
    package static func isFile(_ file: String) -> Bool {
        guard file.hasPrefix(OutboxSubfolder.pages.prefix) else { return false }
        let name = file.dropFirst(OutboxSubfolder.pages.prefix.count)
        return name.hasPrefix(prefix) && name.hasSuffix(suffix)
            && name.utf8.count == prefix.utf8.count + digits + suffix.utf8.count
            && name.dropFirst(prefix.count).dropLast(suffix.count).allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }
}
