import Glibc
package import SystemPackage

extension Errno {
    /// Repeats `body` while it is interrupted by signals. Throws errno if it returns -1.
    package static func retry<Value: SignedInteger>(_ body: () -> Value) throws(Errno) -> Value {
        while true {
            let value = body()
            if value != -1 { return value }
            let cause = Errno(rawValue: errno)
            if cause != .interrupted { throw cause }
        }
    }
}

extension FilePath {
    /// Appends components as the kernel returned them: separated by `/`, without NUL.
    package func appending(bytes: some Collection<UInt8>) -> FilePath {
        guard !bytes.isEmpty else { return self }
        // Appending components would check the whole path again for each.
        return FilePath(bytes: self.bytes + [UInt8(ascii: "/")] + bytes)
    }

    /// - Parameter bytes: as the kernel returned them, without NUL.
    package init(bytes: [UInt8]) {
        // Ends with NUL and outlives the call.
        self = unsafe FilePath(platformString: bytes.map { CInterop.PlatformChar(bitPattern: $0) } + [0])
    }

    /// The path's bytes, without the terminating NUL.
    package var bytes: [UInt8] {
        // The string outlives the call.
        unsafe withPlatformString { unsafe Array(UnsafeRawBufferPointer(start: $0, count: length)) }
    }
}

extension [UInt8] {
    /// Calls `body` with these bytes and a terminating NUL; `EINVAL` if they contain one.
    @safe func withCString<Value>(_ body: (UnsafePointer<CChar>) throws(Errno) -> Value) throws(Errno) -> Value {
        guard !contains(0) else { throw .invalidArgument }
        let terminated = map { CChar(bitPattern: $0) } + [0]
        // The pointer must not leave `body`.
        return try unsafe terminated.withUnsafeBufferPointer { buffer throws(Errno) in
            guard let start = buffer.baseAddress else { throw .invalidArgument }
            return try unsafe body(start)
        }
    }
}

extension Duration {
    /// As settings have it: "30" or "1.5".
    package var seconds: String {
        let seconds = self / .seconds(1)
        return Int(exactly: seconds).map(String.init) ?? "\(seconds)"
    }

    /// For poll(2): rounded up, so that a wait does not end early and a short one does not spin.
    var pollMilliseconds: Int32 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        let milliseconds = (attoseconds + perMillisecond - 1) / perMillisecond
        guard seconds < Int64(Int32.max) / 1000 - 1 else { return .max }
        return Int32(seconds * 1000 + milliseconds)
    }
}
