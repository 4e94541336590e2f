/// What a pack's page offers for messengers and servers. The list is a script beside the exports, which the page loads: a
/// page opened as a file can read no other file, and exports are finished after the page.
package struct ExportList: Sendable, Equatable {
    /// A messenger or server. All texts are plain.
    package struct Item: Sendable, Equatable {
        /// The name of its folder.
        package var name: String
        package var title: String
        /// One sentence.
        package var purpose: String
        /// Sentences.
        package var notes: [String]
        package var downloads: [Download]
        /// Why there are no files, as a sentence; nil if there are.
        package var withheld: String?

        package init(
            name: String, title: String, purpose: String, notes: [String] = [], downloads: [Download] = [],
            withheld: String? = nil
        ) {
            self.name = name
            self.title = title
            self.purpose = purpose
            self.notes = notes
            self.downloads = downloads
            self.withheld = withheld
        }
    }

    package struct Download: Sendable, Equatable {
        /// Relative to the item's folder.
        package var file: String
        package var bytes: Int

        package init(file: String, bytes: Int) {
            self.file = file
            self.bytes = bytes
        }
    }

    /// Relative to the folder of exports.
    package static let fileName = "exports.js"

    private let items: [Item]

    /// - Parameter items: in the order of the page.
    package init(_ items: [Item]) { self.items = items }

    /// The whole script. It sets one global variable, to an object literal that is JSON.
    package var bytes: [UInt8] {
        var json = PageJSON()
        json.open("{") { json in
            json.openArray("exports")
            for item in items {
                json.line { json in
                    json.object { json in
                        json.member("name", item.name)
                        json.member("title", item.title)
                        json.member("purpose", item.purpose)
                        json.array("notes", item.notes) { note, json in json.value(note) }
                        json.array("downloads", item.downloads) { download, json in
                            json.object { json in
                                json.member("file", download.file)
                                json.member("bytes", download.bytes)
                            }
                        }
                        json.member("withheld", item.withheld)
                    }
                }
            }
            json.close("]")
            json.close("}")
        }
        return Self.beginning + json.take() + Array(";\n".utf8)
    }

    /// The first bytes of every list.
    package static let beginning = Array("globalThis.stickerdExports = ".utf8)
}
