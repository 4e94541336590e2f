import LinuxIO
import Testing

@Suite("Waiting for a disk")
struct DiskWaitsTests {
    @Test("A long wait for a disk counts until it ends; a short one and an endless one do not")
    func lengths() {
        let waits = DiskWaits()
        let short = waits.begin()
        let endless = waits.begin(at: .now - DiskWaits.longest - .seconds(1))
        #expect(!waits.isWaiting)
        let long = waits.begin(at: .now - .seconds(120))
        #expect(waits.isWaiting)
        waits.end(long)
        #expect(!waits.isWaiting)
        waits.end(short)
        waits.end(endless)
        #expect(waits.during { waits.isWaiting } == false)
    }
}
