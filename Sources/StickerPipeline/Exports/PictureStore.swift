import LinuxIO
import PackExports
import StickerStudio
import SystemPackage

/// The pictures of a pack's stickers, each made once, whatever number of exports use it. A picture's name has the
/// digest of its sticker's file and its form, so it never becomes outdated.
final class PictureStore {
    /// A picture's file in the store.
    struct Stored {
        let name: String
        let identity: FileIdentity
    }

    let folder: ExportFolder
    private let stickers: ExportFolder
    private let maker: any PictureMaking
    private let memory: PictureMemory
    private let isStopping: () -> Bool
    /// How many pictures are made at once.
    private let places: Int
    let room: ExportRoom
    private(set) var stored: [ExportPicture: Stored] = [:]
    /// The names that a complete pass used.
    private var used: Set<String> = []
    /// How many pictures this store made.
    private(set) var made = 0
    /// How long it waited for them.
    private(set) var waited = Duration.zero
    /// What failed in this pass, so that further exports do not try it: by sticker's file, and by picture's name.
    private var (unreadable, failed): ([String: Failure], [String: Failure]) = ([:], [:])
    private var hasRead = false
    /// How many stickers the disk refused, and the first of them.
    private var refusals = 0
    private var refusedByDisk: ExportTrouble?

    /// If the disk refuses more stickers, it is the disk that fails, not single files: exports stay as they are.
    private static let maxUnreadable = 16
    private static let digits = 32

    /// - Parameters:
    ///   - folder: where the pictures are.
    ///   - stickers: the pack's.
    ///   - isStopping: called before each picture.
    init(
        in folder: ExportFolder, stickers: ExportFolder, maker: any PictureMaking, memory: PictureMemory,
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
        var ordered: Set<String> = []
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
                let file = try stickers.open(picture.sticker.file)
                let (identity, digest) = try memory.digest(of: file)
                hasRead = true
                memory.succeeded(path(of: picture.sticker))
                let name = "\(Self.prefix(of: digest))-\(picture.form.identifier)"
                used.insert(name)
                if try adopt(picture, name) { continue }
                if let reason = memory.refusal(of: name) {
                    missing.refused[picture.sticker] = reason
                    continue
                }
                if let failure = failed[name] {
                    missing.add(picture.sticker, failure)
                    continue
                }
                let order = Order(picture: picture, name: name, source: identity)
                if ordered.insert(name).inserted { wanted.append(order) } else { wanted.append(order.repeated) }
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
        guard let stored = stored[picture],
            let bytes = try folder.contents(of: stored.name, upTo: Int(stored.identity.size))
        else { throw .refused(folder.path, .noSuchFileOrDirectory) }
        return bytes
    }

    /// Removes the pictures that `make` was not asked for. Call it after all exports of the pack.
    func removeUnused() throws(ExportTrouble) {
        for (name, _) in try folder.names() where !used.contains(name) && Self.isPicture(name) {
            try folder.remove(name)
        }
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
        let digits = Int64(name.prefix(8), radix: 16) ?? 0
        return (946_684_800 + digits % 788_918_400 / 2 * 2) * 1_000_000_000
    }

    private func adopt(_ picture: ExportPicture, _ name: String) throws(Errno) -> Bool {
        do throws(Errno) {
            let status = try FileStatus(of: Array(name.utf8), in: folder.descriptor.raw)
            guard status.kind == .regular, (1...Int64(picture.form.maxBytes)).contains(status.identity.size),
                status.identity.modified == Self.time(of: name)
            else { return false }
            stored[picture] = Stored(name: name, identity: status.identity)
            return true
        } catch .noSuchFileOrDirectory {
            return false
        }
    }
}

// MARK: - Missing pictures

extension PictureStore {
    fileprivate struct Order: Sendable {
        let picture: ExportPicture
        let name: String
        /// The sticker's file as it was hashed.
        let source: FileIdentity
        /// Whether an earlier one makes the file.
        var isRepeated = false

        var repeated: Order {
            var order = self
            order.isRepeated = true
            return order
        }
    }

    private func make(_ orders: [Order], _ missing: inout Missing) async throws(ExportTrouble) {
        var rest = orders[...]
        while !rest.isEmpty {
            // The same picture of two stickers is made before it is needed again.
            let batch = rest.prefix { !$0.isRepeated }.prefix(max(places, 1) * Self.batches)
            if batch.isEmpty {
                let order = rest.removeFirst()
                let isMade = try folder.naming(order.name) { () throws(Errno) in
                    try adopt(order.picture, order.name)
                }
                if !isMade {
                    let failure =
                        failed[order.name] ?? Failure(reason: "no picture could be made of it", mayRetry: false)
                    missing.add(order.picture.sticker, failure)
                }
                continue
            }
            rest = rest.dropFirst(batch.count)
            try await make(batch: Array(batch), &missing)
        }
    }

