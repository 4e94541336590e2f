/// What the process says when it ends (sysexits(3)).
package enum ExitStatus {
    /// All went well.
    package static let success: Int32 = 0
    /// At least one photo failed, something does not agree with another (`verify`), or the command or the daemon
    /// ended on an error.
    package static let failure: Int32 = 1
    /// The command line is wrong.
    package static let usage: Int32 = 64
    /// Standard output could not be written.
    package static let inputOutput: Int32 = 74
    /// The settings are wrong; starting again will not help.
    package static let configuration: Int32 = 78
}
