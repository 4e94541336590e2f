import ArgumentParser
import PhotoLibrary
import StickerDaemon

/// Prints an error of the settings, the Library or its owner to standard error and returns the exit status for it;
/// returns other errors unchanged.
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
