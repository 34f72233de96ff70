import Geodesy
@testable import Playing
import Testing
import Tracking

@Suite("Statistics of a trace")
struct TraceStatisticsTests {
  /// A fix on the equator, where a thousandth of a degree of longitude is 111.319490793 m.
  private func fix(_ seconds: Double?, _ thousandths: Double) -> Fix {
    let start = Timestamp(nanoseconds: 1_741_593_600_000_000_000)
    return Fix(
      time: seconds.map { start.advanced(bySeconds: $0) },
      coordinate: Coordinate(latitude: 0, longitude: 1 + thousandths / 1_000))
  }

  private func statistics(_ fixes: [(Double?, Double)]) -> TraceStatistics {
    var statistics = TraceStatistics()
    let device = statistics.number(of: "a")
    for (line, (seconds, thousandths)) in fixes.enumerated() {
      statistics.add(fix(seconds, thousandths), of: device, line: line + 1)
    }
    return statistics
  }

  @Test("adds lengths and the time of steps faster than half a metre a second")
  func length() {
    // 111 m in 60 s, 56 m in 60 s, 22 m in 60 s (0.37 m/s), nothing in 60 s.
    let statistics = statistics([(0, 0), (60, 1), (120, 1.5), (180, 1.7), (240, 1.7)])
    #expect(statistics.points == 5)
    #expect(abs(statistics.steps.length - 1.7 * 111.319490793) < 1e-6)
    #expect(abs(statistics.steps.movingTime - 120) < 1e-9)
    #expect(statistics.medianInterval == 60)
    #expect(statistics.steps.gaps == 0)
    #expect(statistics.last?.time == fix(240, 0).time)
  }

  @Test("counts silences longer than a gap, and the longest of them")
  func gaps() {
    let length = StepTotals.shortestGap
    let statistics = statistics([(0, 0), (length, 0), (2 * length + 1, 0), (3 * length + 11, 0)])
    #expect(statistics.steps.gaps == 2)
    #expect(statistics.steps.longestGap == length + 10)
  }

  @Test("a gap adds nothing to the length and the moving time")
  func acrossGap() {
    // Silent for ten minutes and a kilometre.
    let statistics = statistics([(0, 0), (60, 1), (660, 10), (720, 11)])
    #expect(statistics.steps.gaps == 1)
    #expect(abs(statistics.steps.length - 2 * 111.319490793) < 1e-6)
    #expect(abs(statistics.steps.movingTime - 120) < 1e-9)
  }

  @Test("a silence that is usual for the device is no gap")
  func rhythm() {
    // Every hour; five hours are no gap, six are one.
    let hours = [0.0, 1, 2, 3, 4, 5, 10, 11, 12, 18]
    let statistics = statistics(hours.map { ($0 * 3_600, 100 * $0) })
    #expect(statistics.steps.gapLimit == 18_000.0)
    #expect(statistics.steps.gaps == 1)
    #expect(statistics.steps.longestGap == 6 * 3_600)
    #expect(abs(statistics.steps.length - 1_200 * 111.319490793) < 1e-5)
  }

  @Test("what is a gap follows from each device's own steps")
  func rhythms() {
    var statistics = TraceStatistics()
    let (fast, slow) = (statistics.number(of: "fast"), statistics.number(of: "slow"))
    for hour in 0..<6 {
      let seconds = Double(hour) * 3_600
      for second in 0..<10 {
        statistics.add(fix(seconds + Double(second), 0), of: fast, line: 1)
      }
      statistics.add(fix(seconds, 100 * Double(hour)), of: slow, line: 1)
    }
    #expect(statistics.steps.gaps == 5)
    #expect(statistics.steps.gapLimit == nil)
    #expect(abs(statistics.steps.length - 500 * 111.319490793) < 1e-5)
  }

  @Test("nothing joins the fixes of two segments")
  func acrossSegments() {
    var statistics = TraceStatistics()
    let device = statistics.number(of: "a")
    for step in 0..<4 {
      if step % 2 == 0 { statistics.beginSegment() }
      statistics.add(fix(60 * Double(step), 2 * Double(step)), of: device, line: 1)
    }
    #expect(abs(statistics.steps.length - 4 * 111.319490793) < 1e-6)
    #expect(abs(statistics.steps.movingTime - 120) < 1e-9)
    #expect(statistics.medianInterval == 60)
  }

