import Foundation
import StickerDaemon
import TestSupport
import Testing

@Suite("The release")
struct ReleaseTests {
    @Test("CHANGELOG.md's newest entry is about this version")
    func changelog() throws {
        let text = try String(contentsOf: Repository.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let newest = try #require(text.split(separator: "\n").first { $0.hasPrefix("## ") })
        #expect(newest.dropFirst(3).prefix { $0 != "," && $0 != " " } == Release.version)
    }
}
