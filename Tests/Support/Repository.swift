package import Foundation

/// The files of this repository, for tests that read documents, units or corpora.
package enum Repository {
    /// The repository's folder, relative to this file in `Tests/Support`.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
}
