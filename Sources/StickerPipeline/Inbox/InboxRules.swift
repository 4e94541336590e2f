import Glibc

/// What the Inbox looks at, and how long it waits.
package struct InboxRules: Sendable, Equatable {
    /// Subfolders count.
    package var recursive: Bool
    /// A file that no event will call finished is ready when nothing about it has changed for so long.
    package var settleSeconds: Double
    /// Seconds after which an unchanged file is ready although it was written to and not closed.
    package var abandonedSeconds: Double
    /// Everything is read anew so often, in case an event never came.
    package var rescanSeconds: Double
    /// Shell patterns (fnmatch(3), where `*` also matches a leading dot) for the names of files and folders.
    package var ignorePatterns: [String]

    package var mode: WatchMode
    /// Where the inbox is polled: the shortest and the longest wait between two looks.
    package var pollSeconds: ClosedRange<Double>
    /// An inbox in which all files are missing is taken for emptied when that is still so after this time.
    package var emptySeconds: Double

    package init(
        recursive: Bool, settleSeconds: Double, rescanSeconds: Double, ignorePatterns: [String],
        mode: WatchMode = .auto, pollSeconds: ClosedRange<Double> = 2...60, emptySeconds: Double = 600,
        abandonedSeconds: Double = 600
    ) {
        self.recursive = recursive
        self.settleSeconds = settleSeconds
        self.rescanSeconds = rescanSeconds
        self.ignorePatterns = ignorePatterns
        self.mode = mode
        self.pollSeconds = pollSeconds
        self.emptySeconds = emptySeconds
        self.abandonedSeconds = abandonedSeconds
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
