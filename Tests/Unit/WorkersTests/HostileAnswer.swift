import Foundation
import PhotoCodecs
import PhotoRaster
import StickerStudio
import TestSupport
import Testing
import Workers

/// A worker's reply for a photo of 160 × 120 pixels: a valid one with one sticker, unless it is changed.
struct HostileAnswer {
    /// One change to the valid reply, and the error it must cause.
    struct InvalidReply: Sendable, CustomTestStringConvertible {
        let name: String
        let reason: String
        private let change: @Sendable (inout HostileAnswer) throws -> Void

        init(_ name: String, _ reason: String, _ change: @escaping @Sendable (inout HostileAnswer) throws -> Void) {
            (self.name, self.reason, self.change) = (name, reason, change)
        }

        var testDescription: String { name }

        func answer() throws -> HostileAnswer {
            var answer = HostileAnswer()
            try change(&answer)
            return answer
        }
    }

    var task = WorkerRequest.Task.process
    var format = StickerFormat.png
    /// Of the requested picture, if the task is one.
    var form: PictureForm?
    var sticker: [UInt8]?
    var thumbnail: [UInt8]?
    /// The sticker's size in the reply.
    var width = "96"
    var height = "72"
    var confidence = "0.9"
    /// The sticker's line to cut along in the reply.
    var contours: String?
    /// The photo in the reply.
    var photo = #""format":"png","width":160,"height":120,"confidence":0.9,"colors":"ff00002710""#
    var timings = #"{"decode":1,"mask":1,"matte":1,"outline":1,"encode":1,"colors":1,"passes":1}"#
    /// Replaces the properties above.
    var json: String?
    var body: [UInt8]?
    var announcedHeaderBytes: Int?
    var announcedBodyBytes: Int?

    static func recipe(_ format: StickerFormat) -> Recipe {
        Recipe(
            sticker: StickerRecipe(size: 96, outlineWidth: 4, padding: 2, subjects: .together), format: format,
            maxBytes: 100_000)
    }

    /// What the worker is asked for.
    var request: WorkerRequest {
        form.map { WorkerRequest(picture: $0, limits: DecodeLimits()) }
            ?? WorkerRequest(task: task, recipe: Self.recipe(format), limits: DecodeLimits())
    }

    static func mask() throws -> HostileAnswer {
        var answer = HostileAnswer()
        answer.task = .mask
        answer.json = #"{"pictures":[]}"#
        answer.body = try PNGEncoder.encodeGray(width: 160, height: 120) { _, _ in }
        return answer
    }

    static func refusal(_ text: String) -> HostileAnswer {
        var answer = HostileAnswer()
        answer.json = String(
            decoding: (try? JSONEncoder().encode(["failure": text])) ?? Data(), as: UTF8.self
        ).replacing("}", with: #","pictures":[]}"#)
        answer.body = []
        return answer
    }

    private static func raster(_ width: Int = 96, _ height: Int = 72) -> Raster {
        var raster = DrawnPicture.disc(width: width, height: height)
        raster.pixels[3] = 0
        return raster
    }

    static func png(_ width: Int = 96, _ height: Int = 72) throws -> [UInt8] {
        try PNGEncoder.encode(raster(width, height))
    }

    static func webp(_ width: Int = 96, _ height: Int = 72) throws -> [UInt8] {
        try WebPEncoder.encode(raster(width, height))
    }

    /// The whole message.
    var frame: [UInt8] {
        get throws {
            let sticker = try sticker ?? (format == .png ? Self.png() : Self.webp())
            let thumbnail = try thumbnail ?? Self.webp()
            let picture =
                "{\"bytes\":\(sticker.count),\"thumbnailBytes\":\(thumbnail.count),\"facts\":"
                + "{\"width\":\(width),\"height\":\(height),\"confidence\":\(confidence)}"
                + (contours.map { ",\"cutPath\":{\"contours\":\($0)}}" } ?? "}")
            let header = Array(
                (json ?? "{\"photo\":{\"facts\":{\(photo)},\"timings\":\(timings)},\"pictures\":[\(picture)]}").utf8)
            let body = body ?? sticker + thumbnail
            return littleEndian(announcedHeaderBytes ?? header.count)
                + littleEndian(announcedBodyBytes ?? body.count) + header + body
        }
    }
}
