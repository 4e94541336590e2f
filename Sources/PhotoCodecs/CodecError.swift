#if canImport(Glibc)
import Glibc
#endif

/// The reason why a photo cannot be decoded or an image cannot be encoded. Concerns only that photo.
package struct CodecError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        /// The bytes are not in a known image format.
        case notAPhoto
        /// An image in an unsupported format.
        case unsupportedFormat
        /// An unsupported variant of a supported format.
        case unsupportedVariant
        /// Damaged, truncated or invalid.
        case corrupt
        /// Beyond one of the `DecodeLimits`.
        case overLimit
        /// The file cannot be read.
        case unreadable
        case outOfMemory
    }

    package let code: Code
    /// One line with cause and fix; contains neither file names nor bytes of the photo.
    package let detail: String

    package var description: String { detail }

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    static func unreadable(systemError number: Int32) -> CodecError {
        // strerror's string belongs to the C library and is copied immediately.
        let reason = unsafe String(cString: strerror(number))
        return CodecError(.unreadable, "The file cannot be read (\(reason)); check its permissions and the disk")
    }

    static func corrupt(_ reason: String) -> CodecError {
        CodecError(.corrupt, "The file is damaged; copy it again (detail: \(reason))")
    }

    static let outOfMemory = CodecError(.outOfMemory, "Out of memory; lower the number of workers or the pixel limit")
}
