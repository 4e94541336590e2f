import ArgumentParser
import Foundation
import Glibc
import LinuxIO
import PhotoCodecs
import PhotoRaster
import StickerStudio
import SystemPackage

/// A worker that sleeps instead of processing photos, and replies with the same valid sticker each time.
struct StandInWorker: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "worker", shouldDisplay: false)

    /// How long it sleeps for each photo.
    static let sleepMilliseconds = 50

    static let recipe = Recipe(
        sticker: StickerRecipe(size: 96, outlineWidth: 4, padding: 2, subjects: .together), format: .png)

    func run() throws {
        let socket = MessageSocket(owning: OwnedDescriptor(owning: STDIN_FILENO))
        let (header, body) = try Self.reply()
        try socket.send(header: [])
        while let request = try socket.receive() {
            _ = consume request
            usleep(UInt32(Self.sleepMilliseconds * 1000))
            try socket.send(header: header, body: body)
        }
    }

    /// The header and body of a reply for a photo of 160 × 120 pixels.
    private static func reply() throws -> (header: [UInt8], body: [UInt8]) {
        let (width, height) = (96, 72)
        var raster = Raster(width: width, height: height)
        // Opaque but for one pixel: a sticker has an alpha channel.
        for pixel in 1..<width * height {
            for channel in 0..<3 {
                raster.pixels[pixel * 4 + channel] = UInt8(truncatingIfNeeded: pixel &* (channel + 3))
            }
            raster.pixels[pixel * 4 + 3] = .max
        }
        let sticker = try PNGEncoder.encode(raster)
        let thumbnail = try WebPEncoder.encode(raster)
        let facts = "{\"width\":\(width),\"height\":\(height),\"confidence\":0.9}"
        let picture = "{\"bytes\":\(sticker.count),\"thumbnailBytes\":\(thumbnail.count),\"facts\":\(facts)}"
        let photo = #"{"format":"jpeg","width":160,"height":120,"confidence":0.9,"colors":"ff00002710"}"#
        let timings = #"{"decode":1,"mask":1,"matte":1,"outline":1,"encode":1,"colors":1,"passes":1}"#
        let header = "{\"photo\":{\"facts\":\(photo),\"timings\":\(timings)},\"pictures\":[\(picture)]}"
        return (Array(header.utf8), sticker + thumbnail)
    }
}
