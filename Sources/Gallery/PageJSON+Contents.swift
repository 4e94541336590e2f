import PhotoColors

extension PageJSON {
    /// The page's data block before its stickers; `contents.js` reads it.
    ///
    /// - Parameter build: identifies the page's style and script; an open page that finds another value reloads itself.
    mutating func opening(_ contents: GalleryContents, build: String) {
        open("{") { json in
            json.member("build", build)
            json.member("revision", contents.revision)
            json.member("updated", contents.updated)
            json.member("pack") { json in
                json.member("name", contents.pack.name)
                json.member("identifier", contents.pack.identifier)
                json.member("publisher", contents.pack.publisher)
            }
            json.member("colorCount", contents.colorCount)
            if let archive = contents.archive {
                json.member("archive") { json in
                    json.member("file", archive.file)
                    json.member("bytes", archive.bytes)
                    json.member("stickers", archive.stickers)
                }
            }
            json.array("packs", contents.packs) { link, json in
                json.object { json in
                    json.member("name", link.name)
                    json.member("href", link.href)
                }
            }
            json.member("pending", contents.pending)
            json.member("total", contents.total)
            json.array("waiting", contents.waiting) { waiting, json in
                json.object { $0.member("name", waiting.name) }
            }
            json.array("without", contents.without) { without, json in
                json.object { json in
                    json.member("name", without.name)
                    json.member("reason", without.reason)
                    json.member("photo", without.photo?.description)
                }
            }
            json.openArray("stickers")
        }
    }

    /// The end of the data block, after the last sticker.
    mutating func closing() {
        close("]")
        close("}")
    }

    /// One entry, on a line of its own.
    mutating func entry(_ value: GalleryContents.Sticker) {
        line { $0.sticker(value) }
    }

    private mutating func sticker(_ sticker: GalleryContents.Sticker) {
        object { json in
            json.member("id", sticker.id)
            json.member("file", sticker.file)
            json.member("thumbnail", sticker.thumbnail)
            json.member("width", sticker.width)
            json.member("height", sticker.height)
            json.member("bytes", sticker.bytes)
            json.member("name", sticker.name)
            json.member("added", sticker.added)
            json.member("photo", sticker.photo?.description)
            json.member("subject", sticker.subject?.description)
        }
    }
}
