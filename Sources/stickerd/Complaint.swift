import ArgumentParser
import PhotoLibrary
import StickerDaemon

/// Says on standard error what went wrong with the settings, the Library or its owner, and returns how the command ends; errors of
/// other kinds are returned as they are.
func complaint(about error: any Error) -> any Error {
    let status: Int32
    switch error {
    case is SettingsError: status = ExitStatus.configuration
    case is LibraryError, is StateOwner.Refused: status = ExitStatus.failure
    default: return error
    }
    Output.complain("\(error)")
    return ExitCode(status)
}
