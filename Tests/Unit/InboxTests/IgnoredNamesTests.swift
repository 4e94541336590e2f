import FileNames
import Foundation
import Inbox
import TestSupport
import Testing

@Suite("The default list of ignored names")
struct IgnoredNamesTests {
    private let rules = InboxRules(
        recursive: true, settleSeconds: 1, rescanSeconds: 1, ignorePatterns: IgnoredNames.usual)

    private func reason(_ path: String) -> String? { rules.reasonToIgnore(InboxPath(bytes: Array(path.utf8))) }

    /// As the programs write them; each pattern of the list matches one.
    private static let foreign = [
        ".hidden.jpg", "~$cat.jpg", "~snapshot/a.jpg", "cat.png~", "a.jpg.part", "a.jpg.partial", "a.jpg.filepart",
        "a.jpg.crdownload", "a.download/a.jpg", "a.jpg.opdownload", "a.tmp", "a.TEMP", "a.jpg.swp", "a.jpg.!sync",
        "a.jpg.!ut", "a.jpg.!qB", "a.jpg.!bt", "a.jpg.bc!", "a.jpg.jc!", "a.jpg.td", "a.jpg.xltd",
        "a.jpg.aria2", "a.jpg.dtapart", "a.jpg.fdmdownload", "a.jpg.incomplete", "a.jpg.ffs_tmp",
        "a.jpg.sb-1a2b3c4d-AbCdEf/a.jpg", "a.jpg_exiftool_tmp", "Trip/@eaDir/a.jpg/SYNOPHOTO_THUMB_XL.jpg",
        "eaDir_tmp/a.jpg", "SYNOPHOTO_FILM_H.jpg", "SYNOFILE_THUMB_M.jpg", "SYNOVIDEO_VIDEO_SCREENSHOT.jpg",
        "a.jpg@SynoResource", "a.jpg@SynoEAStream", "#recycle/a.jpg", "#Recycle/a.jpg",
        "#snapshot/GMT+01-2025.01.01-00.00.00/Trip/a.jpg", "@sharesnap/a.jpg", "@tmp/a.jpg", "@Recycle/Trip/a.jpg",
        "@Recently-Snapshot/GMT+01_2025-01-01_0000/a.jpg", "@Transcode/a.jpg", "Network Recycle Bin 1/a.jpg",
        "_NAS_Recycle_TOSRAID/a.jpg", "trashbox/a.jpg", "Recycle Bin/a.jpg", "Network Trash Folder/a.jpg",
        "Temporary Items/a.jpg", "TheVolumeSettingsFolder/a.jpg", "TheFindByContentFolder/a.jpg",
        "@GMT-2025.01.01-00.00.00/a.jpg", "@snapshots/1/snapshot/a.jpg", "files_trashbin/files/a.jpg.d1700000000",
        "files_versions/a.jpg.v1700000000", "appdata_oc1a2b3c/preview/1/256-256.png", "$RECYCLE.BIN/S-1-5/$R1A2B3C.jpg",
        "$Recycle.Bin/a.jpg", "RECYCLER/a.jpg", "System Volume Information/a.jpg", "FOUND.000/a.jpg",
        "Thumbs.db", "thumbs.db", "ehthumbs_vista.db", "Desktop.ini", "__MACOSX/Trip/a.jpg", "Backups.backupdb/a.jpg",
        "lost+found/#1234", "LOST.DIR/12", "DCIM/MVI_0001.THM", "DCIM/mvi_0001.thm", "DJI_0001.SCR",
        "PRIVATE/M4ROOT/THMBNL/C0001T01.JPG", "a.jpg.bak", "a.BAK", "a.bak1", "a.jpg.bk", "a.jpg.bkp", "a.jpg.backup",
        "a.jpg.orig", "a.jpg.old", "a.jpg.save", "#a.jpg#", "a.jpg_original", "[Originals]/a.jpg",
        "a.sync-conflict-20250101-120000-ABCDEFG.jpg", "a (Ann's conflicted copy 2025-01-01).jpg",
        "a (conflicted copy 2025-01-01 120000).jpg", "a (conflicted copy ann 2025-01-01 120000).jpg",
        "a (case clash from 2025-01-01 120000).jpg", "a_conflict-20250101-120000.jpg",
        "a (SFConflict ann@example.org 2025-01-01-12-00-00).jpg", "a_Andy-PC_Jan-03-0901-2013_CaseConflict_1.jpg",
        "a_840G11-X_oct.-05-085858-2026_Conflict.jpg", "a(Conflict_ann (Web browser)_2025-03-25-22-50-36).jpg",
        "a.jpg.Conflict", "a.Conflict.jpg", "a[Conflict].jpg", "a [conflicted].jpg",
        "a (In Konflikt stehende Kopie von Ann 2025-01-01).jpg", "a (Copie en conflit de Ann 2025-01-01).jpg",
        "a (Copia en conflicto de Ann 2025-01-01).jpg", "a (Copia conflictiva de Ann 2025-01-01).jpg",
        "a (Copia in conflitto di Ann 2025-01-01).jpg", "a (Case Conflict).jpg", "a (Selective Sync Conflict).jpg",
        "a (Unicode Encoding Conflict).jpg",
        "Photos Library.photoslibrary/originals/1/1A2B.jpeg", "iPhoto Library.photolibrary/Thumbnails/a.jpg",
        "iPhoto Library.migratedphotolibrary/a.jpg", "iPhoto Library/Data/a.jpg", "Aperture Library.aplibrary/a.jpg",
        "Vault.apvault/a.jpg", "Catalog Previews.lrdata/1/a.jpg", "Lightroom Library.lrlibrary/a.jpg",
        "CaptureOne/Cache/Thumbnails/a.jpg.cot", "CaptureOne/Cache/Proxies/a.jpg.cop", "mipmaps-1a2b.d/4/1.jpg",
        "Film.trickplay/320 - 10x10/0.jpg", "Film.fcpbundle/a.jpg", "Film.imovielibrary/a.jpg",
    ]

