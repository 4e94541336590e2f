/// Exit statuses of the process (sysexits(3)).
package enum ExitStatus {
    /// Success.
    package static let success: Int32 = 0
    /// At least one photo failed, `verify` found a difference, or the command or the daemon ended on an error.
    package static let failure: Int32 = 1
    /// The command line is invalid.
    package static let usage: Int32 = 64
    /// Standard output could not be written.
    package static let inputOutput: Int32 = 74
    /// The settings are invalid; a restart does not help.
    package static let configuration: Int32 = 78
}
