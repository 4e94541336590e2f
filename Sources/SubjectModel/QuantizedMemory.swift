/// A part of a `QuantizedMemory`, in bytes.
struct MemoryPart: Sendable {
    /// Every part begins at a multiple of a cache line, so that vector loads do not cross two.
    static let alignment = 64

    let offset: Int
    let count: Int

    /// `count`, rounded up to whole lines.
    static func lines(_ count: Int) -> Int { (count + alignment - 1) / alignment * alignment }
}

/// Assigns parts to values, and the same bytes to values that do not exist at the same time.
struct MemoryLayoutPlan {
    /// Bytes in all.
    private(set) var byteCount = 0
    /// In ascending order, never adjacent.
    private var free: [Range<Int>] = []

    /// The first gap that is large enough, or new bytes at the end.
    mutating func take(_ count: Int) -> MemoryPart {
        let size = MemoryPart.lines(count)
        if let index = free.firstIndex(where: { $0.count >= size }) {
            let gap = free[index]
            if gap.count == size {
                free.remove(at: index)
            } else {
                free[index] = gap.lowerBound + size..<gap.upperBound
            }
            return MemoryPart(offset: gap.lowerBound, count: count)
        }
        return keep(count)
    }

    /// Bytes that were never another value's: earlier steps of the next run would overwrite a constant.
    mutating func keep(_ count: Int) -> MemoryPart {
        defer { byteCount += MemoryPart.lines(count) }
        return MemoryPart(offset: byteCount, count: count)
    }

    mutating func giveBack(_ part: MemoryPart) {
        var range = part.offset..<part.offset + MemoryPart.lines(part.count)
        let index = free.firstIndex { $0.lowerBound >= range.upperBound } ?? free.count
        if index < free.count, free[index].lowerBound == range.upperBound {
            range = range.lowerBound..<free.remove(at: index).upperBound
        }
        if index > 0, free[index - 1].upperBound == range.lowerBound {
            free[index - 1] = free[index - 1].lowerBound..<range.upperBound
        } else {
            free.insert(range, at: index)
        }
    }
}

/// Owns the constants or the values of a network at fixed addresses.
// Safe: the memory lives as long as the object, and addresses are only handed out to marked code.
@safe final class QuantizedMemory {
    private let bytes: UnsafeMutableRawBufferPointer

    /// Not initialized, so that parts take no memory until they are written, which callers do before they read them.
    init(byteCount: Int) {
        unsafe bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: MemoryPart.alignment)
    }

    deinit {
        // The only owner frees what `allocate` above made.
        unsafe bytes.deallocate()
    }

    /// The part's numbers, valid during `body`.
    func write<Number: BitwiseCopyable, E: Error>(
        _ part: MemoryPart, as type: Number.Type, _ body: (inout MutableSpan<Number>) throws(E) -> Void
    ) throws(E) {
        let count = part.count / MemoryLayout<Number>.stride
        // The part is inside the block, which outlives the span.
        let numbers = unsafe UnsafeMutableBufferPointer(start: pointer(part, as: type), count: count)
        var span = unsafe numbers.mutableSpan
        try body(&span)
    }

    func floats(_ part: MemoryPart) -> [Float] {
        // The part is inside the block, and was written.
        unsafe Array(UnsafeBufferPointer(start: pointer(part), count: part.count / MemoryLayout<Float>.stride))
    }

    /// For C calls that read or write exactly this part; valid while the object lives.
    @unsafe func pointer<Number: BitwiseCopyable>(
        _ part: MemoryPart, as type: Number.Type = Number.self
    ) -> UnsafeMutablePointer<Number> {
        unsafe precondition(part.offset >= 0 && part.count <= bytes.count - part.offset)
        // Checked above; parts are aligned for every number, whose bits are all valid. Values of several types follow
        // one another in the same bytes, so these are bound again.
        return unsafe (bytes.baseAddress.unsafelyUnwrapped + part.offset).bindMemory(
            to: type, capacity: part.count / MemoryLayout<Number>.stride)
    }
}
