import CLinuxShims

/// Configures what malloc(3) does with freed memory.
///
/// By default it returns every large block to the kernel, which must zero the next one: 8,000 page faults per photo, a
/// tenth of its time.
package enum FreedMemory {
    /// Bytes: more than an image at working size, and less than a whole photo of 12 megapixels with color at half the
    /// size, for which dav1d allocates one block.
    private static let keptBlock: Int32 = 16 << 20
    /// Bytes: what a photo of usual size needs.
    private static let keptTotal: Int32 = 64 << 20

    /// Keeps freed blocks for reuse from now on.
    package static func keep() { linux_keep_freed_memory(keptBlock, keptTotal) }

    /// Returns freed heap to the kernel, for idle times.
    package static func giveBack() { linux_return_freed_memory() }
}
