import Foundation
import LinuxIO
package import PhotoCodecs
package import PhotoRule
package import StickerStudio
import Synchronization
import Workers

/// The settings for processing photos. A reload applies to photos claimed after it.
package struct ProcessorSettings: Sendable, Equatable {
    package var recipe: Recipe
    package var limits: DecodeLimits
    /// The longest time a worker may take for one photo.
    package var timePerPhoto: Duration
    /// Whether a sticker's name begins with the stem of its photo's name.
    package var keepStem: Bool
    /// What happens to the photo's file in the inbox.
    package var originals = OriginalsMode.keep
    /// The bytes to keep free on the disks of outbox and Library; with less, no photo is claimed.
    package var minFreeBytes = 0
    package var nearDuplicates = NearDuplicates.report
    /// How long a photo whose file ends early waits for the rest; zero not to wait.
    package var incompleteTime = Duration.zero
    /// Whether the inbox is only polled, so that a growing file is noticed late.
    package var isPolled = false

    package init(recipe: Recipe, limits: DecodeLimits, timePerPhoto: Duration, keepStem: Bool) {
        self.recipe = recipe
        self.limits = limits
        self.timePerPhoto = timePerPhoto
        self.keepStem = keepStem
    }
}

extension ProcessorSettings {
    /// The request for a photo's stickers.
    var request: WorkerRequest { WorkerRequest(task: .process, recipe: recipe, limits: limits) }
}

/// What happens to a near-duplicate: a photo that looks like an earlier one of its pack, but has other bytes.
package enum NearDuplicates: String, CaseIterable, Sendable {
    /// Detection is off.
    case off
    /// It becomes a sticker and is reported in the journal.
    case report
    /// It becomes no sticker.
    case skip
}

extension Recipe {
    /// The recipe as JSON with sorted keys: equal recipes give equal text.
    ///
    /// - Throws: `EncodingError` if a number in it is not finite.
    package var canonicalText: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// The recipe's key in the Library: the first half of its text's SHA-256, in hexadecimal.
    package var identifier: String {
        get throws {
            if let last = Self.last.withLock({ $0 }), last.recipe == self { return last.identifier }
            let identifier = String(try ContentDigest.sha256(of: Array(try canonicalText.utf8)).hex.prefix(32))
            Self.last.withLock { $0 = (self, identifier) }
            return identifier
        }
    }

    /// The recipe that was identified last: almost always that of the next photo, too.
    private static let last = Mutex<(recipe: Recipe, identifier: String)?>(nil)
}
