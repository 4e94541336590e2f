internal import CSubjectWeights

/// The safetensors file inside the binary.
struct EmbeddedWeights: WeightSource {
    var byteCount: Int { subject_weights_size() }

    func read(_ range: Range<Int>, _ body: (RawSpan) -> Void) {
        // The file lives as long as the process, and is never written.
        let file = unsafe UnsafeRawBufferPointer(start: subject_weights(), count: subject_weights_size())
        body(unsafe file.bytes.extracting(range))
    }
}
