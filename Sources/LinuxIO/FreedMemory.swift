import CLinuxShims

/// What becomes of memory that this process has freed.
///
/// Left alone, malloc(3) hands every large block straight back to the kernel, which zeroes it for the next one: 8,000
/// page faults a photo, a tenth of its time.
package enum FreedMemory {
    /// As large as mallopt(3) allows: beyond a picture at working size.
    private static let keptBlock: Int32 = 32 << 20
    /// All that one photo of usual size needs.
    private static let keptTotal: Int32 = 64 << 20

    /// Freed blocks are used again from here on.
    package static func keep() { linux_keep_freed_memory(keptBlock, keptTotal) }

    /// All that is free goes back to the kernel now, for times without work.
    package static func giveBack() { linux_return_freed_memory() }
}