  @Test("nothing joins the fixes before a position jump and after it, nor those of two clocks")
  func acrossJumps() {
    let year = 31_536_000.0
    let statistics = statistics([
      (0, 0), (60, 1), (120, 50_000), (180, 50_001), (240, 50_002), (240 - year, 50_003),
      (300 - year, 50_004),
    ])
    #expect(statistics.counts.accepted == 7)
    #expect(statistics.counts.believedTeleports == 1)
    #expect(statistics.counts.believedClockJumps == 1)
    #expect(abs(statistics.steps.length - 4 * 111.319490793) < 1e-5)
    #expect(abs(statistics.steps.movingTime - 240) < 1e-9)
  }

  @Test("both fixes count when the second confirms the first after a long silence")
  func confirmed() {
    let day = 86_400.0
    let statistics = statistics([(0, 0), (60, 1), (3 * day, 50), (3 * day + 60, 51)])
    #expect(statistics.counts.accepted == 4)
    #expect(statistics.steps.gaps == 1)
    #expect(statistics.steps.longestGap == 3 * day - 60)
    #expect(abs(statistics.steps.length - 2 * 111.319490793) < 1e-6)
  }

  @Test("knows the line of the first fix that was dropped for a reason")
  func firstLines() {
    let statistics = statistics([(0, 0), (nil, 1), (60, 1), (nil, 1), (60, 1)])
    #expect(statistics.firstDefects == [.timeless: 2, .duplicate: 5])
  }

  @Test("the start and the end are the first and the last by time")
  func ends() {
    let statistics = statistics([(30, 5), (0, 1), (60, 2)])
    #expect(statistics.first?.coordinate == fix(0, 1).coordinate)
    #expect(statistics.last?.coordinate == fix(0, 2).coordinate)
  }

  @Test(
    "has the median step, the lower of two, above an hour in whole minutes",
    arguments: [
      ([0], nil), ([0, 10], 10), ([0, 10, 30], 10), ([0, 10, 30, 50], 20), ([0, 0.4, 0.8], 0),
      ([0, 3_600], 3_600), ([0, 3_602], 3_600), ([0, 4_840], 4_860),
      ([0, 1, 5_000, 10_000], 4_980), ([0, 80_000], 79_980),
    ] as [([Double], Int?)])
  func median(seconds: [Double], expected: Int?) {
    #expect(statistics(seconds.map { ($0, 0) }).medianInterval == expected)
  }

  @Test("ignores fixes that the engine would drop, except in the number of points")
  func dropped() {
    let statistics = statistics([(0, 0), (60, 1), (nil, 5), (-30, 9), (90, 500_000), (120, 2)])
    #expect(statistics.points == 6)
    #expect(abs(statistics.steps.length - 2 * 111.319490793) < 1e-6)
    #expect(statistics.box == Box(south: 0, west: 1, north: 0, east: 1.002))
    #expect(statistics.counts.accepted == 3)
    #expect(statistics.counts.dropped == 3)
  }

  @Test("a slightly late fix is a step of the way, in the order of time")
  func late() {
    let statistics = statistics([(0, 0), (60, 1), (30, 9), (120, 2)])
    #expect(statistics.counts.accepted == 4)
    #expect(abs(statistics.steps.length - 18 * 111.319490793) < 1e-3)
    #expect(statistics.box == Box(south: 0, west: 1, north: 0, east: 1.009))
    #expect(statistics.medianInterval == 30)
  }

  @Test("a first fix that is ahead of those after it ends their way")
  func lateAfterFirst() {
    let statistics = statistics([(40, 4), (0, 0), (10, 1), (20, 2), (30, 3)])
    #expect(statistics.counts.reordered == 4)
    #expect(abs(statistics.steps.length - 4 * 111.319490793) < 1e-6)
    #expect(abs(statistics.steps.movingTime - 40) < 1e-9)
    #expect(statistics.medianInterval == 10)
  }

  @Test("a late fix where the device cannot have been is no step")
  func lateJump() {
    let statistics = statistics([(0, 0), (60, 1), (30, 9_000), (120, 2)])
    #expect(statistics.counts.reordered == 1)
    #expect(abs(statistics.steps.length - 2 * 111.319490793) < 1e-6)
    #expect(statistics.medianInterval == 60)
  }

