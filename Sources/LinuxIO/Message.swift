/// What goes over a `MessageSocket` in one piece: a small header, a body, and at most one open descriptor.
package struct Message: ~Copyable, Sendable {
    package let header: [UInt8]
    package let body: [UInt8]
    private var descriptor: OwnedDescriptor?

    init(header: [UInt8], body: [UInt8], descriptor: consuming OwnedDescriptor?) {
        self.header = header
        self.body = body
        self.descriptor = descriptor
    }

    /// Whether the message has a descriptor that has not been taken.
    package var hasDescriptor: Bool { descriptor != nil }

    /// The descriptor that came along, once; who never asks has it closed with the message.
    package mutating func takeDescriptor() -> OwnedDescriptor? {
        descriptor.take()
    }
}
