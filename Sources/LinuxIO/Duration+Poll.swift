extension Duration {
    /// For poll(2): rounded up, so that a wait never ends before its time and a short one does not spin.
    var pollMilliseconds: Int32 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        let milliseconds = (attoseconds + perMillisecond - 1) / perMillisecond
        guard seconds < Int64(Int32.max) / 1000 - 1 else { return .max }
        return Int32(seconds * 1000 + milliseconds)
    }
}
