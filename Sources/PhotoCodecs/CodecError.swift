#if canImport(Glibc)
import Glibc
#endif

/// Why a photo could not be decoded, or a picture not be encoded. Concerns that one photo only.
package struct CodecError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The bytes begin no picture format known here.
        package static let notAPhoto = Code(.notAPhoto)
        /// A picture, of a format that is not supported.
        package static let unsupportedFormat = Code(.unsupportedFormat)
        /// A supported format in a form that is not.
        package static let unsupportedVariant = Code(.unsupportedVariant)
        /// Damaged, cut off, or never right.
        package static let corrupt = Code(.corrupt)
        /// Beyond one of the `DecodeLimits`.
        package static let overLimit = Code(.overLimit)
        /// The system would not give the bytes.
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
    /// One line that says what is wrong and what helps; no file name, no bytes of the photo.
    package let detail: String

    package var description: String { detail }

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    static func unreadable(systemError number: Int32) -> CodecError {
        // strerror returns a string of the C library that is copied at once.
        let reason = unsafe String(cString: strerror(number))
        return CodecError(.unreadable, "The file cannot be read (\(reason)); check its permissions and the disk")
    }

    static let outOfMemory = CodecError(.outOfMemory, "Out of memory; lower the number of workers or the pixel limit")
}
