@testable import Session
import Testing
import Tracking

@Test("a speed near standstill waits long and does not trap", arguments: [1e-300, 1e-20, 1e-307])
func slowestPace(speed: Double) throws {
  let wall = ContinuousClock.now
  var pace = Pacer(speed: speed, now: { wall }, sleep: { _ in })
  let start = Timestamp(nanoseconds: 0)
  #expect(pace.delay(until: start) == nil)
  let delay = pace.delay(until: start.advanced(bySeconds: 1))
  #expect(try #require(delay) >= .seconds(1_000_000))
  #expect(pace.delay(until: start.advanced(bySeconds: -1)) == nil)
}
