import Foundation

/// One daemon's folders and its log, side by side.
struct DaemonFolders {
    let root: String

    var inbox: String { root + "/inbox" }
    var outbox: String { root + "/outbox" }
    var state: String { root + "/state" }
    var log: String { root + "/log" }

    /// Removes the folders and creates empty ones.
    func renew() throws {
        try? FileManager.default.removeItem(atPath: root)
        for folder in [inbox, outbox, state] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
    }
}