  @Test("a late fix from before a position jump is a step of the way there")
  func lateBeforeJump() {
    let statistics = statistics([
      (0, 0), (10, 0.1), (20, 0.2), (30, 0.3), (40, 5_000), (50, 5_000), (15, 0.15),
    ])
    #expect(statistics.counts.accepted == 7)
    #expect(statistics.counts.believedTeleports == 1)
    #expect(abs(statistics.steps.length - 0.3 * 111.319490793) < 1e-6)
  }

  @Test("late fixes change nothing, wherever they come in a long way")
  func lateInLongWay() {
    var fixes: [(Double?, Double)] = (0..<500).map { (Double($0), Double($0) / 10) }
    let ordered = statistics(fixes)
    for place in stride(from: 0, to: 490, by: 7) { fixes.swapAt(place, place + 5) }
    let disordered = statistics(fixes)
    #expect(disordered.counts.reordered == 350 && disordered.counts.dropped == 0)
    #expect(abs(disordered.steps.length - ordered.steps.length) < 1e-6)
    #expect(abs(disordered.steps.movingTime - ordered.steps.movingTime) < 1e-6)
    #expect(disordered.medianInterval == 1)
  }

  @Test("however many fixes are late, a device keeps the last ones alone")
  func manyLate() throws {
    var (way, intervals) = (DeviceWay(), StepIntervals())
    let ahead = fix(600, 60)
    let end = try #require(ahead.time)
    way.move(to: ahead.coordinate, at: end, in: 0, counting: &intervals)
    for second in 0..<500 {
      let late = fix(Double(second), Double(second) / 10)
      let time = try #require(late.time)
      way.insert(late.coordinate, at: time, in: 0, limits: GateLimits(), counting: &intervals)
    }
    var open = StepIntervals()
    way.countOpen(into: &open)
    #expect(open.count <= MotionModel.recentCount + 8)
    #expect(open.count + intervals.count == 500)
    #expect(abs(way.steps.totals.length - 60 * 111.319490793) < 1e-5)
  }

  @Test("a late fix of another segment is not joined to the way that it comes into")
  func lateOfAnotherSegment() throws {
    var (way, intervals) = (DeviceWay(), StepIntervals())
    for second in [0.0, 20, 40, 60] {
      let fix = fix(second, 0)
      way.move(
        to: fix.coordinate, at: try #require(fix.time), in: 0, counting: &intervals)
    }
    let late = fix(55, 0.1)
    way.insert(
      late.coordinate, at: try #require(late.time), in: 1, limits: GateLimits(),
      counting: &intervals)
    #expect(way.steps.totals.length == 0)
  }

  @Test("shows the box of a planned route that has no times")
  func withoutTimes() {
    let statistics = statistics([(nil, 3), (nil, -4), (nil, 500_000)])
    #expect(statistics.box == Box(south: 0, west: 0.996, north: 0, east: 1.003))
    #expect(statistics.first == nil)
    #expect(statistics.medianInterval == nil)
  }

  @Test("follows each device separately")
  func devices() {
    var statistics = TraceStatistics()
    let (a, b) = (statistics.number(of: "a"), statistics.number(of: "b"))
    #expect(statistics.number(of: "a") == a)
    for step in 0..<3 {
      statistics.add(fix(Double(step) * 60, Double(step)), of: a, line: 1)
      statistics.add(fix(Double(step) * 60 + 1, 100 + Double(step)), of: b, line: 1)
    }
    #expect(statistics.devices == ["a", "b"])
    #expect(abs(statistics.steps.length - 4 * 111.319490793) < 1e-6)
    #expect(statistics.medianInterval == 60)
    #expect(abs(statistics.steps.movingTime - 240) < 1e-9)
  }

  @Test("counts the known values of fixes")
  func known() {
    var statistics = TraceStatistics()
    let device = statistics.number(of: "a")
    for index in 0..<4 {
      var fix = fix(Double(index), 0)
      fix.horizontalAccuracy = index < 3 ? 5 : nil
      fix.speed = index < 2 ? 0 : nil
      fix.altitude = index < 1 ? -1 : nil
      statistics.add(fix, of: device, line: 1)
    }
    #expect([statistics.withAccuracy, statistics.withSpeed, statistics.withAltitude] == [3, 2, 1])
  }
}
