import Foundation
import PhotoLibrary
package import SystemPackage

/// The output of `stickerd status`.
package struct StatusReport: Sendable {
    private let status: LibraryStatus

    /// - Throws: `LibraryError` if the state folder has no readable Library.
    package init(state: FilePath) throws {
        status = try PhotoLibrary.status(in: state)
    }

    /// One line per count.
    package var text: String {
        let rows =
            FileState.allCases.map { ($0.rawValue, status.photos[$0, default: 0]) } + [("stickers", status.stickers)]
        let lines = rows.map { name, count in
            name + String(repeating: " ", count: 12 - name.count) + "\(count)"
        }
        return (lines + (status.scanning ? ["still reading the inbox"] : [])).joined(separator: "\n")
    }

    /// `{"photos": {"pending": 0, …}, "scanning": false, "stickers": 12}`.
    package var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            let photos = Dictionary(uniqueKeysWithValues: status.photos.map { ($0.key.rawValue, $0.value) })
            return String(
                decoding: try encoder.encode(
                    Report(photos: photos, scanning: status.scanning, stickers: status.stickers)), as: UTF8.self)
        }
    }

    private struct Report: Encodable {
        let photos: [String: Int]
        let scanning: Bool
        let stickers: Int
    }
}
