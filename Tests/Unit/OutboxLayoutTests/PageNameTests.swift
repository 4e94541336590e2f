import OutboxLayout
import Testing

@Suite("Names of pages")
struct PageNameTests {
    @Test(
        "Only names that stickerd gives are names of pages",
        arguments: [
            ("0001-7.json", [1, 7]), ("0001-7.js", [1, 7]), ("0001-7.js.js", nil), ("12345-10.json", [12345, 10]),
            ("1-7.json", nil), ("00001-7.json", nil),
            ("0001-07.json", nil), ("0001-7.jso", nil), ("0001.json", nil), ("0001--7.json", nil), ("+001-7.json", nil),
            ("0001-9999999999999999.json", nil), ("", nil),
        ] as [(String, [Int]?)])
    func names(name: String, page: [Int]?) {
        let found = PageName.parse("pack/" + name)?.page
        #expect(found.map { [$0.number, $0.revision] } == page)
        #expect(PageName.parse(name) == nil)
    }
}
