internal import CSubjectWeights

/// The safetensors file inside the binary.
enum EmbeddedWeights {
    static func read<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
        // The file lives as long as the process, and is never written.
        let file = unsafe UnsafeRawBufferPointer(start: subject_weights(), count: subject_weights_size())
        return try body(unsafe file.bytes)
    }
}
