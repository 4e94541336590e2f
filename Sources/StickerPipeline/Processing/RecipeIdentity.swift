import Foundation
import LinuxIO
package import StickerStudio

extension Recipe {
    /// The recipe as JSON with sorted keys: equal recipes give equal text.
    ///
    /// - Throws: `EncodingError` where a number in it is not finite.
    package var canonicalText: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// Stands for the recipe in the Library: the first half of its text's SHA-256, in hexadecimal.
    package var identifier: String {
        get throws { String(try ContentDigest.sha256(of: Array(try canonicalText.utf8)).hex.prefix(32)) }
    }
}
