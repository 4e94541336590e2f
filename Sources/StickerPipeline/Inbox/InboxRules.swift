import Glibc

/// What the Inbox looks at, and how long it waits.
package struct InboxRules: Sendable, Equatable {
    /// Subfolders count.
    package var recursive: Bool
    /// A file that no event will call finished is ready when nothing about it has changed for so long.
    package var settleSeconds: Double
    /// Everything is read anew so often, in case an event never came.
    package var rescanSeconds: Double
    /// Shell patterns (fnmatch(3), where `*` also matches a leading dot) for the names of files and folders.
    package var ignorePatterns: [String]

    package init(recursive: Bool, settleSeconds: Double, rescanSeconds: Double, ignorePatterns: [String]) {
        self.recursive = recursive
        self.settleSeconds = settleSeconds
        self.rescanSeconds = rescanSeconds
        self.ignorePatterns = ignorePatterns
    }

    /// Why a name is ignored, or nil.
    package func reasonToIgnore(_ name: [UInt8]) -> String? {
        let name = name.map { CChar(bitPattern: $0) } + [0]
        let pattern = ignorePatterns.first { pattern in
            // Two strings that end with NUL and outlive the call.
            unsafe fnmatch(pattern, name, 0) == 0
        }
        return pattern.map { "the name matches the ignore pattern \"\($0)\"" }
    }
}