    @Test("Names that other programs write for themselves are ignored", arguments: foreign)
    func ignored(path: String) {
        #expect(reason(path) != nil)
    }

    @Test("Names of photos and of their folders are not ignored")
    func photos() {
        let names = [
            "IMG_0012.jpg", "MVI_0001.jpg", "red-car_0012 (2).jpg", "cat (1).jpg", "photo-edited.jpg", "IMG_E0012.HEIC",
            "@alice.jpg", "#sunset.jpg", "#1.jpg", "Trip #2/a.jpg", "snapshot/a.jpg", "Snapshot 2025-01-01.png",
            "Trash/a.jpg",
            "Thumbnails/a.jpg", "Originals/a.jpg", "Conflict/a.jpg", "conflict.jpg", "The original.jpg",
            "a_original.jpg", "old/a.jpg", "Recycle/a.jpg", "my desktop.jpg", "DESKTOP-1.jpg", "backup/a.jpg",
            "2025-01-01_12-00-00_a.jpg", "Screenshot_2025-01-01-12-00-00_conf.png", "Library/a.jpg", "a.jpg", "1",
            "woman-with-laptop-outdoors.jpg", "my-desktop-picture.jpg", "cats_original/a.jpg",
            "Gaza_Conflict-2014.jpg", "#wedding#/a.jpg", "Recycled/a.jpg", "Shoot.BTS/a.jpg", "2023.save/a.jpg",
            "2019.old/a.jpg",
            "Urlaub (Kopie).jpg", "a copy.jpg", "download.jpg", "temp.jpg", "\u{E9}t\u{E9}.jpg", "a[1].jpg",
        ]
        for name in names { #expect(reason(name) == nil, "\(name): \(reason(name) ?? "")") }
    }

    @Test("Each pattern matches a name of this test, and Docs/Ignored.md explains it")
    func patterns() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "Docs/Ignored.md"), encoding: .utf8)
        let reasons = Self.foreign.compactMap { name in
            // The first pattern that matches is the one that is named, so try each alone.
            IgnoredNames.usual.filter { pattern in
                var rules = rules
                rules.ignorePatterns = [pattern]
                return rules.reasonToIgnore(InboxPath(bytes: Array(name.utf8))) != nil
            }
        }
        let used = Set(reasons.joined())
        for pattern in IgnoredNames.usual {
            #expect(used.contains(pattern) || pattern == ".syncthing.*", "\(pattern)")
            #expect(page.contains("`\(pattern)`"), "\(pattern)")
        }
        #expect(Set(IgnoredNames.usual).count == IgnoredNames.usual.count)
        let listed = page.split(separator: "\n").drop { !$0.hasPrefix("## The default list") }
            .filter { $0.hasPrefix("| `") }
            .flatMap { $0.dropFirst().prefix { $0 != "|" }.split(separator: "`").filter { $0.contains { $0 != " " } } }
        #expect(Set(listed.map(String.init)) == Set(IgnoredNames.usual))
    }

    @Test("A reason names the folder, escaped, the pattern, and the setting")
    func reasons() {
        #expect(
            reason("Trip/@eaDir/a.jpg")
                == "the folder \"@eaDir\" matches the ignore pattern \"@eaDir\" of watch.ignore")
        #expect(
            reason("a\u{1B}.bak/a.jpg")
                == "the folder \"a\\x1b.bak\" matches the ignore pattern \"*.bak\" of watch.ignore")
        #expect(reason("a.THM") == "the name matches the ignore pattern \"*.thm\" of watch.ignore")
    }

    @Test("Names that are not UTF-8 are compared by their bytes")
    func bytes() {
        #expect(rules.reasonToIgnore([0xFF, 0x2E] + Array("bak".utf8)) != nil)
        #expect(rules.reasonToIgnore([0xFF, 0x2E] + Array("jpg".utf8)) == nil)
    }
}
