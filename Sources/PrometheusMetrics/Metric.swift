/// What the daemon measures. Labels have a few fixed values: names of photos or packs are never among them.
package enum Metric: String, CaseIterable, Sendable {
    case build = "stickerd_build_info"
    case diskFree = "stickerd_disk_free_bytes"
    case fsync = "stickerd_fsync_seconds"
    case photos = "stickerd_photos"
    case queueAge = "stickerd_queue_age_seconds"
    case stage = "stickerd_stage_seconds"
    case stickers = "stickerd_stickers"
    case workerRestarts = "stickerd_worker_restarts_total"

    enum Kind: String { case counter, gauge, histogram }

    var kind: Kind {
        switch self {
        case .workerRestarts: .counter
        case .build, .diskFree, .photos, .queueAge, .stickers: .gauge
        case .fsync, .stage: .histogram
        }
    }

    /// One line of text for users.
    var help: String {
        switch self {
        case .build: "The version of the running stickerd; the value is always 1."
        case .diskFree: "Bytes that stickerd may still write on the disk of its inbox or outbox."
        case .fsync: "Time of each fsync of a file or folder, without those of the Library."
        case .photos: "Files of the inbox, by state as in stickerd status."
        case .queueAge: "Time since the photo at the head of the queue began to wait; 0 if none waits."
        case .stage: "Time of each stage of making stickers of a photo, in its worker."
        case .stickers: "Stickers in all packs."
        case .workerRestarts: "Workers that ended before they were told to, and were replaced."
        }
    }

    /// The upper bounds of a histogram's buckets, in seconds: from a fast SSD's fsync to `limits.secondsPerPhoto`.
    static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
}
