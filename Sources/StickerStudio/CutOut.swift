package import PhotoRaster

/// What the studio made of a photo. The confidence says how clear the subject is, 0…1.
package enum CutOut: Sendable {
    case sticker(Raster, confidence: Double)
    case noSubject(confidence: Double)

    package var confidence: Double {
        switch self {
        case .sticker(_, let confidence), .noSubject(let confidence): confidence
        }
    }
}
