import Foundation
import Glibc
import PackFacts
import PhotoCodecs
import PhotoLibrary
import PhotoRule
import StickerDaemon
import SystemPackage
import Testing
import TestSupport

/// Folders, settings and photos for one stickerd process.
struct Workplace {
    let folder = TemporaryFolder()

    init(settings: String = Workplace.settings()) {
        do {
            try configure(settings)
            for name in ["inbox", "home"] { try folder.makeFolder(name) }
        } catch {
            // A stored property of most suites: if this threw, each of them would need an initializer.
            fatalError("no folders for stickerd: \(error)")
        }
    }

    /// Small stickers by one worker, from files that settle soon.
    ///
    /// - Parameters:
    ///   - more: other settings; `sticker` and `watch` those of these groups. Each begins with a comma.
    static func settings(_ more: String = "", sticker: String = "", watch: String = "") -> String {
        """
        {"workers": 1, "sticker": {"size": 96, "outline": {"width": 4}, "padding": 2\(sticker)},
        "watch": {"settleSeconds": 0.1\(watch)}\(more)}
        """
    }

    /// The Library's file, relative to `folder`.
    let library = "state/library/library.sqlite"

    /// Writes the settings file.
    func configure(_ settings: String) throws {
        try folder.write(settings, to: "config.json")
    }

    var folders: [String] {
        ["--inbox", folder["inbox"].string, "--outbox", folder["outbox"].string, "--state", folder["state"].string]
    }

    var config: [String] { ["--config", folder["config.json"].string] }

    /// A photo with a clear subject; another `red` gives another photo.
    static func photo(red: UInt8 = 220) throws -> [UInt8] {
        try PNGEncoder.encode(DrawnPicture.disc(width: 160, height: 120, red: red))
    }

    /// Moves a complete file into the inbox.
    func drop(_ bytes: [UInt8], as name: String) throws {
        try folder.write(bytes, to: "dropping")
        try folder.rename("dropping", to: "inbox/\(name)")
    }

    /// Starts the daemon and returns when it is watching the inbox.
    func start(mayReadAll: Bool = true) async throws -> StickerdProcess {
        let daemon = try StickerdProcess(["run"] + folders + config, in: folder, mayReadAll: mayReadAll)
        guard try await eventually({ daemon.errors.contains("Watching for photos") || !daemon.isRunning }) else {
            throw StickerdProcess.Silent(errors: daemon.errors)
        }
        return daemon
    }

    /// Starts the daemon and returns when it has read the inbox. A photo that the first reading finds settles, and may
    /// arrive after one that is dropped later.
    func startAndRead(mayReadAll: Bool = true) async throws -> StickerdProcess {
        let daemon = try await start(mayReadAll: mayReadAll)
        guard try await eventually({ try hasRead() }) else { throw StickerdProcess.Silent(errors: daemon.errors) }
        return daemon
    }

    /// Whether the daemon has read the inbox.
    func hasRead() throws -> Bool {
        let status = try Library.lockText(in: folder["state"]).flatMap { DaemonStatus(decoding: $0) }
        return status.map { $0.isScanning == nil } ?? false
    }

    /// Has a daemon finish these files, one after the other.
    func fill(_ files: [(name: String, bytes: [UInt8])]) async throws {
        let daemon = try await startAndRead()
        for (number, file) in files.enumerated() {
            try drop(file.bytes, as: file.name)
            let states: [FileState] = [.done, .duplicate, .noSubject, .failed, .ignored]
            #expect(try await eventually { states.reduce(0) { $0 + count($1) } == number + 1 })
        }
        let status = try await daemon.stop()
        #expect(status == 0, "\(daemon.errors)")
    }

    /// What is no photo, and fails.
    static let noPhoto = Array("GIF89a no photo".utf8)

    /// Runs a command with these folders and settings to its end.
    @discardableResult
    func command(
        _ arguments: String..., mayReadAll: Bool = true, exits status: Int32? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> StickerdProcess {
        let process = try StickerdProcess(arguments + folders + config, in: folder, mayReadAll: mayReadAll)
        try await process.ends(with: status, sourceLocation)
        return process
    }

    /// Whether `verify` finds no difference. A daemon that has listed a sticker may still be writing the pack's page.
    func isWhole() async throws -> Bool { try await command("verify").end() == 0 }

    /// Runs another command to its end.
    @discardableResult
    func run(
        _ arguments: String..., mayReadAll: Bool = true, exits status: Int32? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> StickerdProcess {
        let process = try StickerdProcess(arguments, in: folder, mayReadAll: mayReadAll)
        try await process.ends(with: status, sourceLocation)
        return process
    }

    func count(_ state: FileState) -> Int {
        (try? Library.status(in: folder["state"]))?.photos[state] ?? 0
    }

    func index(_ pack: String = "") throws -> Pack? {
        try folder.bytes(of: "outbox/\(pack)/pack.json").map { try JSONDecoder().decode(Pack.self, from: Data($0)) }
    }

    /// The files of a folder by name, with their bytes, without the outbox's marker.
    func contents(of name: String) throws -> [String: Data] {
        try folder.names(in: name).filter { $0 != OutboxMarker.fileName }.reduce(into: [:]) { contents, entry in
            contents[entry] = Data(folder.bytes(of: "\(name)/\(entry)") ?? [])
        }
    }

    /// The stickers in the outbox, without the files derived from them, and without drafts.
    func stickers() throws -> [String: Data] {
        let about: Set = ["index.html", "pack.json", "stickers.zip", "thumbnails", "packs.js", "pack"]
        return try contents(of: "outbox").filter { !about.contains($0.key) && !$0.key.hasPrefix(".") }
    }

    /// Copies the state folder to `backup`, at one moment of the running daemon: files that are copied while it writes
    /// may be of different moments.
    func backUp(_ daemon: StickerdProcess) async throws {
        try await daemon.stopped {
            try FileManager.default.copyItem(atPath: folder["state"].string, toPath: folder["backup"].string)
        }
    }

    /// The stickers that `make` writes for all photos in the inbox.
    func made() async throws -> [String: Data] {
        let arguments = try folder.names(in: "inbox").map { folder["inbox"].appending($0).string }
        let make = try StickerdProcess(["make"] + arguments + ["--output", folder["made"].string] + config, in: folder)
        _ = try await make.end()
        return try contents(of: "made")
    }
}
