import CCrypto
import SystemPackage

/// A SHA-256 in the making. libcrypto fails here only for want of memory, which is what is thrown.
@safe struct RunningDigest: ~Copyable {
    // Owned by this value alone, freed once in deinit.
    private let context: OpaquePointer

    static func start() throws(Errno) -> RunningDigest {
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

    /// To be called once, last.
    func finish() throws(Errno) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        // SHA-256 writes 32 bytes.
        guard unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw .noMemory }
        return digest
    }
}
