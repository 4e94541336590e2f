import Foundation
import Glibc
import LinuxIO
import PackFacts
import PhotoCodecs
import PhotoLibrary
import PhotoRule
import SystemPackage
import Testing
import TestSupport

@Suite("Stopping and starting the daemon", .timeLimit(.minutes(1)))
struct RestartTests {
    /// A photo may keep its worker for longer than a test stops the worker.
    private static let settings = Workplace.settings(#", "limits": {"secondsPerPhoto": 3600}"#)
    private let place = Workplace(settings: Self.settings)

    @Test("At a stop, no photo that has its sticker stays in the inbox if it is to be archived")
    func archived() async throws {
        let place = Workplace(settings: Workplace.settings(#", "originals": {"mode": "archive"}"#))
        let daemon = try await place.startAndRead()
        for red in 100..<130 { try place.drop(try Workplace.photo(red: UInt8(red)), as: "\(red).png") }
        #expect(try await eventually { place.count(.done) > 5 })
        #expect(try await daemon.stop() == 0)
        #expect(try place.folder.names(in: "inbox").count == place.count(.pending))
    }

    @Test("An idle daemon writes nothing to its disk, although it reads the inbox again and again")
    func idle() async throws {
        let place = Workplace(settings: Workplace.settings(watch: #", "rescanSeconds": 1"#))
        try place.drop(try Workplace.photo(), as: "a.png")
        let daemon = try await place.startAndRead()
        #expect(try await eventually { try await place.isWhole() })
        try await daemon.idle()
        func times() throws -> [Int64] {
            try ["library.sqlite-wal", "library.lock"].map {
                try FileStatus(of: place.folder["state/library/\($0)"]).identity.modified
            }
        }
        let before = try times()
        try await Task.sleep(for: .seconds(4))
        #expect(try times() == before)
        #expect(try await daemon.stop() == 0)
    }

    @Test("SIGTERM finishes the photo in progress; photos that no worker has yet wait for the next start")
    func terminated() async throws {
        let daemon = try await place.startAndRead()
        #expect(try await eventually { try daemon.workers().count == 1 })
        let worker = try #require(try daemon.workers().first)
        // The worker must be running before it can be stopped with a photo.
        try place.drop(Workplace.noPhoto, as: "first.jpg")
        #expect(try await eventually { place.count(.failed) == 1 })
        ProcessTable.signal(worker, SIGSTOP)
        try place.drop(try Workplace.photo(), as: "a.png")
        // One photo is in the worker, and up to 16 are opened in advance: fewer if they were not all there at once.
        for number in 1...19 { try place.drop(Array("GIF89a no photo \(number)".utf8), as: "\(number).jpg") }
        #expect(
            try await eventually {
                (14...17).contains(place.count(.processing))
                    && place.count(.processing) + place.count(.pending) == 20
            })
        // A claimed photo may not have been sent to the worker yet.
        try await daemon.idle()
        daemon.signal(SIGTERM)
        try await daemon.said("Stopping after")
        #expect(daemon.isRunning)
        ProcessTable.signal(worker, SIGCONT)
        #expect(try await daemon.end() == 0)
        #expect(place.count(.done) == 1)
        #expect(place.count(.processing) == 0)
        #expect(place.count(.pending) + place.count(.failed) == 20)
        #expect(try place.stickers().count == 1)
        #expect(try place.index()?.stickers.count == 1)
        #expect(!ProcessTable.isRunning(worker))
    }

    /// Large enough to stop its worker before the photo is done.
    private static func largePhoto() throws -> [UInt8] {
        try PNGEncoder.encode(DrawnPicture.disc(width: 1600, height: 1200, red: 200))
    }

    /// Whether this user sees which photo a worker has: workers allow only root to trace them (ptrace(2)).
    private static let seesPhotos = ConditionTrait.enabled(if: geteuid() == 0, "only root sees a worker's descriptors")

    /// Repeats an attempt until it stops the worker in time: on a busy machine, the photo may be done before the test
    /// sees it in the worker.
    private func untilInTime(_ attempt: (Workplace) async throws -> Bool) async throws {
        var wasInTime = false
        for _ in 1...10 where !wasInTime { wasInTime = try await attempt(Workplace(settings: Self.settings)) }
        #expect(wasInTime)
    }

    /// Stops the worker that has a.png. Nil if that is done before, as the second photo.
    private func stopWorker(of process: StickerdProcess, in place: Workplace) async throws -> Int32? {
        func hasPhoto(_ worker: Int32) throws -> Bool {
            try ProcessTable.numbers(in: "fd", of: worker).contains { descriptor in
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/\(worker)/fd/\(descriptor)")
                return target?.hasSuffix("a.png") ?? false
            }
        }
        var worker: Int32?
        let hasBegun = try await eventually {
            worker = try process.workers().first { (try? hasPhoto($0)) ?? false }
            return worker != nil || place.count(.done) == 2
        }
        #expect(hasBegun, "\(process.isRunning) \(process.printed) \(process.errors)")
        if let worker { ProcessTable.signal(worker, SIGSTOP) }
        return worker
    }

    @Test("A repair that is interrupted counts against no photo", Self.seesPhotos)
    func interruptedRepair() async throws {
        try await untilInTime { place in
            let daemon = try await place.start()
            try place.drop(try Workplace.photo(), as: "first.png")
            #expect(try await eventually { place.count(.done) == 1 })
            let idle = try #require(try daemon.workers().first)
            ProcessTable.signal(idle, SIGSTOP)
            try place.drop(try Self.largePhoto(), as: "a.png")
            #expect(try await eventually { place.count(.processing) == 1 })
            daemon.signal(SIGKILL)
            _ = try await daemon.end()
            ProcessTable.signal(idle, SIGKILL)
            // A difference that is repaired last.
            try place.folder.remove("outbox/pack.json")
            for _ in 0..<Library.maxCrashes {
                // This process has precedence on a busy machine.
                let repair = try StickerdProcess(
                    ["verify", "--repair"] + place.folders + place.config, in: place.folder,
                    shell: #"exec nice -n 19 "$@""#)
                guard let worker = try await stopWorker(of: repair, in: place) else { return false }
                repair.signal(SIGTERM)
                let status = try await repair.end()
                ProcessTable.signal(worker, SIGKILL)
                guard place.count(.done) == 1 else { return false }
                #expect(status == -SIGTERM, "\(repair.printed) \(repair.errors)")
                #expect(place.count(.pending) == 1)
            }
            let last = try await place.start()
            #expect(try await eventually { place.count(.done) == 2 })
            #expect(try await last.stop() == 0)
            return true
        }
    }
}
