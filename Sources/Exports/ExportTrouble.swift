package import SystemPackage

/// Why an export could not be written this time. The files that are there stay as they are.
package struct ExportTrouble: Error, Sendable, CustomStringConvertible {
    package enum Kind: Sendable, Equatable {
        /// Another program's file or folder is in the way.
        case occupied
        /// A file cannot be read or written.
        case refused(Errno)
        /// A file that users may edit has a mistake.
        case invalid
        /// No worker can be had, or the pack's index is being replaced.
        case notYet
        /// A sticker changes while it is read.
        case changing
        /// The caller asked to stop.
        case stopped
    }

    package let kind: Kind
    /// One line for a person, which names the file.
    package let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// The description for the pack's page, which may be public: without the path of the pack's folder.
    func description(below folder: FilePath) -> String {
        description.replacing("\(folder)/", with: "").replacing("\(folder): ", with: "")
    }

    static func refused(_ path: FilePath, _ cause: Errno) -> ExportTrouble {
        ExportTrouble(.refused(cause), "\(path): cannot be read or written (\(cause))")
    }

    static func occupied(_ path: FilePath) -> ExportTrouble {
        ExportTrouble(.occupied, "\(path): exists, and was not written by this export; move it away")
    }

    static let stopped = ExportTrouble(.stopped, "stopped before it was finished")
}
