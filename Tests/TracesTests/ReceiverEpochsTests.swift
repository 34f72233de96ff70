import Geodesy
@testable import Receivers
import Testing
@testable import Traces
import Tracking

/// A receiver's reports, written in short, and what comes of them.
private struct Bench {
  var epochs = ReceiverEpochs()
  var batch = TraceBatch()
  private var line = 0

  /// A report at a second, of a mode; a full one knows speed, altitude and accuracy.
  mutating func report(
    _ second: Double?, mode: Int = 3, isFull: Bool = true, device: String = "/dev/gps0",
    latitude: Double = 50, _ change: (inout GPSDPosition) -> Void = { _ in }
  ) {
    line += 1
    var report = GPSDPosition()
    report.device = GPSDDeviceKey(path: device)
    report.mode = mode
    report.time = second.map { Timestamp(nanoseconds: Int64($0 * 1e9)) }
    if mode >= 2 { (report.latitude, report.longitude) = (latitude, 10) }
    if isFull, mode >= 2 {
      (report.speed, report.altitude, report.horizontalError) = (5, 100, 8)
    }
    change(&report)
    _ = epochs.take(report, line: line, into: &batch)
  }

  mutating func sky(
    hdop: Double = .nan, used: Int? = nil, device: String = "/dev/gps0"
  ) {
    line += 1
    var sky = GPSDSky()
    sky.device = GPSDDeviceKey(path: device)
    sky.hdop = hdop
    sky.satellitesUsed = used
    _ = epochs.take(sky, into: &batch)
  }

  /// The seconds of the fixes so far; `-` for a fix without time, `!` behind one without position.
  var given: String {
    batch.points.map { point in
      let second = point.fix.time.map { "\($0.nanoseconds / 1_000_000_000)" } ?? "-"
      return point.fix.mode == .none ? second + "!" : second
    }.joined(separator: " ")
  }

  var marks: [TraceMark] { batch.marks.map(\.mark) }
}

@Suite("Epochs of a receiver")
struct ReceiverEpochsTests {
  private var bench = Bench()

  @Test("a report with as much as the last instant is emitted at once")
  mutating func atOnce() {
    bench.report(1)
    #expect(bench.given == "1")
    bench.report(2)
    #expect(bench.given == "1 2")
    #expect(bench.marks.isEmpty)
  }

  @Test("a report with less than the last instant is held until its instant is complete")
  mutating func completed() throws {
    bench.report(1)
    bench.report(2, isFull: false)
    #expect(bench.given == "1")
    bench.report(2, isFull: false) { $0.speed = 7 }
    #expect(bench.given == "1")
    bench.report(2, isFull: false) { ($0.altitude, $0.horizontalError) = (90, 6) }
    #expect(bench.given == "1 2")
    let point = try #require(bench.batch.points.last)
    #expect(point.fix.speed == 7 && point.fix.altitude == 90 && point.line == 2)
    #expect(bench.marks.isEmpty)
  }

  @Test("a course is waited for, as gpsd may report each instant first without and then with it")
  mutating func course() {
    for second in 1...3 {
      bench.report(Double(second))
      bench.report(Double(second)) { $0.course = 90 }
    }
    // A receiver at rest reports none.
    for second in 4...6 { bench.report(Double(second)) { $0.speed = 0.1 } }
    bench.report(7) { $0.course = 91 }
    #expect(bench.given == "1 2 3 4 5 6 7")
    #expect(bench.batch.points.map(\.fix.course) == [nil, 90, 90, nil, nil, nil, 91])
  }

  @Test("a held fix is emitted at a report of another time, also of an earlier one")
  mutating func heldUntilNext() {
    bench.report(1)
    bench.report(2, isFull: false)
    bench.report(3, isFull: false) { $0.altitude = 1 }
    bench.report(-5, isFull: false)
    #expect(bench.given == "1 2 3")
    bench.epochs.finish(into: &bench.batch)
    #expect(bench.given == "1 2 3 -5")
  }

  @Test(
    "a held fix is emitted at a new connection, when its receiver is removed, and at the end, once")
  mutating func heldUntilEnd() {
    bench.report(1)
    bench.report(2, isFull: false)
    bench.epochs.beginConnection(into: &bench.batch)
    #expect(bench.given == "1 2")
    bench.report(3)
    bench.report(4, isFull: false)
    bench.epochs.remove(GPSDDeviceKey(path: "/dev/gps0"), into: &bench.batch)
    #expect(bench.given == "1 2 3 4")
    bench.epochs.finish(into: &bench.batch)
    bench.epochs.finish(into: &bench.batch)
    #expect(bench.given == "1 2 3 4")
  }

