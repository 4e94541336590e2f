import LinuxIO
import Outbox
import PackExports
import PackFacts
import StickerStudio
import SystemPackage

/// The pictures of a pack's stickers, each made once, whatever number of exports use it. A picture's name has the
/// digest of its sticker's file and its form. So it never becomes outdated. Files of exports are hard links to it, or
/// copies if the file system has none.
final class PictureStore {
    /// A picture's file in the store.
    struct Stored {
        let name: String
        let identity: FileIdentity
    }

    let folder: OpenFolder
    let stickers: OpenFolder
    let maker: any PictureMaking
    let memory: PictureMemory
    let isStopping: () -> Bool
    /// How many pictures are made at once.
    let places: Int
    let room: ExportRoom
    private(set) var stored: [ExportPicture: Stored] = [:]
    /// The bytes of those that this store made, up to `maxFresh`: several archives may need them.
    private var fresh: (pictures: [String: [UInt8]], bytes: Int) = ([:], 0)
    /// The names that a complete pass used.
    private var used: Set<String> = []
    /// How many pictures this store made.
    private(set) var made = 0
    /// How long it waited for them.
    var waited = Duration.zero
    /// What failed in this pass, so that further exports do not try it: by sticker's file, and by picture's name.
    private var unreadable: [String: Failure] = [:]
    var failed: [String: Failure] = [:]
    private var hasRead = false
    /// How many stickers the disk refused, and the first of them.
    private var refusals = 0
    private var refusedByDisk: ExportTrouble?

    private(set) var small = SmallStickers()

    /// If the disk refuses more stickers, it is the disk that fails, not single files: exports stay as they are.
    private static let maxUnreadable = 16
    private static let maxFresh = 4 << 20
    private static let digits = 32
    /// A sticker fills a picture if one side is at least this share of the room's.
    private static let leastShare = 0.95

    init(
        in folder: OpenFolder, stickers: OpenFolder, maker: any PictureMaking, memory: PictureMemory,
        places: Int, room: ExportRoom, isStopping: @escaping () -> Bool
    ) {
        self.folder = folder
        self.stickers = stickers
        self.maker = maker
        self.memory = memory
        self.places = places
        self.room = room
        self.isStopping = isStopping
    }

    /// Makes those pictures that are missing, in this order.
    ///
    /// - Throws: if a file cannot be written, no worker can be had, or it is to stop.
    func make(_ pictures: [ExportPicture]) async throws(ExportTrouble) -> Missing {
        var missing = Missing()
        var wanted: [Order] = []
        for picture in pictures where missing.refused[picture.sticker] == nil {
            if isStopping() { throw .stopped }
            do throws(Errno) {
                guard picture.form.isDrawable else {
                    missing.refused[picture.sticker] = "it has no picture of \(picture.form.identifier)"
                    continue
                }
                if let failure = unreadable[picture.sticker.file] {
                    missing.add(picture.sticker, failure)
                    continue
                }
                if let digest = picture.sticker.sha256 {
                    hasRead = true
                    wanted.append(Order(picture: picture, digest: digest, source: nil))
                    continue
                }
                let file = try stickers.open(picture.sticker.file)
                let (identity, digest) = try memory.digest(of: file)
                hasRead = true
                memory.succeeded(path(of: picture.sticker))
                wanted.append(Order(picture: picture, digest: digest, source: identity))
            } catch {
                guard !error.isShortage else { throw .refused(stickers.path.appending(picture.sticker.file), error) }
                let trouble = ExportTrouble.refused(stickers.path.appending(picture.sticker.file), error)
                try leaveOut(
                    picture.sticker, "its file cannot be read (\(error))", error.isTransient ? trouble : nil, &missing)
            }
        }
        if !hasRead, let failure = refusedByDisk { throw failure }
        try await make(wanted, &missing)
        return missing
    }

    /// The pictures' sizes; 0 for those that were not made.
    func size(of picture: ExportPicture) -> Int { stored[picture].map { Int($0.identity.size) } ?? 0 }

    /// The bytes of a picture.
    func contents(of picture: ExportPicture) throws(ExportTrouble) -> [UInt8] {
        guard let stored = stored[picture] else { throw .refused(folder.path, .noSuchFileOrDirectory) }
        return try contents(of: stored)
    }

    /// The same of one whose file is known.
    func contents(of stored: Stored) throws(ExportTrouble) -> [UInt8] {
        if let bytes = fresh.pictures[stored.name] { return bytes }
        guard let bytes = try folder.contents(of: stored.name, upTo: Int(stored.identity.size)),
            let status = try folder.status(of: stored.name)
        else { throw .refused(folder.path, .noSuchFileOrDirectory) }
        // A program may write to it through its hard link in an export.
        guard FileStamp(status) == FileStamp(stored.identity), bytes.count == stored.identity.size else {
            throw ExportTrouble(.changing, "\(folder.path.appending(stored.name)): has just changed")
        }
        return bytes
    }

