import ArgumentParser
import Foundation
import LinuxIO
import PhotoLibrary
import StickerDaemon
import SystemPackage

/// The command line as lossless text for the parser: file names are bytes that may not be UTF-8.
///
/// A byte that is not part of UTF-8 becomes a character of the last private-use block, and so does each byte of a real
/// character of this block.
enum RawArguments {
    private static let firstEscape: UInt32 = 0x10_FF00
    private static let lastEscape: UInt32 = 0x10_FFFF

    /// Without the program's name.
    static var all: [String] {
        // The process's own array, which never changes; each string ends with NUL.
        (1..<max(Int(CommandLine.argc), 1)).compactMap { index in
            guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
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

    /// For messages: escaped bytes as `\xNN`.
    static func printable(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            escapedByte(scalar).map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) } ?? String(scalar)
        }.joined()
    }

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

    init(argument: String) {
        path = FilePath(bytes: RawArguments.bytes(of: argument))
        isStandardStream = argument == "-"
    }

    /// Escaped for a terminal, on one line.
    var description: String { InboxPath(bytes: path.bytes).description }
}

/// The flags for the settings file and the folders, the same for every command that needs them.
struct FolderOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read the settings from this file.", valueName: "file"))
    var config: FileArgument?

    @Option(help: ArgumentHelp("The folder for incoming photos.", valueName: "folder"))
    var inbox: String?

    @Option(help: ArgumentHelp("The folder for stickers.", valueName: "folder"))
    var outbox: String?

    @Option(help: ArgumentHelp("The folder for the daemon's database.", valueName: "folder"))
    var state: String?

    func validate() throws {
        for (name, folder) in [("inbox", inbox), ("outbox", outbox), ("state", state)] {
            guard folder.map(RawArguments.isText) == false else { continue }
            throw ValidationError("--\(name) must be UTF-8.")
        }
    }

    /// - Parameter model: the value of `--model`, for commands that have it.
    func load(model: String? = nil) throws(SettingsError) -> Settings {
        try Settings.load(
            arguments: SettingsOverrides(inbox: inbox, outbox: outbox, state: state, model: model),
            environment: ProcessInfo.processInfo.environment, configFile: config?.path)
    }
}

/// Another network, for the commands that use one.
struct ModelOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Find subjects with this network, converted from ONNX with Training/convert.py.", valueName: "file"))
    var model: String?

    func validate() throws {
        if model.map(RawArguments.isText) == false { throw ValidationError("--model must be UTF-8.") }
    }
}