  @Test("a receiver that reports less from now on is held back once")
  mutating func learnsLess() {
    bench.report(1)
    for second in 2...5 { bench.report(Double(second), isFull: false) }
    #expect(bench.given == "1 2 3 4 5")
  }

  @Test("further reports of an emitted instant are counted and emit nothing")
  mutating func repeated() {
    bench.report(1, isFull: false)
    bench.report(1)
    bench.report(1, mode: 1)
    #expect(bench.given == "1")
    #expect(bench.marks == [.repeatedReport, .repeatedReport])
    // It is learned from all the same: the next one is awaited in full.
    bench.report(2, isFull: false)
    #expect(bench.given == "1")
  }

  @Test("a new connection starts over, as for a program that starts with it")
  mutating func newConnection() {
    bench.report(1)
    bench.report(2, isFull: false)
    bench.epochs.beginConnection(into: &bench.batch)
    var fresh = Bench()
    let first = bench.batch.points.count
    for second in [2.0, 3, 4] {
      bench.report(second, isFull: second > 3)
      fresh.report(second, isFull: second > 3)
    }
    // That of 2 s comes twice, and is for the gate.
    #expect(bench.given == "1 2 2 3 4")
    #expect(bench.batch.points[first...].map(\.fix) == fresh.batch.points.map(\.fix))
    #expect(bench.marks == fresh.marks)
  }

  @Test("a mode that flaps 3, 1, 1 is a position")
  mutating func flapping() {
    for second in 1...3 {
      bench.report(Double(second))
      bench.report(Double(second), mode: 1)
      bench.report(Double(second), mode: 1)
    }
    #expect(bench.given == "1 2 3")
    #expect(bench.marks.count == 6)
  }

  @Test("a held position is kept when the mode falls to 1 within its instant")
  mutating func flappingWhileHeld() {
    bench.report(1)
    bench.report(2, isFull: false)
    bench.report(2, mode: 1)
    bench.report(3)
    #expect(bench.given == "1 2 3" && bench.marks == [.repeatedReport])
  }

  @Test(
    "a missing position is reported once per instant; a position of the same instant follows it")
  mutating func withoutPosition() {
    bench.report(1, mode: 1)
    #expect(bench.given == "1!")
    #expect(bench.batch.points[0].fix.coordinate.isValid == false)
    bench.report(1, mode: 0)
    #expect(bench.given == "1!")
    bench.report(1, mode: 3)
    #expect(bench.given == "1! 1")
    bench.report(1, mode: 3)
    #expect(bench.given == "1! 1")
    #expect(bench.marks == [.repeatedReport, .repeatedReport])
  }

  @Test("after a loss of position, what an instant lacks is awaited as before it")
  mutating func regained() throws {
    bench.report(1)
    bench.report(2, mode: 1)
    bench.report(3, isFull: false)
    #expect(bench.given == "1 2!")
    bench.report(3)
    #expect(bench.given == "1 2! 3")
    #expect(try #require(bench.batch.points.last).fix.speed == 5)
  }

  @Test("a mode of 2 or 3 without coordinates is no position, and coordinates may follow")
  mutating func modeWithoutPlace() {
    bench.report(1) { $0.latitude = .nan }
    #expect(bench.given == "")
    bench.report(1)
    bench.report(2) { $0.longitude = .nan }
    bench.report(3)
    #expect(bench.given == "1 2! 3")
  }

  @Test("a report without time yields a fix without time and does not end an instant")
  mutating func timeless() {
    bench.report(1)
    bench.report(2, isFull: false)
    bench.report(nil)
    bench.report(nil, mode: 1)
    #expect(bench.given == "1 - -!")
    bench.report(2)
    #expect(bench.given == "1 - -! 2" && bench.marks.isEmpty)
  }

  @Test("nothing of one instant is carried to the next")
  mutating func nothingSticks() throws {
    bench.report(1) { $0.course = 90 }
    bench.report(2, isFull: false)
    bench.report(3)
    let second = bench.batch.points[1].fix
    #expect(second.speed == nil && second.altitude == nil && second.course == nil)
    #expect(second.horizontalAccuracy == nil && bench.batch.points[2].fix.course == nil)
  }

