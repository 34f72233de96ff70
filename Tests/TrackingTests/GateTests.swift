import TestSupport
import Geodesy
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("The gate: one rule for each defect")
struct GateTests {
  /// Runs fixes and gives the counts and which of them were dropped, and why.
  private func run(_ fixes: [Fix]) -> (counts: GateCounts, defects: [Defect?]) {
    var tracker = Tracker(rules: Rules())
    var events: [Event] = []
    let defects = fixes.map { fix in
      tracker.ingest(fix, into: &events)
      return tracker.lastDefect
    }
    let counts = tracker.counts
    #expect(counts.received == counts.accepted + counts.dropped + counts.waiting)
    return (counts, defects)
  }

  private func fix(_ seconds: Double, _ latitude: Double = 50, _ longitude: Double = 8) -> Fix {
    Fix(
      time: StripChart.start.advanced(bySeconds: seconds),
      coordinate: Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test("a fix without time is dropped")
  func timeless() {
    let lost = Fix(time: nil, coordinate: Coordinate(latitude: 50, longitude: 8))
    #expect(run([fix(0), lost, fix(1)]).defects == [nil, .timeless, nil])
  }

  @Test("a fix whose receiver had no position is dropped")
  func withoutPosition() {
    var lost = fix(1)
    lost.mode = .none
    #expect(run([fix(0), lost]).defects == [nil, .withoutPosition])
  }

  @Test(
    "impossible coordinates are dropped",
    arguments: [
      (Double.nan, 8.0), (50, .nan), (90.000_001, 8), (-91, 8), (50, 180.1), (50, -181),
      (.infinity, 8), (50, -.infinity),
    ])
  func invalid(latitude: Double, longitude: Double) {
    #expect(run([fix(0), fix(1, latitude, longitude), fix(2)]).defects == [nil, .invalid, nil])
  }

  @Test("poles and the antimeridian are possible")
  func edges() {
    for (latitude, longitude) in [(90.0, 0.0), (-90, 0), (0, 180), (0, -180)] {
      #expect(run([fix(0, latitude, longitude)]).counts.accepted == 1)
    }
  }

  @Test("the first fix of an instant speaks for it")
  func sameInstant() {
    let (counts, defects) = run([fix(0), fix(0), fix(0, 50.001), fix(1)])
    #expect(defects == [nil, .duplicate, .sameTime, nil])
    #expect(counts[.duplicate] == 1 && counts[.sameTime] == 1 && counts.accepted == 2)
  }

  @Test("a fix that comes late by little is put in its place, one later than that is dropped")
  func outOfOrder() {
    let (counts, defects) = run([fix(0), fix(100), fix(40), fix(39.999), fix(101)])
    #expect(defects == [nil, nil, nil, .outOfOrder, nil])
    #expect(counts.reordered == 1 && counts[.outOfOrder] == 1 && counts.accepted == 4)
  }

  @Test("how late is too late is a rule")
  func lateness() {
    var rules = Rules()
    rules.gate.lateness = 0
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for seconds in [0.0, 10, 9] { tracker.ingest(fix(seconds), into: &events) }
    #expect(tracker.counts[.outOfOrder] == 1 && tracker.counts.reordered == 0)
  }

  @Test("a late fix of a time that is known is a duplicate, or one too many of its instant")
  func lateDuplicate() {
    let (counts, defects) = run([fix(0), fix(5), fix(10), fix(5), fix(5, 50.000_1), fix(0)])
    #expect(defects == [nil, nil, nil, .duplicate, .sameTime, .duplicate])
    #expect(counts.reordered == 0 && counts.accepted == 3)
  }

  @Test("a late fix is put in its place on either side of a teleport")
  func lateAroundTeleport() {
    let fixes = [fix(0), fix(10, 51), fix(11, 51), fix(9), fix(10.5, 51), fix(12, 51)]
    let (counts, defects) = run(fixes)
    #expect(defects.allSatisfy { $0 == nil })
    #expect(counts.believedTeleports == 1 && counts.reordered == 2)
  }

  @Test("a late fix from before a new clock is not put into what came after it")
  func lateBeforeClock() {
    let fixes = [fix(0), fix(-90_000), fix(-89_990), fix(-90_001), fix(-89_995), fix(-89_980)]
    let (counts, defects) = run(fixes)
    #expect(defects == [nil, nil, nil, .outOfOrder, nil, nil])
    #expect(counts.believedClockJumps == 1 && counts.reordered == 1)
  }

  @Test("a late fix is counted while another waits")
  func lateWhileWaiting() {
    let (counts, defects) = run([fix(0), fix(10), fix(11, 51), fix(5), fix(12, 51)])
    #expect(defects == [nil, nil, nil, nil, nil])
    #expect(counts.reordered == 1 && counts.believedTeleports == 1 && counts.accepted == 5)
  }

  @Test("a lone position jump is dropped when the next fix comes")
  func loneTeleport() {
    let (counts, _) = run([fix(0), fix(1, 51), fix(2), fix(3)])
    #expect(counts[.teleport] == 1 && counts.accepted == 3 && counts.waiting == 0)
    #expect(counts.believedTeleports == 0)
  }

  @Test("a position jump that the next fix confirms is believed, both fixes of it")
  func confirmedTeleport() {
    let (counts, _) = run([fix(0), fix(1, 51), fix(2, 51), fix(3, 51)])
    #expect(counts.accepted == 4 && counts.believedTeleports == 1 && counts.dropped == 0)
  }

  @Test("leaps to ever new places leave only the last one waiting")
  func restlessTeleports() {
    let (counts, _) = run([fix(0), fix(1, 51), fix(2, 52), fix(3, 53)])
    #expect(counts.accepted == 1 && counts[.teleport] == 2 && counts.waiting == 1)
  }

  @Test("a wrong first fix is overruled by the two that follow")
  func wrongFirstFix() {
    let (counts, _) = run([fix(0, 1, 1), fix(1), fix(2), fix(3)])
    #expect(counts.accepted == 4 && counts.believedTeleports == 1)
  }

  @Test("an airliner is no teleport, nor is the noise of ten fixes a second")
  func plausible() {
    #expect(run([fix(0), fix(10, 50.03)]).counts.accepted == 2)
    #expect(run([fix(0), fix(0.1, 50.000_8)]).counts.accepted == 2)
  }

  @Test("a lone clock jump is dropped, either way", arguments: [630_720_000.0, -90_000])
  func loneClockJump(seconds: Double) {
    let (counts, _) = run([fix(0), fix(seconds), fix(2), fix(3)])
    #expect(counts[.clockJump] == 1 && counts.accepted == 3)
  }

  @Test(
    "a confirmed clock jump is believed, either way", arguments: [630_720_000.0, -90_000])
  func confirmedClockJump(seconds: Double) {
    let (counts, _) = run([fix(0), fix(1), fix(seconds), fix(seconds + 1), fix(seconds + 2)])
    #expect(counts.accepted == 5 && counts.believedClockJumps == 1 && counts.dropped == 0)
  }

  @Test(
    "ten fixes in a row confirm a clock that was set back, by however little; nine are dropped",
    arguments: [-70.5, -3_600, -10_800, -86_399])
  func confirmedRetreat(step: Double) {
    let late = (0..<12).map { fix(100 + step + Double($0)) }
    let (counts, defects) = run((0...100).map { fix(Double($0)) } + late)
    #expect(defects[101..<110].allSatisfy { $0 == .outOfOrder })
    #expect(defects[110...].allSatisfy { $0 == nil })
    #expect(counts.believedClockJumps == 1 && counts[.outOfOrder] == 9)
  }

  @Test("a clock that was an hour ahead for a while, and comes back, is believed both ways")
  func aheadAndBack() {
    let fixes = (0..<20).map { fix(Double($0)) } + (20..<40).map { fix(3_600 + Double($0)) }
    let (counts, defects) = run(fixes + (40..<60).map { fix(Double($0)) })
    #expect(defects.enumerated().filter { $0.element != nil }.map(\.offset) == Array(40..<49))
    #expect(counts.believedClockJumps == 1)
  }

  @Test("late fixes between others, far from each other, backwards, or repeated confirm nothing")
  func noRetreat() {
    let first = (0...100).map { fix(Double($0)) }
    let alternating = (0..<30).flatMap { [fix(Double($0) - 7_200), fix(Double($0) + 101)] }
    #expect(run(first + alternating).counts.believedClockJumps == 0)
    let scattered = (0..<30).map { fix(Double($0) - 7_200, $0 % 2 == 0 ? 50 : 51) }
    #expect(run(first + scattered).counts.believedClockJumps == 0)
    let backwards = (0..<30).map { fix(-7_200 - Double($0)) }
    #expect(run(first + backwards).counts.believedClockJumps == 0)
    let repeated = (81...100).map { fix(Double($0)) }
    let (counts, _) = run(first + repeated)
    #expect(counts.believedClockJumps == 0 && counts[.duplicate] == 20)
  }

  @Test(
    "a batch that is sent again is no clock that was set back: its events are reported once",
    arguments: [40, 100, 1_000], [false, true])
  func sentAgain(count: Int, isPacked: Bool) throws {
    // To and fro through the strip, so that the batch has crossings.
    let track = (0..<1_500).map { tick in
      StripChart.fix(abs(Double(tick % 240) - 120) * 4 - 240, ticks: Double(tick) / 10)
    }
    func play(_ fixes: [Fix]) throws -> (events: [Event], counts: GateCounts) {
      var tracker = Tracker(rules: try StripChart().rules())
      var events: [Event] = []
      for (number, fix) in fixes.enumerated() {
        tracker.ingest(fix, into: &events)
        guard isPacked, number % 50 == 0 else { continue }
        var packer = Packer()
        tracker.pack(into: &packer, keepsHistory: true)
        try Array(packer.bytes).withUnsafeBytes {
          var unpacker = Unpacker($0)
          try tracker.unpack(from: &unpacker)
        }
      }
      return (events, tracker.counts)
    }
    let again = Array(track[..<1_200]) + track[(1_200 - count)..<1_200] + track[1_200...]
    let (expected, got) = (try play(track), try play(again))
    #expect(expected.events.count > 10)
    #expect(got.events == expected.events)
    #expect(got.counts.believedClockJumps == 0)
    #expect(got.counts.accepted == track.count)
    #expect(got.counts[.duplicate] + got.counts[.outOfOrder] == count)
  }

  @Test(
    "a batch with positions of the mobile network among others is known when it comes again",
    arguments: [2, 3, 4])
  func coarseSentAgain(share: Int) {
    // Two hours: the first coarse ones are old when they come again.
    let track = (0..<60).map { number in
      var fix = fix(Double(number) * 120)
      fix.horizontalAccuracy = number % share == share - 1 ? 900 : 10
      return fix
    }
    let (counts, _) = run(track + track)
    #expect(counts.believedClockJumps == 0)
    #expect(counts.accepted == track.count { $0.horizontalAccuracy == 10 })
  }

  @Test("a late fix with the hash of another one is put in order")
  func sameHash() throws {
    var tracker = Tracker(rules: try StripChart().rules())
    var events: [Event] = []
    for tick in 0..<1_100 { tracker.ingest(fix(Double(tick)), into: &events) }
    let seen = tracker.gate.seen
    let late = try #require(
      (1..<100_000).lazy.map { self.fix(1_090 + Double($0) * 1e-5) }.first(where: seen.holds))
    tracker.ingest(late, into: &events)
    #expect(tracker.lastDefect == nil && tracker.counts.reordered == 1)
  }

  @Test("fences, visits and hindsight go on after a clock that was set back")
  func eventsAfterRetreat() throws {
    var tracker = Tracker(rules: try StripChart().rules())
    var events: [Event] = []
    for tick in 0..<30 { tracker.ingest(StripChart.fix(0, ticks: Double(tick)), into: &events) }
    for tick in 0..<30 {
      tracker.ingest(StripChart.fix(0, ticks: Double(tick) - 5_000), into: &events)
    }
    tracker.ingest(StripChart.fix(150, ticks: -4_970), into: &events)
    #expect(tracker.counts.believedClockJumps == 1)
    #expect(events.map(\.letter) == ["s", "x"])
  }

  @Test("a lone jump back is not confirmed by a fix after a silence")
  func leapBackBeforeSilence() {
    let (counts, _) = run([fix(0), fix(60), fix(-90_000), fix(90_000), fix(90_060)])
    #expect(counts[.clockJump] == 1 && counts.accepted == 4 && counts.believedClockJumps == 0)
  }

  @Test(
    "after a long silence one date that is too late is dropped alone", arguments: [40.0, 18_000])
  func aheadAfterSilence(ahead: Double) {
    let start = 2 * 86_400.0
    let later = (0..<30).map { fix(start + Double($0)) }
    let (counts, defects) = run([fix(0), fix(1), fix(start - 1 + ahead)] + later)
    #expect(counts[.clockJump] == 1 && counts.dropped == 1 && counts.accepted == 32)
    #expect(defects.suffix(29) == Array(repeating: nil, count: 29))
  }

  @Test("after a long silence two fixes in the wrong order cost one of them")
  func disorderAfterSilence() {
    let start = 2 * 86_400.0
    let (counts, _) = run([
      fix(0), fix(1), fix(start + 5), fix(start), fix(start + 10), fix(start + 15),
    ])
    #expect(counts.accepted == 5 && counts.dropped == 1)
  }

  @Test("a confirmed silence of days is not a clock jump, and its stay counts in full")
  func longSilence() throws {
    var rules = try StripChart().rules()
    rules.memory = 1e6
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for tick in [0.0, 1, 30_000, 30_001] {
      tracker.ingest(StripChart.fix(0, ticks: tick), into: &events)
    }
    tracker.ingest(StripChart.fix(150, ticks: 30_002), into: &events)
    #expect(tracker.counts.believedClockJumps == 0 && tracker.counts.accepted == 5)
    #expect(events.map(\.letter) == ["s", "x"])
    guard case .exit(_, _, let inside) = try #require(events.last).statement else { return }
    #expect(abs(inside - 300_016.7) < 0.1)
  }

  @Test("a fix that waits is neither repeated nor overtaken into belief")
  func waitingIsNotConfirmedByItself() {
    let (counts, defects) = run([fix(0), fix(1, 51), fix(1, 51), fix(0.5, 51), fix(2)])
    #expect(defects == [nil, nil, .duplicate, .outOfOrder, nil])
    #expect(counts[.teleport] == 1)
  }

  @Test("fields that cannot be true are left out of a fix, which stays")
  func impossibleFields() {
    var odd = fix(0)
    odd.horizontalAccuracy = 0
    odd.speed = -1
    odd.course = 360
    odd.altitude = .infinity
    let wasOdd = odd.removeImpossibleFields()
    #expect(wasOdd)
    #expect(odd.horizontalAccuracy == nil && odd.speed == nil)
    #expect(odd.course == nil && odd.altitude == nil)
    var fine = fix(0)
    fine.horizontalAccuracy = 3
    fine.speed = 0
    fine.course = 359.9
    fine.altitude = -12
    let before = fine
    let wasFine = !fine.removeImpossibleFields()
    #expect(wasFine)
    #expect(fine == before)
    var counted = odd
    counted.speed = -1
    #expect(run([counted]).counts.cleaned == 1)
    // Farther than the other side of the Earth, faster than light.
    (odd.horizontalAccuracy, odd.speed) = (1e300, 3e8)
    let wasTooLarge = odd.removeImpossibleFields()
    #expect(wasTooLarge && odd.horizontalAccuracy == nil && odd.speed == nil)
  }

  @Test("times at the ends of their range do not trap")
  func extremeTimes() {
    let place = Coordinate(latitude: 1, longitude: 1)
    let ends = [Int64.max, .min, 0, .max, .min + 1, .max - 1].map {
      Fix(time: Timestamp(nanoseconds: $0), coordinate: place)
    }
    #expect(run(ends).counts.received == 6)
  }

  @Test(
    "nor do they with everything on, whatever the lengths in the rules",
    arguments: Decision.allCases, [0.0, 1, 1e18, .infinity])
  func extremeTimesEverywhere(decision: Decision, length: Double) throws {
    var fence = Ground().circle("a", radius: 500, decision: decision)
    (fence.dwell, fence.notifications) = (.max, [.enter, .exit, .dwell])
    var rules = Rules(fences: try FenceSet([fence]))
    rules.significantChanges = SignificantChangeRules()
    (rules.dwellPatience, rules.memory, rules.passageGap) = (length, length, length)
    (rules.gate.lateness, rules.gate.silence) = (length, length)
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    let times: [Int64] = [
      .max, .max - 1, .min, .min + 1, .min + 1_000_000_000, 0, 1, 1_000_000_000, .max - 5, .max,
      .max - 2, 5, 6, -9_000_000_000_000_000_000, -8_999_999_999_000_000_000,
    ]
    for (index, time) in times.enumerated() {
      var fix = Ground().fix(0, Double(index % 5) * 400)
      fix.time = Timestamp(nanoseconds: time)
      tracker.ingest(fix, into: &events)
      if let due = tracker.nextDeadline { tracker.advance(to: due, into: &events) }
      tracker.advance(to: Timestamp(nanoseconds: .min), into: &events)
    }
    let counts = tracker.counts
    #expect(counts.received == counts.accepted + counts.dropped + counts.waiting)
    #expect(events.allSatisfy { $0.coordinate.isValid })
  }

  @Test("a stay is as long as it was before the clock leapt", arguments: [-9_000.0, 70_000_000])
  func clockLeapsInside(leap: Double) throws {
    var tracker = Tracker(rules: try StripChart().rules())
    var events: [Event] = []
    for tick in [0.0, 1, leap, leap + 1, leap + 2] {
      tracker.ingest(StripChart.fix(0, ticks: tick), into: &events)
    }
    tracker.ingest(StripChart.fix(150, ticks: leap + 3), into: &events)
    #expect(tracker.counts.believedClockJumps == 1)
    #expect(events.map(\.letter) == ["s", "x"])
    guard case .exit(_, _, let inside) = try #require(events.last).statement else { return }
    #expect(abs(inside - 36.7) < 0.1, "10 s before the leap, 26.7 s after it")
  }
}
