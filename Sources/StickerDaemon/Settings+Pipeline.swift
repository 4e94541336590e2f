import DaemonSettings
import FileNames
import Glibc
import Inbox
import LinuxIO
import Outbox
import PhotoLibrary
import StickerPipeline
import SystemPackage
import Workers

extension Settings {
    /// The outbox, for a process that writes to it.
    ///
    /// - Throws: if no thread is available.
    func openOutbox(_ library: Library) throws(Errno) -> OutboxWriter {
        // The text is for a person in a log: escaped.
        let owner = "process \(getpid()) with the state folder \(InboxPath(bytes: state.bytes))"
        return try OutboxWriter(folder: outbox, library: library, lock: OutboxLock(owner: owner))
    }

    /// - Parameter model: what `openModel()` returned.
    func pipeline(executable: FilePath, model: ModelFile?) -> Pipeline.Settings {
        var settings = Pipeline.Settings(
            inbox: inbox, outbox: outbox, originals: originals, processing: processing(model), packs: packs,
            executable: executable, workerCount: workerCount)
        (settings.model, settings.exports) = (model, packExports)
        settings.isIgnored = { [inboxRules] in inboxRules.reasonToIgnore($0) != nil }
        return settings
    }
}