  @Test("the points after a recording's header are of its device")
  mutating func named() {
    bench.report(1)
    bench.report(2, isFull: false)
    bench.epochs.follow(0, into: &bench.batch)
    bench.report(3)
    bench.epochs.follow(1, into: &bench.batch)
    bench.epochs.follow(0, into: &bench.batch)
    bench.report(4)
    #expect(bench.batch.points.map(\.device) == [nil, nil, 0, 0])
  }
}

@Suite("Satellites and dilution")
struct SkyMemoryTests {
  private var bench = Bench()

  @Test("the values of SKY apply to the fixes of the next 30 s, by the receiver's time")
  mutating func lifetime() {
    bench.sky(hdop: 1.5, used: 9)
    for second in [0.0, 15, 30, 31] { bench.report(second) }
    #expect(bench.batch.points.map(\.fix.hdop) == [1.5, 1.5, 1.5, nil])
    #expect(bench.batch.points.map(\.fix.satellites) == [9, 9, 9, nil])
  }

  @Test("a SKY that came in a long silence is as young as the fix after it")
  mutating func fresh() {
    bench.sky(hdop: 1.5, used: 9)
    bench.report(0)
    bench.sky(hdop: 2, used: 5)
    bench.report(3_600)
    #expect(bench.batch.points.map(\.fix.hdop) == [1.5, 2])
    #expect(bench.batch.points.map(\.fix.satellites) == [9, 5])
  }

  @Test("a SKY with dilution only keeps the counts, which age by themselves")
  mutating func parts() {
    bench.sky(hdop: 1.5, used: 9)
    bench.report(0)
    bench.sky(hdop: 2)
    bench.report(20)
    bench.report(40)
    #expect(bench.batch.points.map(\.fix.hdop) == [1.5, 2, 2])
    #expect(bench.batch.points.map(\.fix.satellites) == [9, 9, nil])
  }

  @Test("a new connection and another receiver forget the SKY")
  mutating func forgotten() {
    bench.sky(hdop: 1.5, used: 9)
    bench.epochs.beginConnection(into: &bench.batch)
    bench.report(0)
    bench.sky(hdop: 7, used: 3, device: "/dev/gps1")
    bench.report(1)
    #expect(bench.batch.points.map(\.fix.hdop) == [nil, nil])
    #expect(bench.marks == [.otherReceiver])
  }

  @Test("a dilution makes an accuracy where the report has none, and a dilution of 0 none")
  mutating func accuracy() throws {
    bench.sky(hdop: 2)
    bench.report(0, isFull: false)
    bench.report(1)
    bench.sky(hdop: 0)
    bench.report(2, isFull: false)
    bench.epochs.finish(into: &bench.batch)
    let found = bench.batch.points.map(\.fix.horizontalAccuracy)
    #expect(found == [Accuracy.radius(hdop: 2), Accuracy.radius(from95: 8), nil])
  }
}

@Suite("Several receivers")
struct ReceiverChoiceTests {
  private var bench = Bench()

  @Test("the first receiver with a position and a time is followed")
  mutating func first() {
    bench.report(1, mode: 1, device: "/dev/a")
    bench.report(nil, device: "/dev/a")
    bench.report(1, device: "/dev/b")
    bench.report(2, device: "/dev/a")
    bench.report(2, device: "/dev/b")
    #expect(bench.given == "1! - 1 2")
    #expect(bench.epochs.receiver == GPSDDeviceKey(path: "/dev/b"))
    #expect(bench.marks == [.otherReceiver])
  }

  @Test("another receiver takes over after 30 s of its time without a position of the followed one")
  mutating func silent() {
    bench.report(100, device: "/dev/a")
    for second in 50...80 {
      bench.report(Double(second), device: "/dev/b")
      bench.report(Double(second), mode: 1, device: "/dev/a")
    }
    #expect(bench.epochs.receiver == GPSDDeviceKey(path: "/dev/b"))
    #expect(bench.given.hasPrefix("100 50! 51!") && bench.given.hasSuffix(" 79! 80"))
    #expect(bench.marks == Array(repeating: .otherReceiver, count: 31))
  }

  @Test("a position of the followed receiver restarts the wait")
  mutating func patience() {
    for second in stride(from: 0.0, to: 200, by: 20) {
      bench.report(second, device: "/dev/a")
      bench.report(second + 1, device: "/dev/b")
      bench.report(second + 19, device: "/dev/b")
    }
    #expect(bench.epochs.receiver == GPSDDeviceKey(path: "/dev/a"))
    #expect(bench.batch.points.count == 10)
  }

