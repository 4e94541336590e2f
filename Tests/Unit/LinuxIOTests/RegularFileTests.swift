import LinuxIO
import SystemPackage
import TestSupport
import Testing

@Suite("Reading regular files", .timeLimit(.minutes(1)))
struct RegularFileTests {
    @Test(
        "Only a regular file within the limit is read; a pipe does not block",
        arguments: [
            ("file", nil), ("linked", nil), ("large", Errno.fileTooLarge), ("pipe", .invalidArgument),
            (".", .invalidArgument), ("endless", .invalidArgument), ("missing", .noSuchFileOrDirectory),
        ])
    func contents(name: String, failure: Errno?) throws {
        let folder = TemporaryFolder()
        try folder.write([1, 2, 3], to: "file")
        try folder.write([1, 2, 3, 4], to: "large")
        try folder.makeFIFO("pipe")
        try folder.link("linked", to: "file")
        try folder.link("endless", to: "/dev/zero")
        do throws(Errno) {
            #expect(try RegularFile.contents(of: folder[name], upTo: 3) == [1, 2, 3])
            #expect(failure == nil)
        } catch {
            #expect(error == failure)
        }
        #expect(throws: Errno.tooManySymbolicLinkLevels) {
            try RegularFile.contents(of: folder["linked"], upTo: 3, options: .noFollow)
        }
    }
}