    /// How many pictures each place makes before the next check for a stop.
    private static let batches = 4

    private func make(batch: [Order], _ missing: inout Missing) async throws(ExportTrouble) {
        if isStopping() { throw .stopped }
        try room.require(batch.reduce(0) { $0 + $1.picture.form.maxBytes })
        let start = ContinuousClock.now
        defer { waited += start.duration(to: .now) }
        var trouble: ExportTrouble?
        var next = batch.makeIterator()
        let (maker, stickers) = (maker, stickers)
        await withTaskGroup(of: (Order, Result<[UInt8], PictureFailure>).self) { group in
            func start() {
                guard trouble == nil, !isStopping(), let order = next.next() else { return }
                group.addTask {
                    do throws(PictureFailure) {
                        return (order, .success(try await Self.picture(order, maker, stickers)))
                    } catch {
                        return (order, .failure(error))
                    }
                }
            }
            for _ in 0..<places { start() }
            while let (order, result) = await group.next() {
                do throws(ExportTrouble) {
                    try keep(order, result, &missing)
                } catch {
                    trouble = error
                }
                start()
            }
        }
        if let trouble { throw trouble }
        if isStopping() { throw .stopped }
    }

    private static func picture(
        _ order: Order, _ maker: any PictureMaking, _ stickers: ExportFolder
    ) async throws(PictureFailure) -> [UInt8] {
        let file = try unchanged(order, stickers)
        let bytes = try await maker.picture(of: file.raw, order.picture.form)
        guard (1...order.picture.form.maxBytes).contains(bytes.count) else {
            throw .refused("its picture has \(bytes.count) bytes; \(order.picture.form.maxBytes) are allowed")
        }
        return bytes
    }

    /// The sticker's file, if it is still the one that the picture's name has the digest of.
    private static func unchanged(
        _ order: Order, _ stickers: ExportFolder
    ) throws(PictureFailure) -> OwnedDescriptor {
        let name = order.picture.sticker.file
        do throws(Errno) {
            let file = try stickers.open(name)
            if try FileStatus(ofDescriptor: file.raw).identity == order.source { return file }
        } catch {
            guard !error.isShortage else { throw .notYet("\(stickers.path.appending(name)): \(error)") }
            throw .unreadable("its file cannot be read (\(error))")
        }
        throw .changed("\(stickers.path.appending(name)): has just changed")
    }

    private func keep(
        _ order: Order, _ result: Result<[UInt8], PictureFailure>, _ missing: inout Missing
    ) throws(ExportTrouble) {
        switch result {
        case .success(let bytes):
            try folder.naming(order.name) { () throws(Errno) in
                let draft = try folder.draft()
                try draft.write(bytes)
                try draft.setModified(Self.time(of: order.name))
                let identity = try draft.status().identity
                try draft.publish(as: order.name)
                stored[order.picture] = Stored(name: order.name, identity: identity)
            }
            made += 1
            memory.succeeded(order.name)
        case .failure(.refused(let reason)):
            memory.remember(refusal: reason, of: order.name)
            missing.refused[order.picture.sticker] = reason
        case .failure(.died(let reason)):
            let failure = Failure(reason: reason, mayRetry: memory.mayRetry(afterFailureOf: order.name))
            if !failure.mayRetry { memory.remember(refusal: reason, of: order.name) }
            failed[order.name] = failure
            missing.add(order.picture.sticker, failure)
        case .failure(.unreadable(let reason)):
            let trouble = ExportTrouble(.notYet, "\(path(of: order.picture.sticker)): \(reason)")
            try leaveOut(order.picture.sticker, reason, trouble, &missing)
        case .failure(.changed(let reason)): throw ExportTrouble(.changing, reason)
        case .failure(.notYet(let reason)): throw ExportTrouble(.notYet, reason)
        }
    }

    /// - Parameter trouble: for the whole pack, if the disk may be the cause.
    private func leaveOut(
        _ sticker: ExportSticker, _ reason: String, _ trouble: ExportTrouble?, _ missing: inout Missing
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

    private func path(of sticker: ExportSticker) -> String { stickers.path.appending(sticker.file).string }
}
