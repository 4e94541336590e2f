package import SystemPackage

extension FilePath {
    /// This path with `bytes` behind it, as the kernel gave them: components with `/` between, no NUL.
    package func appending(bytes: some Collection<UInt8>) -> FilePath {
        guard !bytes.isEmpty else { return self }
        // Ends with NUL and outlives the call.
        let tail = unsafe FilePath(platformString: bytes.map { CInterop.PlatformChar(bitPattern: $0) } + [0])
        return appending(tail.components)
    }

    /// The path of these bytes, as the kernel gave them; no NUL.
    package init(bytes: [UInt8]) {
        // Ends with NUL and outlives the call.
        self = unsafe FilePath(platformString: bytes.map { CInterop.PlatformChar(bitPattern: $0) } + [0])
    }

    /// As the kernel takes them, without the NUL at the end.
    package var bytes: [UInt8] {
        // The string outlives the call.
        unsafe withPlatformString { unsafe Array(UnsafeRawBufferPointer(start: $0, count: length)) }
    }
}
