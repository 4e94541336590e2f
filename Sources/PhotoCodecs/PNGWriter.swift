internal import CPhotoShims

/// Owns one 8-bit gray PNG while it is written row by row; frees it in any case.
@safe struct PNGWriter: ~Copyable {
    private let writer: OpaquePointer
    private let rowLength: Int

    /// Throws only `.outOfMemory`. Both sides must be positive.
    init(width: Int, height: Int) throws(CodecError) {
        precondition(width > 0 && height > 0)
        // The new writer is owned only by this value.
        guard let writer = unsafe photo_png_begin(UInt32(width), UInt32(height)) else { throw .outOfMemory }
        unsafe self.writer = writer
        rowLength = width
    }

    // The only owner frees it once.
    deinit { unsafe photo_png_free(writer) }

    /// Adds the next of `height` rows.
    mutating func append(row: Span<UInt8>) throws(CodecError) {
        precondition(row.count == rowLength)
        // libpng reads exactly one row, whose length was checked.
        let isWritten = unsafe row.withUnsafeBufferPointer { unsafe photo_png_row(writer, $0.baseAddress) }
        guard isWritten else { throw .outOfMemory }
    }

    /// The whole file, after the last row.
    consuming func finish() throws(CodecError) -> [UInt8] {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        // The bytes belong to the writer and are copied before it is freed.
        guard unsafe photo_png_finish(writer, &bytes, &count) else { throw .outOfMemory }
        return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    }
}
