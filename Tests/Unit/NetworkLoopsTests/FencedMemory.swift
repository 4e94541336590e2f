import Glibc
import Testing

/// Where a buffer touches memory that cannot be accessed.
enum Fence: CaseIterable {
    case before, behind
}

/// Buffers right behind or right before a page that can be neither read nor written: an access there kills the process.
/// On the other side, `elements` notices what was written. Buffers last until then.
@safe
final class FencedMemory {
    @safe
    private struct Mapping {
        /// The fences, and between them the buffer with filler on one side.
        let pages: UnsafeMutableRawBufferPointer
        let buffer: Range<Int>
    }

    private static let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    private static let filler: UInt8 = 0xA5
    private let fence: Fence
    private var mappings: [Mapping] = []

    init(_ fence: Fence) { self.fence = fence }

    deinit {
        for mapping in mappings { unsafe _ = munmap(mapping.pages.baseAddress, mapping.pages.count) }
    }

    func buffer<Element: BitwiseCopyable>(_ elements: [Element]) throws -> UnsafeMutablePointer<Element> {
        let size = elements.count * MemoryLayout<Element>.stride
        let inner = (size + Self.page - 1) / Self.page * Self.page
        let mapped = unsafe mmap(nil, inner + 2 * Self.page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let base = unsafe try #require(mapped != MAP_FAILED ? mapped : nil)
        let start = Self.page + (fence == .before ? 0 : inner - size)
        unsafe mappings.append(
            Mapping(
                pages: UnsafeMutableRawBufferPointer(start: base, count: inner + 2 * Self.page),
                buffer: start..<start + size))
        try #require(unsafe mprotect(base + Self.page, inner, PROT_READ | PROT_WRITE) == 0)
        unsafe memset(base + Self.page, Int32(Self.filler), inner)
        let buffer = unsafe (base + start).bindMemory(to: Element.self, capacity: elements.count)
        unsafe buffer.initialize(from: elements, count: elements.count)
        return unsafe buffer
    }

    func buffer<Element: BitwiseCopyable>(
        repeating element: Element, count: Int
    ) throws -> UnsafeMutablePointer<Element> {
        unsafe try buffer([Element](repeating: element, count: count))
    }

    /// Reads a buffer after the test, and expects that no byte outside the buffers was written.
    func elements<Element: BitwiseCopyable>(
        _ start: UnsafeMutablePointer<Element>, _ count: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) -> [Element] {
        for mapping in mappings {
            let outside = unsafe [
                mapping.pages[Self.page..<mapping.buffer.lowerBound],
                mapping.pages[mapping.buffer.upperBound..<mapping.pages.count - Self.page],
            ]
            let isUntouched = unsafe outside.allSatisfy { unsafe $0.allSatisfy { $0 == Self.filler } }
            #expect(isUntouched, "a byte outside a buffer was written", sourceLocation: sourceLocation)
        }
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }
}
