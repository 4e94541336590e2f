internal import CXNNPACK

/// Owns floats at an address that never changes, followed by the bytes XNNPACK may read beyond an array's end.
// Safe: the memory lives as long as the value and is only handed out inside calls.
@safe struct FloatBuffer: ~Copyable {
    /// A cache line, so that vector loads do not straddle two.
    private static let alignment = 64

    private let floats: UnsafeMutableBufferPointer<Float>

    /// All zeros.
    init(count: Int) {
        let size = count * MemoryLayout<Float>.stride + Int(XNN_EXTRA_BYTES)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: Self.alignment)
        // Everything is written before anything is bound or read, the tail included.
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
        let start = unsafe memory.baseAddress?.bindMemory(to: Float.self, capacity: count)
        unsafe floats = UnsafeMutableBufferPointer(start: start, count: count)
    }

    deinit {
        // The one owner goes; `allocate` above made the memory.
        unsafe UnsafeMutableRawBufferPointer(floats).deallocate()
    }

    func write<E: Error>(_ body: (inout MutableSpan<Float>) throws(E) -> Void) throws(E) {
        // The span ends with the call, before the buffer can.
        var span = unsafe floats.mutableSpan
        try body(&span)
    }

    func copy() -> [Float] {
        // The buffer is initialized to its end.
        unsafe Array(floats)
    }

    /// For C calls that keep the address: valid as long as the buffer.
    @unsafe func address(at index: Int = 0) -> UnsafeMutableRawPointer? {
        unsafe floats.baseAddress.map { unsafe UnsafeMutableRawPointer($0 + index) }
    }
}
