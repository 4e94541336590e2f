package import SystemPackage

extension FilePath {
    /// This path with `bytes` behind it, as the kernel gave them: components with `/` between, no NUL.
    package func appending(bytes: some Collection<UInt8>) -> FilePath {
        guard !bytes.isEmpty else { return self }
        // Ends with NUL and outlives the call.
        let tail = unsafe FilePath(platformString: bytes.map { CInterop.PlatformChar(bitPattern: $0) } + [0])
        return appending(tail.components)
    }
}
