import FileNames
import Foundation
import Inbox
import LinuxIO
import PhotoLibrary
import Synchronization
import SystemPackage

/// A Library that can block the Inbox.
final class InboxObservedLedger: InboxLedger {
    private struct State {
        var isStalled = false
        var stalled: [CheckedContinuation<Void, Never>] = []
    }

    let library: Library
    private let state = Mutex(State())

    private let onKnown: @Sendable () -> Void
    private let onRecord: @Sendable () -> Void

    /// - Parameters:
    ///   - onKnown: called each time the Inbox queries files of a folder: the known ones, then those that it misses.
    ///   - onRecord: called before arrivals are recorded.
    init(
        _ library: Library, onKnown: @escaping @Sendable () -> Void = {},
        onRecord: @escaping @Sendable () -> Void = {}
    ) {
        self.library = library
        self.onKnown = onKnown
        self.onRecord = onRecord
    }

    func known(inFolder folder: InboxPath?) async throws -> [InboxPath: FileIdentity] {
        await wait()
        onKnown()
        return try await library.known(inFolder: folder)
    }

    func knownFolder(_ folder: InboxPath?) async throws -> KnownFolder {
        await wait()
        onKnown()
        return try await library.knownFolder(folder)
    }

    func known(_ files: ArraySlice<Int64>) async throws -> [InboxPath: FileIdentity] {
        onKnown()
        return try await library.known(files)
    }

    func knownFolders() async throws -> [InboxPath?] { try await library.knownFolders() }

    func formerNames(of arrivals: [Arrival]) async throws -> [InboxPath: InboxPath] {
        try await library.formerNames(of: arrivals)
    }

    func inboxPlace(at path: FilePath) async throws -> DirectoryIdentity? { try await library.inboxPlace(at: path) }

    func knownFiles(limit: Int) async throws -> [InboxPath: FileIdentity] {
        try await library.knownFiles(limit: limit)
    }

    func recordInbox(
        _ place: DirectoryIdentity, at path: FilePath, renumbered devices: Set<UInt64>, isAnother: Bool
    ) async throws {
        try await library.recordInbox(place, at: path, renumbered: devices, isAnother: isAnother)
    }

    func record(_ arrivals: [Arrival], renamed: [InboxPath: InboxPath]) async throws -> Int {
        await wait()
        onRecord()
        return try await library.record(arrivals, renamed: renamed)
    }

    func forget(_ paths: [InboxPath], isLogged: Bool, at date: Date) async throws -> [InboxPath] {
        await wait()
        return try await library.forget(paths, isLogged: isLogged, at: date)
    }

    func adoptIgnoreRules(
        _ rules: String, isIgnored: @escaping @Sendable (InboxPath) -> Bool, progress: @Sendable () -> Void
    ) async throws -> [InboxPath] {
        try await library.adoptIgnoreRules(rules, isIgnored: isIgnored, progress: progress)
    }

    func setScanning(_ scanning: Bool) async throws {
        try await library.setScanning(scanning)
    }

    func stall() {
        state.withLock { $0.isStalled = true }
    }

    func resume() {
        let stalled = state.withLock { state in
            defer { state.stalled = [] }
            state.isStalled = false
            return state.stalled
        }
        for continuation in stalled { continuation.resume() }
    }

    /// Returns once the Inbox is blocked.
    func untilStalled() async {
        while state.withLock({ $0.stalled.isEmpty }) { await Task.yield() }
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                if state.isStalled { state.stalled.append(continuation) }
                return !state.isStalled
            }
            if goesOn { continuation.resume() }
        }
    }
}
