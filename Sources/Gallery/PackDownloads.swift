import PackFacts

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
        package var notes: [String] = []
        package var downloads: [File] = []
        /// Why there are no files; nil if there are.
        package var withheld: String?

        package init(name: String, title: String, purpose: String, withheld: String?) {
            self.name = name
            self.title = title
            self.purpose = purpose
            self.withheld = withheld
        }
    }

    private let exports: [Export]

    /// - Parameter exports: in the order of the page.
    package init(_ exports: [Export]) { self.exports = exports }

    /// The whole script. It sets one global variable, to an array literal that is JSON.
    package var bytes: [UInt8] {
        let list = OrderedJSON.lines(
            exports.map { export in
                [
                    "name": .string(export.name), "title": .string(export.title), "purpose": .string(export.purpose),
                    "notes": .strings(export.notes),
                    "downloads": .array(
                        export.downloads.map { ["file": .string($0.file), "bytes": .number($0.bytes)] }),
                    "withheld": export.withheld.map { .string($0) },
                ]
            })
        return Self.beginning + list.bytes() + Array(";\n".utf8)
    }

    /// The first bytes of every list.
    package static let beginning = Array("globalThis.stickerdExports = ".utf8)
}