  @Test("a removed receiver is no longer waited for")
  mutating func gone() {
    bench.report(1, device: "/dev/a")
    bench.report(1, device: "/dev/b")
    bench.epochs.remove(GPSDDeviceKey(path: "/dev/b"), into: &bench.batch)
    #expect(bench.epochs.receiver == GPSDDeviceKey(path: "/dev/a"))
    bench.epochs.remove(GPSDDeviceKey(path: "/dev/a"), into: &bench.batch)
    bench.report(2, device: "/dev/b")
    #expect(bench.given == "1 2")
  }

  @Test("two other receivers are each waited for by their own clock")
  mutating func rivals() {
    bench.report(0, device: "/dev/a")
    for second in 0..<30 {
      bench.report(Double(second), device: "/dev/b")
      bench.report(Double(1_000_000 + second), device: "/dev/c")
    }
    #expect(bench.given == "0")
    bench.report(1_000_030, device: "/dev/c")
    #expect(bench.given == "0 1000030")
  }

  @Test("any number of receivers takes bounded memory")
  mutating func many() {
    bench.report(0, device: "/dev/a")
    for number in 0..<1_000 { bench.report(1, device: "/dev/\(number)") }
    #expect(bench.given == "0" && bench.marks.count == 1_000)
  }
}

@Suite("Reports in the engine's units")
struct GPSDPositionFixTests {
  private var report: GPSDPosition {
    var report = GPSDPosition()
    (report.mode, report.latitude, report.longitude) = (3, -33.5, 151.25)
    report.time = Timestamp(nanoseconds: 7)
    return report
  }

  @Test("the mode comes from mode and from the statuses of corrections, never from no status")
  func modes() {
    var report = report
    let expected: [(mode: Int, status: Int, Fix.Mode)] = [
      (3, 0, .threeD), (2, 0, .twoD), (3, 1, .threeD), (3, 2, .differential),
      (2, 3, .differential), (3, 4, .differential), (3, 5, .threeD), (3, 9, .precise),
      (1, 2, .none), (0, 0, .none),
    ]
    for (mode, status, fixMode) in expected {
      (report.mode, report.status) = (mode, status)
      #expect(report.fix.mode == fixMode, "mode \(mode), status \(status)")
    }
  }

  @Test("a full report yields every field")
  func full() throws {
    var report = report
    (report.altitude, report.ellipsoidalAltitude) = (25, 47.5)
    (report.speed, report.course) = (12.5, 271)
    (report.horizontalError, report.verticalError, report.courseError) = (10, 19.6, 9.8)
    let fix = report.fix
    #expect(fix.time == report.time)
    #expect(fix.coordinate == Coordinate(latitude: -33.5, longitude: 151.25))
    #expect(fix.altitude == 25 && fix.ellipsoidalAltitude == 47.5)
    #expect(fix.speed == 12.5 && fix.course == 271 && fix.speedAccuracy == nil)
    #expect(isNear(fix.verticalAccuracy, 10, within: 0.001))
    #expect(isNear(fix.courseAccuracy, 5, within: 0.001))
    #expect(isNear(fix.horizontalAccuracy, 6.167, within: 0.001))
  }

  @Test("eph counts before epx and epy, which count together, and an error of 0 is unknown")
  func errors() throws {
    var report = report
    report.horizontalError = 0
    report.longitudeError = 10
    #expect(report.fix.horizontalAccuracy == nil)
    report.latitudeError = 10
    // 10 m are 1.96 sigma; the 68 % radius of two equal axes is 1.5096 sigma.
    #expect(isNear(report.fix.horizontalAccuracy, 10 / 1.95996 * 1.50959, within: 0.001))
    report.horizontalError = 100
    #expect(report.fix.horizontalAccuracy == Accuracy.radius(from95: 100))
    (report.verticalError, report.courseError) = (0, 0)
    #expect(report.fix.verticalAccuracy == nil && report.fix.courseAccuracy == nil)
  }

  @Test("the 68 % radius of unequal errors is within 7 % of the true one")
  func unequal() {
    // All in one way, 68 % of a Gaussian lie within 0.99446 sigma.
    let found = Accuracy.radius(from95East: 19.59964, north: 0)
    #expect(found > 9.9446 && found < 9.9446 * 1.075)
    #expect(Accuracy.sigma(from95: Accuracy.bound95(sigma: 3)) == 3)
  }

  @Test("a course of 360 is north")
  func north() {
    var report = report
    report.course = 360
    #expect(report.fix.course == 0)
  }
}
