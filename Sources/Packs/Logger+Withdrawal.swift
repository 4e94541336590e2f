import Logging
import Systemd

extension Logger {
    /// Logs one line for all: a folder of thousands may have been emptied.
    ///
    /// - Parameter files: relative to the pack's folder.
    func withdrew(_ files: [String], fromPack pack: String) {
        // Thumbnails are in a subfolder.
        let stickers = files.filter { !$0.contains("/") }
        guard let sticker = stickers.first else { return }
        notice(
            "Withdrew stickers from the pack",
            metadata: [
                "event": "\(JournalEvent.stickersWithdrawn.rawValue)", "pack": "\(pack)", "sticker": "\(sticker)",
                "stickers": "\(stickers.count)",
            ])
    }
}
