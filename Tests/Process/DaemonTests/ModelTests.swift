import Foundation
import PhotoRule
import SystemPackage
import TestSupport
import Testing

@Suite("Networks other than the embedded one", .timeLimit(.minutes(2)))
struct ModelTests {
    private let place = Workplace()

    init() throws {
        try place.folder.write(try TinyNetwork.findingRed().bytes, to: "red.safetensors")
        try place.folder.write(try TinyNetwork.findingRed(strength: 60).bytes, to: "redder.safetensors")
        try place.folder.write(try Workplace.photo(), to: "photos/cat.png")
    }

    private func settings(_ model: String) -> String {
        Workplace.settings(#", "model": "\#(model)""#)
    }

    @Test("make prints the model's cost, then uses the model; mask and palette use it, too")
    func commands() async throws {
        let own = try await place.run("mask", place.folder["photos/cat.png"].string, "--output", "own")
        #expect(own.errors.isEmpty)
        for command in ["make", "mask"] {
            let run = try await place.run(
                command, "--model", "red.safetensors", "photos/cat.png", "--output", "made-\(command)", exits: 0)
            #expect(
                run.errors.contains("input of 64×48 pixels") && run.errors.contains("in one worker"), "\(run.errors)")
            #expect(try place.contents(of: "made-\(command)").count == 1)
        }
        #expect(try place.contents(of: "made-mask") != place.contents(of: "own"))
        try await place.run("palette", "--subject", "--model", "red.safetensors", "photos/cat.png", exits: 0)
    }

    @Test("A missing model is an error in the settings; one that cannot be used fails with the reason")
    func refused() async throws {
        let missing = try await place.run(
            "make", "--model", "no.safetensors", "photos/cat.png", "--output", "made", exits: 78)
        #expect(missing.errors.contains("--model") && missing.errors.contains("no.safetensors"))
        try place.folder.write("no network", to: "bad.safetensors")
        let bad = try await place.run(
            "make", "--model", "bad.safetensors", "photos/cat.png", "photos/cat.png", "--output", "made", exits: 78)
        #expect(bad.errors.matches(of: /the model cannot be used/).count == 1, "\(bad.errors)")
        try place.configure(settings("bad.safetensors"))
        let daemon = try await place.command("run", exits: 78)
        #expect(daemon.errors.contains("the model cannot be used"))
        try place.configure(settings("no.safetensors"))
        #expect(try await place.run("check-config", "config.json").end() == 78)
    }

    @Test("The daemon uses the model of the settings; remake remakes the stickers of another one, in their places")
    func remake() async throws {
        try place.drop(try Workplace.photo(), as: "cat.png")
        try place.configure(settings("red.safetensors"))
        let first = try await place.start()
        #expect(try await eventually { place.count(.done) == 1 })
        #expect(first.errors.contains("Using the model from the settings"))
        #expect(try await first.stop() == 0)
        let before = try place.stickers()
        #expect(try await place.made() == before)

        func remake() async throws -> String {
            let run = try await place.command("remake", exits: 0)
            return run.printed
        }
        #expect(try await remake().contains("0 photos"))
        try place.configure(settings("redder.safetensors"))
        #expect(try await remake().contains("1 photo\n"))
        let second = try await place.start()
        #expect(try await eventually { place.count(.done) == 1 && (try? place.stickers()) != before })
        #expect(try await second.stop() == 0)
        #expect(try place.stickers().keys == before.keys)
    }
}