    /// Gives a picture another name in another folder, not durably. Returns the number of bytes written: 0 for a hard
    /// link.
    func link(_ stored: Stored, as name: String, in place: OpenFolder) throws(Errno) -> Int {
        do throws(Errno) {
            try folder.descriptor.link(Array(stored.name.utf8), as: Array(name.utf8), in: place.descriptor)
            return 0
        } catch {
            guard OwnedDescriptor.linkRefusals.contains(error) else { throw error }
        }
        let draft = try place.draft()
        try draft.write(from: try folder.open(stored.name), 0..<Int(stored.identity.size))
        try draft.setModified(stored.identity.modified)
        try draft.publish(as: name)
        return Int(stored.identity.size)
    }

    /// Removes the pictures that `make` was not asked for. Call it after all exports of the pack.
    func removeUnused() throws(ExportTrouble) {
        for (name, _) in try folder.names() where !used.contains(name) && Self.isPicture(name) {
            try folder.remove(name)
        }
    }

    /// Makes `make` try again what failed.
    func forgetFailures() {
        memory.forgetRefusals()
        (unreadable, failed) = ([:], [:])
        (refusals, refusedByDisk) = (0, nil)
    }

    /// The digits of a sticker's digest with which the names of its pictures begin.
    static func prefix(of digest: String) -> String { String(digest.prefix(digits)) }

    static func isPicture(_ name: String) -> Bool {
        name.count > digits && name.prefix(digits).allSatisfy(\.isHexDigit) && name.dropFirst(digits).first == "-"
    }

    /// A time that follows from a picture's name, in nanoseconds since 1970. With another one, a program has written to
    /// the file, perhaps through its hard link in an export, and it is made again. Whole even seconds between 2000 and
    /// 2025: every file system can store them.
    static func time(of name: String) -> Int64 {
        // FNV-1a of the whole name: copies of two pictures of one sticker must differ.
        let hash = name.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        return (946_684_800 + Int64(hash % 394_459_200) * 2) * 1_000_000_000
    }

    /// Takes a picture that is in the store already, perhaps made for another limit of bytes. Returns false if none is.
    func take(_ order: Order) throws(Errno) -> Bool {
        let picture = order.picture
        // The pack's index may say anything.
        let room = picture.form.room
        let isFilled =
            Double(picture.sticker.width) >= Self.leastShare * Double(room.width)
            || Double(picture.sticker.height) >= Self.leastShare * Double(room.height)
        if !isFilled {
            small.sides[picture.sticker.file] = max(picture.sticker.width, picture.sticker.height)
            small.room = max(small.room, room.width, room.height)
        }
        for name in [order.shared, order.own] {
            guard let identity = try intact(name), identity.size <= picture.form.maxBytes else { continue }
            used.insert(name)
            stored[picture] = Stored(name: name, identity: identity)
            return true
        }
        return false
    }

    private func intact(_ name: String) throws(Errno) -> FileIdentity? {
        guard let status = try FileStatus.existing(Array(name.utf8), in: folder.descriptor.raw),
            status.kind == .regular, status.identity.size > 0, status.identity.modified == Self.time(of: name)
        else { return nil }
        return status.identity
    }

    /// Keeps the bytes of a picture that was just made while there is room for them.
    func remember(_ bytes: [UInt8], of name: String) {
        guard fresh.bytes + bytes.count <= Self.maxFresh else { return }
        fresh.pictures[name] = bytes
        fresh.bytes += bytes.count
    }

    /// Takes a picture that was just made.
    func hold(_ order: Order, as name: String, _ identity: FileIdentity) {
        stored[order.picture] = Stored(name: name, identity: identity)
        used.insert(name)
        made += 1
        memory.succeeded(order.own)
    }

    /// - Parameter trouble: for the whole pack, if the disk may be the cause.
    func leaveOut(
        _ sticker: PackEntry, _ reason: String, _ trouble: ExportTrouble?, _ missing: inout Missing
    ) throws(ExportTrouble) {
        if let trouble {
            refusedByDisk = refusedByDisk ?? trouble
            refusals += 1
            if refusals > Self.maxUnreadable { throw trouble }
        }
        let failure = Failure(reason: reason, mayRetry: memory.mayRetry(afterFailureOf: path(of: sticker)))
        unreadable[sticker.file] = failure
        missing.add(sticker, failure)
    }

    func path(of sticker: PackEntry) -> String { stickers.path.appending(sticker.file).string }
}
