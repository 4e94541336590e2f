import CCrypto
package import SystemPackage

/// A SHA-256 in the making. libcrypto fails here only for want of memory, which is what is thrown.
@safe package struct RunningDigest: ~Copyable {
    // Owned by this value alone, freed once in deinit.
    private let context: OpaquePointer

    package static func start() throws(Errno) -> RunningDigest {
        // Owned from here on.
        guard let context = unsafe EVP_MD_CTX_new() else { throw .noMemory }
        let running = unsafe RunningDigest(context: context)
        // The context was made above; the algorithm is static.
        guard unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { throw .noMemory }
        return running
    }

    private init(context: OpaquePointer) {
        unsafe self.context = context
    }

    // Not used after this.
    deinit { unsafe EVP_MD_CTX_free(context) }

    func update(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        // libcrypto reads `count` bytes and keeps no pointer.
        guard unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else { throw .noMemory }
    }

    package func update(_ bytes: [UInt8]) throws(Errno) {
        // The buffer outlives the call.
        try unsafe bytes.span.bytes.withUnsafeBytes { buffer throws(Errno) in try unsafe update(buffer) }
    }

    /// To be called once, last.
    package func finish() throws(Errno) -> ContentDigest {
        var digest = [UInt8](repeating: 0, count: 32)
        // SHA-256 writes 32 bytes.
        guard unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw .noMemory }
        return ContentDigest(bytes: digest)
    }
}
