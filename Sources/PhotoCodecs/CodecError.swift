#if canImport(Glibc)
import Glibc
#endif

/// The reason why a photo cannot be decoded or an image cannot be encoded. Concerns only that photo.
package struct CodecError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The bytes are not in a known image format.
        package static let notAPhoto = Code(.notAPhoto)
        /// An image in an unsupported format.
        package static let unsupportedFormat = Code(.unsupportedFormat)
        /// An unsupported variant of a supported format.
        package static let unsupportedVariant = Code(.unsupportedVariant)
        /// Damaged, truncated or invalid.
        package static let corrupt = Code(.corrupt)
        /// Beyond one of the `DecodeLimits`.
        package static let overLimit = Code(.overLimit)
        /// The file cannot be read.
        package static let unreadable = Code(.unreadable)
        package static let outOfMemory = Code(.outOfMemory)

        package var description: String { name.rawValue }

        private enum Name: String {
            case notAPhoto, unsupportedFormat, unsupportedVariant, corrupt, overLimit, unreadable, outOfMemory
        }
        private let name: Name
        private init(_ name: Name) { self.name = name }
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
