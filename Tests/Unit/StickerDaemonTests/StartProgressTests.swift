import StickerDaemon
import Synchronization
import Systemd
import Testing

@Suite("A long start")
struct StartProgressTests {
    @Test("requests more time while it makes progress, no more often than needed")
    func asks() {
        let sent = Mutex<[String]>([])
        let progress = StartProgress(ServiceNotifier { message in sent.withLock { $0.append(message) } })
        let start = ContinuousClock.now
        for second in 0..<12 { progress.note(at: start + .seconds(second)) }
        #expect(sent.withLock { $0 } == [String](repeating: "EXTEND_TIMEOUT_USEC=120000000", count: 3))
    }
}
