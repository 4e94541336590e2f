import LinuxIO
import PackExports
import PackFacts
import StickerStudio
import SystemPackage

/// Missing pictures.
extension PictureStore {
    /// A picture to be made.
    struct Order: Sendable {
        let picture: ExportPicture
        /// Of the sticker's file.
        let digest: String
        /// The sticker's file as it was hashed; nil if only the Library's digest of it is known.
        let source: FileIdentity?

        /// The names of its file: of the whole picture, and of one that was reduced to its own limit of bytes.
        var shared: String { "\(PictureStore.prefix(of: digest))-\(form.identifierOfAnySize)" }
        var own: String { "\(PictureStore.prefix(of: digest))-\(form.identifier)" }

        private var form: PictureForm {
            picture.form.withoutIdleMargin(aroundWidth: picture.sticker.width, height: picture.sticker.height)
        }
    }

    /// How many pictures each place makes before the next check for a stop.
    private static let batches = 4

    func make(_ orders: [Order], _ missing: inout Missing) async throws(ExportTrouble) {
        var rest = orders[...]
        while !rest.isEmpty {
            // The same picture of two stickers is made before it is needed again.
            var names: Set<String> = []
            let batch = rest.prefix(max(places, 1) * Self.batches).prefix { names.insert($0.shared).inserted }
            rest = rest.dropFirst(batch.count)
            var due: [Order] = []
            for order in batch where missing.refused[order.picture.sticker] == nil {
                if try folder.naming(order.shared, { () throws(Errno) in try take(order) }) { continue }
                let refusal = memory.refusal(of: order.own).map { Failure(reason: $0, mayRetry: false) }
                if let failure = refusal ?? failed[order.own] {
                    missing.add(order.picture.sticker, failure)
                } else {
                    due.append(order)
                }
            }
            if !due.isEmpty { try await make(batch: due, &missing) }
        }
    }

    private func make(batch: [Order], _ missing: inout Missing) async throws(ExportTrouble) {
        if isStopping() { throw .stopped }
        // Most pictures are far smaller than they may be.
        if room.minFreeBytes > 0 { try room.require(batch.reduce(0) { $0 + $1.picture.form.maxBytes }) }
        let start = ContinuousClock.now
        defer { waited += start.duration(to: .now) }
        var trouble: ExportTrouble?
        var next = batch.makeIterator()
        let (maker, stickers) = (maker, stickers)
        var drafts: [(order: Order, name: String, draft: ExportDraft)] = []
        await withTaskGroup(of: (Order, Result<Drawn, PictureFailure>).self) { group in
            func start() {
                guard trouble == nil, !isStopping(), let order = next.next() else { return }
                group.addTask {
                    do throws(PictureFailure) {
                        return (order, .success(try await Self.draw(order, maker, stickers)))
                    } catch {
                        return (order, .failure(error))
                    }
                }
            }
            for _ in 0..<places { start() }
            while let (order, result) = await group.next() {
                do throws(ExportTrouble) {
                    if let (bytes, name) = try kept(order, result, &missing) {
                        let draft = try ExportDraft(.bytes(bytes), as: name, in: folder, modified: Self.time(of: name))
                        remember(bytes, of: name)
                        drafts.append((order, name, draft))
                    }
                } catch {
                    trouble = error
                }
                start()
            }
        }
        if !drafts.isEmpty { try folder.synchronizeFileSystem() }
        for (order, name, draft) in drafts { hold(order, as: name, try draft.publish().identity) }
        if let trouble { throw trouble }
        if isStopping() { throw .stopped }
    }

    private typealias Drawn = (bytes: [UInt8], name: String)

    /// Exports must not depend on which of them was first: one with a larger limit does not get a reduced picture.
    private static func draw(
        _ order: Order, _ maker: any PictureMaking, _ stickers: OpenFolder
    ) async throws(PictureFailure) -> Drawn {
        let form = order.picture.form
        let file = try unchanged(order, stickers)
        let whole = try await maker.picture(of: file.raw, form.ofAnySize)
        if (1...form.maxBytes).contains(whole.count) { return (whole, order.shared) }
        let bytes = try await maker.picture(of: file.raw, form)
        guard (1...form.maxBytes).contains(bytes.count) else {
            throw .refused("its picture has \(bytes.count) bytes; \(form.maxBytes) are allowed")
        }
        return (bytes, order.own)
    }

    /// The sticker's file, if it is still the one that the picture's name has the digest of.
    private static func unchanged(_ order: Order, _ stickers: OpenFolder) throws(PictureFailure) -> OwnedDescriptor {
        let name = order.picture.sticker.file
        do throws(Errno) {
            let file = try stickers.open(name)
            if let source = order.source {
                if try FileStatus(ofDescriptor: file.raw).identity == source { return file }
            } else if try ContentDigest.sha256(ofDescriptor: file.raw, limit: PictureMemory.maxBytes).hex
                == order.digest
            {
                return file
            }
        } catch {
            guard !error.isShortage else { throw .notYet("\(stickers.path.appending(name)): \(error)") }
            throw .unreadable("its file cannot be read (\(error))")
        }
        throw .changed("\(stickers.path.appending(name)): has just changed")
    }

    /// What to do with a result; nil if there is no picture.
    private func kept(
        _ order: Order, _ result: Result<Drawn, PictureFailure>, _ missing: inout Missing
    ) throws(ExportTrouble) -> Drawn? {
        switch result {
        case .success(let drawn): return drawn
        case .failure(.refused(let reason)):
            memory.remember(refusal: reason, of: order.own)
            missing.refused[order.picture.sticker] = reason
        case .failure(.died(let reason)):
            missing.add(order.picture.sticker, failure(of: order, reason))
        case .failure(.unreadable(let reason)):
            let trouble = ExportTrouble(.notYet, "\(path(of: order.picture.sticker)): \(reason)")
            try leaveOut(order.picture.sticker, reason, trouble, &missing)
        case .failure(.changed(let reason)):
            let failure = failure(of: order, reason)
            // Another program's changes may stay.
            if failure.mayRetry { throw ExportTrouble(.changing, reason) }
            missing.add(order.picture.sticker, failure)
        case .failure(.notYet(let reason)): throw ExportTrouble(.notYet, reason)
        case .failure(.stopped): throw .stopped
        }
        return nil
    }

    /// What is remembered of a picture that may succeed at another try.
    private func failure(of order: Order, _ reason: String) -> Failure {
        let failure = Failure(reason: reason, mayRetry: memory.mayRetry(afterFailureOf: order.own))
        if !failure.mayRetry { memory.remember(refusal: reason, of: order.own) }
        failed[order.own] = failure
        return failure
    }
}
