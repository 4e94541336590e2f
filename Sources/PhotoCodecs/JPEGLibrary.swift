internal import CPhotoShims

/// The libjpeg that this process has loaded.
package enum JPEGLibrary {
    /// Whether JPEGs are decoded with faster steps of ours, which need libjpeg's internals, or why not. In one
    /// line, for reports: the pixels are the same.
    package static var report: String {
        switch photo_jpeg_parts_in_use() {
        case .PHOTO_JPEG_PRIVATE_PARTS: "JPEG: faster decoding, with libjpeg's internals"
        case .PHOTO_JPEG_NO_HEADER: "JPEG: slower decoding, because this was built without libjpeg's jpegint.h"
        case .PHOTO_JPEG_OTHER_VERSION:
            "JPEG: slower decoding, because this was built for another version of libjpeg than the installed one"
        }
    }
}
