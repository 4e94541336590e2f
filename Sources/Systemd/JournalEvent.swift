/// Events to search for in the journal. The raw value is a log message's `event` metadata and becomes `STICKERD_EVENT`;
/// `journalctl -x` shows the explanations in `systemd/stickerd.catalog`.
package enum JournalEvent: String, CaseIterable, Sendable {
    /// The start is complete: photos dropped from now on are detected.
    case ready
    case stickerMade = "sticker-made"
    case duplicate
    case nearDuplicate = "near-duplicate"
    case noSubject = "no-subject"
    case photoFailed = "photo-failed"
    /// A file is no picture.
    case ignored
    case workerDied = "worker-died"
    case inboxAway = "inbox-away"
    case inboxBack = "inbox-back"
    case workPaused = "work-paused"
    case workResumed = "work-resumed"
    case stickersWithdrawn = "stickers-withdrawn"
    case exportWithheld = "export-withheld"
    case queueSummary = "queue-summary"
    case settingsReloaded = "settings-reloaded"
    case settingsRefused = "settings-refused"
    case stopping
    case fatal

    /// Whether the message has everything that a person needs. The fields are left out of the line then, and stay in
    /// the journal.
    var speaksForItself: Bool {
        switch self {
        case .ready, .queueSummary, .settingsReloaded, .stopping: true
        default: false
        }
    }

    /// The `MESSAGE_ID`: 128 random bits as 32 hexadecimal digits, which never change (sd-id128(3)).
    package var messageID: String {
        switch self {
        case .ready: "a787c6894491457ab1770e012e8359e2"
        case .stickerMade: "5a132025af3d44c8ac7cf64bae0f4ff5"
        case .duplicate: "139cc3b87f624317b4d46da916c5da34"
        case .nearDuplicate: "cbf43859af3a4e449b56118055e9519f"
        case .noSubject: "c3026edaf224435db0517f1fd26a4d20"
        case .photoFailed: "168e9c67cba44f26bc1a45b010e74b6e"
        case .ignored: "883a645c4bbe48ca9ff5689f67561b64"
        case .workerDied: "085b49c2b1a146dea6c37c0dc3ddcd6d"
        case .inboxAway: "6d1f0c58a3c94c0fb8e5a5b2c7de9a41"
        case .inboxBack: "f27a4be1d06c4f3c9f3b8f0f2d6e1c95"
        case .workPaused: "e1cf2f1a998641c59e4fa4165c9325b3"
        case .workResumed: "283186040c0f4892943ac9ca5000130d"
        case .stickersWithdrawn: "8d227438e5f6438099d14a0107fb4265"
        case .exportWithheld: "d03561aa73b49e005369ce4e185ac3bc"
        case .queueSummary: "0e79d346c56d4cc9af8f084f5b53fea5"
        case .settingsReloaded: "7902c77a54674eb18ddc80a35a313d5d"
        case .settingsRefused: "8c1646954fca47aeb54dcbe2508e47ea"
        case .stopping: "718cd9f106f5428297c4dcfb83f00fdc"
        case .fatal: "258cb5ffae674befbaa0c900624adcf9"
        }
    }
}
