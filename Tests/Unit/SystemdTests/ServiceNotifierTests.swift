import Synchronization
import Systemd
import Testing

@Suite("Service notifier")
struct ServiceNotifierTests {
    private let sent = Sent()

    private var notifier: ServiceNotifier {
        ServiceNotifier { [sent] message in sent.messages.withLock { $0.append(message) } }
    }

    @Test("sends one datagram for each message, with its status")
    func messages() {
        notifier.ready(status: "Watching inbox")
        notifier.status("12 stickers, 0 pending")
        notifier.alive()
        notifier.extendTimeout(by: .seconds(90))
        notifier.stopping(status: "Finishing 2 photos")
        #expect(
            sent.messages.withLock { $0 } == [
                "READY=1\nSTATUS=Watching inbox", "STATUS=12 stickers, 0 pending", "WATCHDOG=1",
                "EXTEND_TIMEOUT_USEC=90000000",
                "STOPPING=1\nSTATUS=Finishing 2 photos",
            ])
    }

    @Test("reports the start of a reload and its time in one datagram")
    func reloading() throws {
        notifier.reloading()
        notifier.reloading()
        let times = try sent.messages.withLock { $0 }.map { message in
            let parts = try #require(message.wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=(\d+)/))
            return try #require(Int(parts.1))
        }
        #expect(times.count == 2)
        #expect(times[0] > 0)
        #expect(times[0] <= times[1])
    }

    @Test("prevents status text from becoming an assignment")
    func statusIsOneLine() {
        notifier.status("cat\nMAINPID=1")
        #expect(sent.messages.withLock { $0 } == ["STATUS=cat\\x0aMAINPID=1"])
    }

    private final class Sent: Sendable {
        let messages = Mutex<[String]>([])
    }
}
