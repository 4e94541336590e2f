import StickerDaemon
import Systemd
import TestSupport
import Testing

@Suite("Text on a terminal")
struct TerminalTextTests {
    @Test(
        "The width counts columns, not characters",
        arguments: [
            ("cat.jpg", 7), ("日本", 4), ("e\u{301}", 1), ("😀", 2), ("☀\u{FE0F}", 2), ("ｱ", 1), ("한글", 4), ("", 0),
            ("👨\u{200D}👩", 4), ("☰", 2), ("𝌀", 2),
        ])
    func width(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test("No character that a line may have is wider than it counts, by the C library's table")
    func widthOfAll() throws {
        let columns = try #require(TerminalColumns())
        #expect(columns.of("写") == 2)
        let wider = (0x20...0x3FFFF).compactMap { UnicodeScalar($0 as UInt32) }.map { String($0) }.filter { text in
            DisplayWidth.of(text) < columns.of(text) && PlainText.escaped(text, limit: 99) == text
        }
        #expect(wider == [])
    }

    @Test("Cut text fits, and keeps its beginning and its end", arguments: 0...30)
    func cut(columns: Int) {
        for text in ["a quite long file name.jpg", "日本語の長い名前の写真.jpg", "😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀.png"] {
            let cut = DisplayWidth.cut(text, to: columns)
            #expect(DisplayWidth.of(cut) <= columns)
            if columns >= 16, DisplayWidth.of(text) > columns {
                #expect(cut.contains("…") && cut.first == text.first && cut.last == text.last)
            }
        }
    }

    @Test("A photo's line shows name, result, time and progress, and fits into every width", arguments: 1...220)
    func photoLine(columns: Int) {
        let name = "Holiday/a photo with a long name, 写真.jpg"
        let line = PhotoLine(.made, name, " → a-photo-1a2b3c4d.png", duration: .milliseconds(430))
        let text = line.text(columns: columns, progress: "180/500, 40 s left", hasColor: false)
        #expect(DisplayWidth.of(text) < max(columns, 3))
        if columns >= 120 { #expect(text == "✓ \(name) → a-photo-1a2b3c4d.png  0.4 s   180/500, 40 s left") }
    }

    @Test(
        "A photo's time has one digit after the point, or two if it is short",
        arguments: [
            (4, "0.00 s"), (38, "0.03 s"), (99, "0.09 s"), (100, "0.1 s"), (430, "0.4 s"), (12_960, "12.9 s"),
        ])
    func photoTime(milliseconds: Int, text: String) {
        let line = PhotoLine(.made, "a.jpg", " → a.png", duration: .milliseconds(milliseconds))
        #expect(line.text(columns: 80, progress: nil, hasColor: false) == "✓ a.jpg → a.png  \(text)")
    }

    @Test("If the result is kept, only the name is cut")
    func keptResult() {
        let line = PhotoLine(
            .made, String(repeating: "漢字", count: 40) + ".jpg", " → /made/a.png", duration: .seconds(1))
        let text = line.text(columns: 40, progress: nil, hasColor: false, keepsResult: true)
        #expect(text.hasSuffix(".jpg → /made/a.png  1.0 s") && DisplayWidth.of(text) < 40, "\(text)")
    }

    @Test("A backlog begins with three photos, estimates the rest, and ends with the last")
    func backlog() {
        let start = ContinuousClock.now
        var backlog = Backlog()
        backlog.update(waiting: 2, ended: 7, now: start)
        #expect(backlog.text(now: start) == nil)
        backlog.update(waiting: 500, ended: 7, now: start)
        #expect(backlog.text(now: start) == "0/500")
        backlog.update(waiting: 320, ended: 187, now: start)
        #expect(backlog.text(now: start + .seconds(22.5)) == "180/500, 40 s left")
        backlog.finish()
        #expect(backlog.text(now: start + .seconds(22.5))?.hasPrefix("181/500, ") == true)
        #expect(backlog.text(now: start + .seconds(450)) == "181/500, 13 min left")
        backlog.update(waiting: 0, ended: 507, now: start)
        #expect(backlog.text(now: start) == nil)
    }

    @Test("One photo that waits after a backlog does not keep it under way")
    func heldPhoto() {
        var backlog = Backlog()
        backlog.update(waiting: 5, ended: 0)
        #expect(backlog.isUnderWay)
        backlog.update(waiting: 1, ended: 4)
        #expect(!backlog.isUnderWay)
        // The next photo arrives while the other is held.
        backlog.update(waiting: 2, ended: 4)
        #expect(!backlog.isUnderWay)
        backlog.update(waiting: 4, ended: 4)
        #expect(backlog.isUnderWay)
    }

    @Test("A log gets a line of the backlog every ten seconds, and none while nothing is finished")
    func lines() {
        let backlog = SharedBacklog()
        let start = ContinuousClock.now
        #expect(backlog.update(waiting: 7, ended: 0, now: start) == nil)
        #expect(backlog.update(waiting: 7, ended: 0, now: start + .seconds(11)) == "0/7")
        #expect(backlog.update(waiting: 7, ended: 0, now: start + .seconds(22)) == nil)
        #expect(backlog.update(waiting: 6, ended: 1, now: start + .seconds(23)) == "1/7, 2 min left")
        #expect(backlog.update(waiting: 5, ended: 2, now: start + .seconds(24)) == nil)
    }
}
