import System
import Testing

@Suite("Back-off that counts events")
struct EventBackOffTests {
  @Test("each failure in a row skips twice as many events, up to 64")
  func backOff() {
    var backOff = EventBackOff()
    func skipped() -> Int {
      var count = 0
      while !backOff.attempts() { count += 1 }
      return count
    }
    #expect(skipped() == 0)
    var counts: [Int] = []
    for _ in 0..<8 {
      backOff.ended(well: false)
      counts.append(skipped())
    }
    #expect(counts == [1, 2, 4, 8, 16, 32, 64, 64])
    backOff.ended(well: true)
    #expect(skipped() == 0)
    backOff.ended(well: false)
    #expect(backOff.eventsToSkip == 1)
  }
}
