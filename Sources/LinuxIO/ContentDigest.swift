import CCrypto
import Glibc
package import SystemPackage

/// A SHA-256 digest. It identifies a photo regardless of its file's name.
package struct ContentDigest: Hashable, Sendable {
    /// 32 bytes.
    package let bytes: [UInt8]

    /// 64 lowercase hexadecimal digits.
    package var hex: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The length of `hex`.
    package static let hexLength = 64

    private static let chunk = 256 * 1024

    /// - Throws: only `Errno.noMemory`.
    package static func sha256(of bytes: [UInt8]) throws(Errno) -> ContentDigest {
        let running = try RunningDigest.start()
        try running.update(bytes)
        return try running.finish()
    }

    /// Reads the file to its end by pread(2), which leaves the descriptor's offset unchanged.
    ///
    /// - Parameter progress: called after each part.
    /// - Throws: `Errno.fileTooLarge` as soon as more than `limit` bytes have been read.
    package static func sha256(
        ofDescriptor descriptor: Int32, from start: Int = 0, limit: Int, progress: () -> Void = {}
    ) throws(Errno) -> ContentDigest {
        let running = try RunningDigest.start()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
        // Allocated above, not used after this.
        defer { unsafe buffer.deallocate() }
        var position = start
        while true {
            // The buffer is `chunk` bytes long.
            let count = try Errno.retry { unsafe pread(descriptor, buffer.baseAddress, chunk, off_t(position)) }
            guard count > 0 else { return try running.finish() }
            position += count
            guard position - start <= limit else { throw .fileTooLarge }
            // pread filled the first `count` bytes.
            try unsafe running.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            progress()
        }
    }
}

/// An incremental SHA-256. libcrypto fails here only if memory runs out, which is the error thrown.
@safe package struct RunningDigest: ~Copyable {
    // Owned by this value alone, freed once in deinit.
    private let context: OpaquePointer

    /// Whether libcrypto is ready. Without this option, exit(3) frees its tables while another thread may still compute
    /// a digest (OPENSSL_init_crypto(3)).
    private static let isReady = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

    package static func start() throws(Errno) -> RunningDigest {
        guard isReady else { throw .noMemory }
        // Owned by the value below.
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

    /// Returns the digest. Call it once, last.
    package func finish() throws(Errno) -> ContentDigest {
        var digest = [UInt8](repeating: 0, count: 32)
        // SHA-256 writes 32 bytes.
        guard unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw .noMemory }
        return ContentDigest(bytes: digest)
    }
}
