import Conditions
import DaemonSettings
import FileNames
import Glibc
import Inbox
import LinuxIO
import Logging
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
    func pipeline(
        executable: FilePath, model: ModelFile?, library: Library, outbox: OutboxWriter, conditions: CurrentConditions,
        logger: Logger, changes: @escaping @Sendable () -> Void
    ) throws -> Pipeline {
        try Pipeline(
            inbox: inbox, isIgnored: { [inboxRules] in inboxRules.reasonToIgnore($0) != nil }, originals: originals,
            processing: processing(model), packs: packs, exports: packExports, executable: executable, model: model,
            workerCount: workerCount, library: library, outbox: outbox, conditions: conditions, logger: logger,
            changes: changes)
    }
}
