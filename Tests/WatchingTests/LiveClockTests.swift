@testable import GPSD
import Receivers
@testable import Session
import TestSupport
import Testing
import Tracking

@Suite("Time on a live stream")
struct LiveClockTests {
  private let start = ContinuousClock.now
  private let time = Timestamp(nanoseconds: 1_741_593_600_000_000_000)

  @Test("continues from the last report, and deadlines are due two seconds late")
  func clock() {
    var clock = LiveClock()
    #expect(clock.time(at: start) == nil && clock.due(time) == nil)
    clock.hear(time, at: start)
    #expect(clock.time(at: start + .seconds(5)) == time.advanced(bySeconds: 5))
    #expect(clock.due(time.advanced(bySeconds: 10)) == start + .seconds(12))
    clock.hear(time.advanced(bySeconds: 7), at: start + .seconds(8))
    #expect(clock.due(time.advanced(bySeconds: 10)) == start + .seconds(13))
  }

  @Test("advances by the clock without gpsd, and with gpsd only after its answer")
  func check() {
    var options = LinkOptions()
    options.answerTimeout = .seconds(5)
    var check = DeadlineCheck(options)
    #expect(check.step(due: nil, at: start) == .wait)
    #expect(check.step(due: start + .seconds(1), at: start) == .wait)
    #expect(check.step(due: start, at: start) == .advance)
    check.take(.connected(GPSDVersion(release: "3.22", major: 3, minor: 14)))
    #expect(check.step(due: start, at: start) == .query)
    // Not asked again until it had time to answer.
    #expect(check.step(due: start, at: start + .seconds(4)) == .wait)
    #expect(check.deadline(start) == start + .seconds(5))
    #expect(check.step(due: start, at: start + .seconds(5)) == .query)
    check.takeAnswer()
    #expect(check.deadline(start) == start)
    #expect(check.step(due: start, at: start + .seconds(6)) == .query)
    check.take(.lost(.closed, retry: nil))
    #expect(check.step(due: start, at: start + .seconds(6)) == .advance)
  }
}
