import Glibc
package import SystemPackage

/// The delays between retries after transient errors. All such numbers are in this file.
package struct RetryPolicy: Sendable {
    let first: Duration
    package let longest: Duration
    /// The range of a random factor for each delay, so that operations that failed together are not retried together.
    let jitter: ClosedRange<Double>

    private init(_ first: Duration, upTo longest: Duration, jitter: ClosedRange<Double> = 0.8...1.2) {
        self.first = first
        self.longest = longest
        self.jitter = jitter
    }

    /// For photos, packs, folders and workers.
    package static let standard = RetryPolicy(.seconds(1), upTo: .seconds(60))
    /// For transactions. Shorter, because other calls of the Library wait meanwhile.
    package static let library = RetryPolicy(.milliseconds(200), upTo: .seconds(10), jitter: 1...1)
    /// For an unavailable folder. Short and constant: a check costs one stat(2), and mounts may cause no event.
    package static let folderAway = RetryPolicy(.seconds(2), upTo: .seconds(2), jitter: 1...1)
    /// For a pack's index that could not be written.
    package static let packIndex = RetryPolicy(.seconds(5), upTo: .seconds(5), jitter: 1...1)
    /// For a pack's `stickers.zip` that did not fit on the disk. Long, because the file is large and the least urgent.
    package static let packArchive = RetryPolicy(.seconds(60), upTo: .seconds(60), jitter: 1...1)
    /// For a worker that ended soon after its start.
    package static let workerRestart = RetryPolicy(.seconds(1), upTo: .seconds(1), jitter: 1...1)
}

/// Capped exponential backoff: the delays of one series of tries.
package struct Backoff: Sendable {
    private let policy: RetryPolicy
    private var length: Duration?

    package init(_ policy: RetryPolicy = .standard) {
        self.policy = policy
    }

    /// Whether no try has failed yet.
    package var isFresh: Bool { length == nil }

    /// The delay after a failed try.
    package mutating func next() -> Duration {
        let length = length.map { min($0 * 2, policy.longest) } ?? policy.first
        self.length = length
        return policy.jitter == 1...1 ? length : length * Double.random(in: policy.jitter)
    }
}

extension Errno {
    /// Whether a retry may succeed with the same file. Unlisted errors are permanent.
    package var isTransient: Bool {
        isShortage || Self.diskErrors.contains(self)
    }

    /// Whether the process or the machine lacks memory, descriptors or threads, regardless of the file.
    package var isShortage: Bool {
        Self.shortages.contains(self)
    }

    private static let shortages: Set<Errno> = [
        .noBufferSpace, .noMemory, .resourceTemporarilyUnavailable, .tooManyOpenFiles, .tooManyOpenFilesInSystem,
    ]

    /// Full, read-only, failing or missing disks. A mount that vanished fails with ENODEV, ENOTCONN or ESTALE, such as
    /// that of a dead FUSE process or of an NFS server that lost its state. Network file systems fail with network
    /// errors.
    private static let diskErrors: Set<Errno> = [
        .diskQuotaExceeded, .hostIsDown, .ioError, .networkDown, .networkUnreachable, .noRouteToHost, .noSpace,
        .operationNotSupportedByDevice, .readOnlyFileSystem, .resourceBusy, .socketNotConnected,
        .staleNFSFileHandle, .timedOut, Errno(rawValue: Glibc.ENOLINK), Errno(rawValue: Glibc.EREMOTEIO),
    ]
}
