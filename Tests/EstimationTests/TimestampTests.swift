import Testing
import Estimation

@Suite("Instants")
struct TimestampTests {
  private let earliest = Timestamp(nanoseconds: .min)
  private let latest = Timestamp(nanoseconds: .max)
  private let epoch = Timestamp(nanoseconds: 0)

  @Test("differences are exact to the nanosecond, and held at the ends")
  func differences() {
    let later = Timestamp(nanoseconds: 1_741_593_600_000_000_001)
    #expect(later.nanoseconds(since: epoch) == 1_741_593_600_000_000_001)
    #expect(later.seconds(since: later.advanced(byNanoseconds: -1)) == 1e-9)
    #expect(latest.nanoseconds(since: earliest) == .max)
    #expect(earliest.nanoseconds(since: latest) == .min)
    #expect(latest.seconds(since: earliest) > 1.8e10)
    #expect(earliest < epoch && epoch < latest)
  }

  @Test("whole seconds are whole, so that a step of just the limit is within it")
  func wholeSeconds() {
    for seconds in (1...100_000) as ClosedRange<Int64> {
      let later = epoch.advanced(byNanoseconds: seconds * 1_000_000_000)
      guard later.seconds(since: epoch) == Double(seconds),
        epoch.seconds(since: later) == -Double(seconds)
      else {
        Issue.record("\(seconds) s are \(later.seconds(since: epoch))")
        return
      }
    }
  }

  @Test("steps go to the nearest nanosecond and stop at the ends")
  func steps() {
    #expect(epoch.advanced(bySeconds: 1.5).nanoseconds == 1_500_000_000)
    #expect(epoch.advanced(bySeconds: -0.4e-9).nanoseconds == 0)
    #expect(epoch.advanced(bySeconds: 1e300) == latest)
    #expect(epoch.advanced(bySeconds: -1e300) == earliest)
    #expect(latest.advanced(byNanoseconds: 1) == latest)
    #expect(earliest.advanced(byNanoseconds: -1) == earliest)
  }
}
