import Glibc
import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct MessageSocketTests {
    private let near: MessageSocket
    private let far: MessageSocket

    init() throws {
        (near, far) = try MessageSocket.pair()
    }

    /// Sends and receives on a serial thread, because both block.
    private actor Peer: ThreadOwner {
        let thread: SerialThread
        init() throws { thread = try SerialThread(name: "peer") }

        func send(_ header: [UInt8], _ body: [UInt8], over socket: MessageSocket) throws {
            try socket.send(header: header, body: body)
        }

        func receive(from socket: MessageSocket) throws -> Message {
            try socket.next(timeout: .seconds(30))
        }

        func receivesAny(from socket: MessageSocket) throws -> Bool {
            try socket.receive() != nil
        }
    }

    @Test("A message of any size arrives whole", arguments: [0, 1, 5_000_000])
    func whole(count: Int) async throws {
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        let (sender, receiver) = (try Peer(), try Peer())
        async let sent: Void = sender.send(Array("header".utf8), body, over: near)
        let message = try await receiver.receive(from: far)
        try await sent
        #expect(message.header == Array("header".utf8))
        #expect(message.body == body)
    }

    @Test("Messages keep their order and boundaries")
    func order() throws {
        for number in 0..<100 as Range<UInt8> { try near.send(header: [number], body: [number, number]) }
        for number in 0..<100 as Range<UInt8> {
            let message = try far.next()
            #expect(message.header == [number])
            #expect(message.body == [number, number])
        }
    }

    @Test("A message transfers an open file, close-on-exec, which the receiver owns")
    func descriptor() throws {
        let folder = TemporaryFolder()
        try folder.write("content", to: "file")
        do {
            let file = try OwnedDescriptor(opening: folder["file"])
            try near.send(header: [1], passing: file.raw)
        }
        try near.send(header: [2])
        var first = try far.next()
        let taken = first.takeDescriptor()
        guard let file = taken else { throw Errno.badFileDescriptor }
        #expect(fcntl(file.raw, F_GETFD) & FD_CLOEXEC != 0)
        #expect(try file.contents() == "content")
        let again = first.takeDescriptor() != nil
        #expect(!again)
        var second = try far.next()
        #expect(second.header == [2])
        let another = second.takeDescriptor() != nil
        #expect(!another)
    }

    @Test("The end of the stream is no message, and an end within a message is an error")
    func ends() throws {
        do {
            let (near, far) = try MessageSocket.pair()
            near.shutdown()
            let isOver = try far.receive() == nil
            #expect(isOver)
            #expect(throws: Errno.brokenPipe) { try far.send(header: [1]) }
        }
        // Announces three bytes of header and ends after one.
        #expect(unsafe write(near.raw, [3, 0, 0, 0, 0, 0, 0, 0, 1], 9) == 9)
        near.shutdown()
        #expect(throws: Errno.noData) { _ = try far.receive() }
    }

    @Test(
        "An oversized message is rejected",
        arguments: [
            [0, 0, 0, 0xFF, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0xFF],
        ] as [[UInt8]])
    func tooLong(prefix: [UInt8]) throws {
        #expect(unsafe write(near.raw, prefix, 8) == 8)
        #expect(throws: Errno.badMessage) { _ = try far.receive() }
    }

    @Test("Receiving times out")
    func timeout() throws {
        #expect(throws: Errno.timedOut) { _ = try far.receive(timeout: .milliseconds(20)) }
    }

    @Test("A message may take longer, from its first byte to its last")
    func longer() throws {
        let message: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 5]
        var sent = 0
        let header = try far.receive(timeout: .milliseconds(1)) {
            defer { sent += 1 }
            return unsafe write(near.raw, [message[sent]], 1) == 1
        }?.header
        #expect(header == [5] && sent == message.count)
    }

    @Test("isReadable consumes nothing: without data, before a message, at the end")
    func lookAhead() throws {
        #expect(try !far.isReadable(within: .milliseconds(20)))
        try near.send(header: [1])
        #expect(try far.isReadable(within: .zero))
        #expect(try far.receive()?.header == [1])
        near.shutdown()
        #expect(try far.isReadable(within: .zero))
    }

    @Test("Shutdown on another thread ends a blocked receive")
    func shutdown() async throws {
        let peer = try Peer()
        async let received = peer.receivesAny(from: far)
        // It must return whether or not it is already waiting.
        far.shutdown()
        #expect(try await received == false)
    }
}

extension MessageSocket {
    /// `#require` for values that cannot be copied.
    fileprivate func next(timeout: Duration? = nil) throws -> Message {
        guard let message = try receive(timeout: timeout) else { throw Errno.connectionReset }
        return message
    }
}
