import CNetworkLoops

/// Bytes in the order row, column, channel.
struct Picture {
    let width, height, channels: Int
    let bytes: [UInt8]

    var shape: network_shape { network_shape(width: width, height: height, channels: channels) }

    init(_ width: Int, _ height: Int, _ channels: Int, seed: UInt64) {
        (self.width, self.height, self.channels) = (width, height, channels)
        bytes = Reference.bytes(width * height * channels, seed: seed)
    }

    init(_ width: Int, _ height: Int, _ channels: Int, byte: UInt8) {
        (self.width, self.height, self.channels) = (width, height, channels)
        bytes = [UInt8](repeating: byte, count: width * height * channels)
    }

    /// Nil outside the picture.
    func byte(_ x: Int, _ y: Int, _ channel: Int) -> UInt8? {
        guard x >= 0, x < width, y >= 0, y < height else { return nil }
        return bytes[(y * width + x) * channels + channel]
    }
}
