import Geodesy
import Testing
import Traces
import Tracking

/// What the decoder passes on unchanged, the engine's gate judges.
@Suite("From a receiver's log to the engine")
struct ReceiverToTrackerTests {
  /// The results of validation for a log.
  private func counts(_ text: String) -> GateCounts {
    var tracker = Tracker(rules: Rules())
    var events: [Event] = []
    for point in decodeReceiver(text).points { tracker.ingest(point.fix, into: &events) }
    return tracker.counts
  }

  private func tpv(_ time: String?, latitude: Double = 54.2, mode: Int = 3, status: Int? = nil)
    -> String
  {
    let when = time.map { #","time":"\#($0)""# } ?? ""
    let how = status.map { #","status":\#($0)"# } ?? ""
    return #"{"class":"TPV","device":"/dev/a","mode":\#(mode)\#(how)\#(when),"lat":\#(latitude),"#
      + #""lon":7.4,"eph":10}"# + "\n"
  }

  private func noon(_ second: Int) -> String { "2026-11-22T12:00:\(10 + second).000Z" }

  @Test("positions without time at the start are counted as timeless")
  func timeless() {
    let counts = counts(tpv(nil) + tpv(nil) + tpv(noon(0)) + tpv(noon(1)))
    #expect(counts.accepted == 2 && counts[.timeless] == 2)
  }

  @Test("fixes of a receiver without a position are counted")
  func withoutPosition() {
    let counts = counts(tpv(noon(0)) + tpv(noon(1), mode: 1) + tpv(noon(2), mode: 0))
    #expect(counts.accepted == 1 && counts[.withoutPosition] == 2)
  }

  @Test("small steps back in time are sorted, and repetitions are reported once")
  func stepBack() {
    let log = [0, 1, 2, 3, 1, 2, 4].map { tpv(noon($0), latitude: 54.2 + 1e-5 * Double($0)) }
    let counts = counts(log.joined())
    #expect(counts.accepted == 5 && counts.received == 7)
  }

  @Test("a receiver whose week rolled over is believed when the next fix confirms it")
  func weekRollover() {
    // 1024 weeks before.
    let old = (0..<3).map { tpv("2007-04-08T12:00:1\($0).000Z") }.joined()
    let counts = counts(tpv(noon(0)) + tpv(noon(1)) + old)
    #expect(counts.believedClockJumps == 1 && counts.accepted == 5)
    let once = self.counts(tpv(noon(0)) + tpv("2007-04-08T12:00:10.000Z") + tpv(noon(2)))
    #expect(once[.clockJump] == 1 && once.accepted == 2)
  }

  @Test("dead reckoning is a position like any other")
  func deadReckoning() {
    #expect(counts(tpv(noon(0), status: 5) + tpv(noon(1), status: 6)).accepted == 2)
  }

  @Test("a position jump waits for the next fix; positions not on Earth are dropped")
  func leaps() {
    let counts = counts(
      tpv(noon(0)) + tpv(noon(1), latitude: 60) + tpv(noon(2)) + tpv(noon(3), latitude: 91.5))
    #expect(counts[.teleport] == 1 && counts[.invalid] == 1 && counts.accepted == 2)
  }
}
