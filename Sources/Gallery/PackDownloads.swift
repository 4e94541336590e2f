/// What a pack's page offers besides its stickers: the exports of the pack. The list is a script beside them, because a
/// page opened as a file can read no other file.
package struct PackDownloads: Sendable, Equatable {
    package struct File: Sendable, Equatable {
        /// Relative to the folder that the script is in.
        package var file: String
        package var bytes: Int

        package init(file: String, bytes: Int) {
            self.file = file
            self.bytes = bytes
        }
    }

    package struct Export: Sendable, Equatable {
        /// As in the settings, and the name of its folder.
        package var name: String
        package var title: String
        /// What the files are for, in one sentence.
        package var purpose: String
        /// Each a sentence.
        package var notes: [String]
        package var downloads: [File]
        /// Why there are no files; nil if there are.
        package var withheld: String?

        package init(
            name: String, title: String, purpose: String, notes: [String] = [], downloads: [File] = [],
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

    private let exports: [Export]

    /// - Parameter exports: in the order of the page.
    package init(_ exports: [Export]) { self.exports = exports }

    /// The whole script. It sets one global variable, to an array literal that is JSON.
    package var bytes: [UInt8] {
        var json = PageJSON()
        json.openList()
        for export in exports {
            json.line { json in
                json.object { json in
                    json.member("name", export.name)
                    json.member("title", export.title)
                    json.member("purpose", export.purpose)
                    json.array("notes", export.notes) { $1.value($0) }
                    json.array("downloads", export.downloads) { download, json in
                        json.object { json in
                            json.member("file", download.file)
                            json.member("bytes", download.bytes)
                        }
                    }
                    json.member("withheld", export.withheld)
                }
            }
        }
        json.close("]")
        return Self.beginning + json.take() + Array(";\n".utf8)
    }

    /// The first bytes of every list.
    package static let beginning = Array("globalThis.stickerdExports = ".utf8)
}
