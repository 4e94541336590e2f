import PhotoCodecs
import PhotoRaster
import StickerStudio
import TestSupport
import Testing
import Workers

extension HostileAnswer {
    /// The size of a picture that fits the form.
    struct ValidPicture: Sendable, CustomTestStringConvertible {
        let form: PictureForm
        let width: Int
        let height: Int

        var testDescription: String { "\(width)x\(height) \(form.identifier)" }

        func answer() throws -> HostileAnswer { try .picture(form, try HostileAnswer.file(form.format, width, height)) }
    }

    static let validPictures = [
        ValidPicture(form: form(), width: 96, height: 74),
        ValidPicture(form: form(.canvas, .webp), width: 96, height: 74),
        ValidPicture(form: form(.tightEven), width: 96, height: 22),
        ValidPicture(form: form(.tightEven, .webp), width: 34, height: 40),
    ]

    static let invalidPictures: [InvalidReply] =
        StickerFormat.allCases.flatMap { format in
            [
                wrong("another size", form(.canvas, format), 96, 73),
                wrong("sides swapped", form(.canvas, format), 74, 96),
                wrong("too large for a tight form", form(.tightEven, format), 96, 76),
                wrong("no room for the sticker", form(.tightEven, format), 96, 20),
                wrong("odd sides", form(.tightEven, format), 96, 73),
                InvalidReply("\(format): larger than its limit", "the picture is larger than its limit") {
                    let file = try file(format, 96, 74)
                    $0 = try picture(form(.canvas, format, maxBytes: file.count - 1), file)
                },
                InvalidReply("\(format): of the other format", "the picture is not a \(name(of: format)) file") {
                    $0 = try picture(form(.canvas, format), try file(format == .png ? .webp : .png, 96, 74))
                },
                InvalidReply("\(format): nothing", "the picture is not a \(name(of: format)) file") {
                    $0 = try picture(form(.canvas, format), [])
                },
                InvalidReply("\(format): trailing bytes", trailing(format)) {
                    $0 = try picture(form(.canvas, format), try file(format, 96, 74) + Array("<html>".utf8))
                },
            ]
        } + [
            InvalidReply("a gray picture", "the picture has an unexpected header") {
                $0 = try picture(form(), try PNGEncoder.encodeGray(width: 96, height: 74) { _, _ in })
            },
            InvalidReply("stickers instead of a picture", "it does not match the request") { $0.form = form() },
            InvalidReply("a picture instead of stickers", "it does not match the request") {
                $0 = try picture(form(), try file(.png, 96, 74))
                $0.form = nil
            },
        ]

    private static func form(
        _ fit: PictureForm.Fit = .canvas, _ format: StickerFormat = .png, maxBytes: Int = 50_000
    ) -> PictureForm {
        PictureForm(width: 96, height: 74, margin: 10, fit: fit, format: format, maxBytes: maxBytes)
    }

    private static func picture(_ form: PictureForm, _ file: [UInt8]) throws -> HostileAnswer {
        var answer = HostileAnswer()
        answer.form = form
        answer.json = #"{"pictures":[]}"#
        answer.body = file
        return answer
    }

    private static func wrong(_ name: String, _ form: PictureForm, _ width: Int, _ height: Int) -> InvalidReply {
        InvalidReply("\(form.format): \(name)", "the picture has an unexpected header") {
            $0 = try picture(form, try file(form.format, width, height))
        }
    }

    private static func file(_ format: StickerFormat, _ width: Int, _ height: Int) throws -> [UInt8] {
        try format == .png ? png(width, height) : webp(width, height)
    }

    private static func name(of format: StickerFormat) -> String { format == .png ? "PNG" : "WebP" }

    private static func trailing(_ format: StickerFormat) -> String {
        format == .png ? "the picture has data after its end" : "the picture is not a WebP file"
    }
}
