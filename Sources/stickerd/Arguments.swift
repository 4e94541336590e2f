import ArgumentParser
import CLinuxShims
import DaemonSettings
import Diagnosis
import FileNames
import Foundation
import LinuxIO
import StickerDaemon
import SystemPackage
import Systemd

/// The command line as lossless text for the parser: file names are bytes that may not be UTF-8.
///
/// A byte that is not part of UTF-8 becomes a character of the last private-use block, and so does each byte of a real
/// character of this block.
enum RawArguments {
    private static let firstEscape: UInt32 = 0x10_FF00
    private static let lastEscape: UInt32 = 0x10_FFFF

    /// Without the program's name.
    static var all: [String] {
        // The process's own array, which never changes; each string ends with NUL. `CommandLine` reads it from /proc,
        // which a container may lack.
        (1..<max(Int(linux_argument_count()), 1)).compactMap { index in
            guard let argument = unsafe linux_argument(Int32(index)) else { return nil }
            var bytes: [UInt8] = []
            var position = 0
            while case let byte = UInt8(bitPattern: unsafe argument[position]), byte != 0 {
                bytes.append(byte)
                position += 1
            }
            return text(of: bytes)
        }
    }

    /// The inverse of `text(of:)`.
    static func bytes(of text: String) -> [UInt8] {
        text.unicodeScalars.flatMap { scalar in escapedByte(scalar).map { [$0] } ?? Array(String(scalar).utf8) }
    }

    /// Whether the argument is text without escaped bytes.
    static func isText(_ text: String) -> Bool { text.unicodeScalars.allSatisfy { escapedByte($0) == nil } }

    /// For messages of several lines: escaped bytes and control characters as `\xNN`.
    static func printable(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            if let byte = escapedByte(scalar) { return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }
            return scalar == "\n" ? "\n" : PlainText.escaped(String(scalar), limit: maxEscapedBytes)
        }.joined()
    }

    /// Four bytes of UTF-8 as `\xNN`.
    private static let maxEscapedBytes = 16

    private static func text(of bytes: [UInt8]) -> String {
        var result = String.UnicodeScalarView()
        var rest = bytes[...]
        while let first = rest.first {
            let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
            let scalars = String(validating: rest.prefix(length), as: UTF8.self)?.unicodeScalars
            if let scalars, scalars.count == 1, let scalar = scalars.first, escapedByte(scalar) == nil {
                result.append(scalar)
                rest = rest.dropFirst(length)
            } else {
                if let escape = Unicode.Scalar(firstEscape + UInt32(first)) { result.append(escape) }
                rest = rest.dropFirst()
            }
        }
        return String(result)
    }

    private static func escapedByte(_ scalar: Unicode.Scalar) -> UInt8? {
        (firstEscape...lastEscape).contains(scalar.value) ? UInt8(scalar.value - firstEscape) : nil
    }
}

/// A file or folder on the command line, as bytes.
struct FileArgument: ExpressibleByArgument, CustomStringConvertible {
    let path: FilePath
    /// Whether it is `-`; a file of that name is `./-`.
    let isStandardStream: Bool
    /// Whether it ends in a slash, which the path does not keep.
    let isFolder: Bool

    /// Nil for an empty one, which would be the current folder.
    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        self.init(argument)
    }

    init(_ argument: String) {
        path = FilePath(bytes: RawArguments.bytes(of: argument))
        isFolder = argument.hasSuffix("/")
        isStandardStream = argument == "-"
    }

    /// Escaped for a terminal, on one line.
    var description: String { InboxPath(bytes: path.bytes).description }
}

/// The flags for the settings file and the folders, the same for every command that needs them.
struct FolderOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read the settings from this file.", valueName: "file"), completion: .files(["json"]))
    var config: FileArgument?

    @Option(help: ArgumentHelp("The folder for incoming photos.", valueName: "folder"), completion: .folders)
    var inbox: String?

    @Option(help: ArgumentHelp("The folder for stickers.", valueName: "folder"), completion: .folders)
    var outbox: String?

    @Option(help: ArgumentHelp("The folder for the daemon's database.", valueName: "folder"), completion: .folders)
    var state: String?

    @OptionGroup var assignments: AssignmentOption

    func validate() throws {
        for (name, folder) in [("inbox", inbox), ("outbox", outbox), ("state", state)] {
            guard folder.map(RawArguments.isText) == false else { continue }
            throw ValidationError("--\(name) must be UTF-8.")
        }
    }

    /// The settings to start a daemon with.
    func load(model: String? = nil) throws(SettingsError) -> Settings {
        try Settings.load(
            arguments: overrides(model), environment: ProcessInfo.processInfo.environment, configFile: config?.path)
    }

    /// The settings of the daemon that the command is about; says on standard error which it is, if nothing given says
    /// so.
    ///
    /// - Parameter needsSettings: whether an invalid settings file of the daemon is an error.
    func find(model: String? = nil, needsSettings: Bool = true) throws(SettingsError) -> Settings {
        let found = try DaemonFinder.find(
            arguments: overrides(model), environment: ProcessInfo.processInfo.environment, configFile: config?.path,
            needsSettings: needsSettings, needsFolders: needsSettings)
        if let notice = found.notice { Output.complain(notice) }
        return found.settings
    }

    /// Examines that daemon.
    var doctor: Doctor {
        Doctor(
            arguments: overrides(nil), environment: ProcessInfo.processInfo.environment, configFile: config?.path,
            executable: Worker.executable)
    }

    private func overrides(_ model: String?) -> SettingsOverrides {
        SettingsOverrides(inbox: inbox, outbox: outbox, state: state, model: model, assignments: assignments.set)
    }
}

/// Settings on the command line.
struct AssignmentOption: ParsableArguments {
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("Override a setting, such as sticker.size=300; may be repeated.", valueName: "key=value"),
        completion: .assignments)
    var set: [String] = []

    func validate() throws {
        if !set.allSatisfy(RawArguments.isText) { throw ValidationError("--set must be UTF-8.") }
    }
}

/// Another network, for the commands that use one.
struct ModelOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Find subjects with this network, converted from ONNX with Training/convert.py.", valueName: "file"),
        completion: .files(["safetensors"]))
    var model: String?

    func validate() throws {
        if model.map(RawArguments.isText) == false { throw ValidationError("--model must be UTF-8.") }
    }
}
