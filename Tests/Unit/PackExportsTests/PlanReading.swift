import Foundation
import PackFacts
import Testing

@testable import PackExports

extension ExportPlan {
    var paths: [String] { files.map(\.path) }

    /// The file that is JSON, or the first one of that name in an archive, read by Foundation.
    func object(_ path: String) throws -> [String: Any] {
        for file in files {
            switch file.contents {
            case .bytes(let bytes) where file.path == path: return try Self.object(bytes)
            case .zip(let entries):
                for entry in entries where entry.name == path {
                    if case .bytes(let bytes) = entry.contents { return try Self.object(bytes) }
                }
            default: break
            }
        }
        throw CocoaError(.fileNoSuchFile)
    }

    static func object(_ json: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    }

    /// The names in an archive.
    func entries(_ path: String) throws -> [String] {
        guard case .zip(let entries) = try #require(files.first { $0.path == path }).contents else { return [] }
        return entries.map(\.name)
    }

    /// The picture at a path.
    func picture(_ path: String) -> ExportPicture? {
        guard case .picture(let picture) = files.first(where: { $0.path == path })?.contents else { return nil }
        return picture
    }
}

extension [String: Any] {
    func objects(_ key: String) throws -> [[String: Any]] { try #require(self[key] as? [[String: Any]]) }

    func text(_ key: String) throws -> String { try #require(self[key] as? String) }
}

extension PackExport {
    /// The plan with an empty book.
    func plan(_ pack: Pack) throws(ExportRefusal) -> ExportPlan {
        var book = NameBook()
        return try plan(pack, &book)
    }
}
