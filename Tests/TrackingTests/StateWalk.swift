import Foundation
import Geodesy
import TestSupport

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

/// Made-up fixes of a device to which everything happens that a state has a field for: fences of
/// every decision, visits, gaps, jumps of the clock and of the position, wrong and late fixes.
struct StateWalk {
  private(set) var fixes: [Fix] = []
  private var random: SeededGenerator
  private var position = Coordinate(latitude: 0.0005, longitude: 0.0005)
  private var seconds = 1_000_000.0
  private var speed = 0.0
  private var course = 90.0

  init(seed: UInt64, phases: Int) {
    random = SeededGenerator(seed: seed)
    for phase in 0..<phases { add(phase) }
    for _ in 0..<2 { sleep() }
    for _ in 0..<2 { goUnderground() }
    for _ in 0..<2 { wakeElsewhere() }
    lie()
    accelerate()
    setClockBack()
    resend()
  }

  /// Fences of every decision around the start, and everything else that is reported.
  static func rules() throws -> Rules {
    let decisions: [Decision] = [.balanced, .naive, .eager, .apple, .strict]
    let fences = decisions.enumerated().flatMap { number, decision in
      [0.0, 0.01].map { latitude in
        let center = Coordinate(latitude: latitude, longitude: 0.001 * Double(number))
        let circle = Circle(center: center, radius: 90 + 40 * Double(number))
        var fence = Fence(id: "\(decision) \(latitude)", area: .circle(circle))
        fence.decision = decision
        fence.dwell = 240_000_000_000
        fence.notifications.insert(.dwell)
        return fence
      }
    }
    var rules = Rules(fences: try FenceSet(fences))
    rules.visits = VisitRules()
    rules.significantChanges = SignificantChangeRules()
    // The walks are silent for days, not for months.
    rules.memory = 86_400
    return rules
  }

  private mutating func add(_ phase: Int) {
    switch phase % 12 {
    case 0: stay(fixes: 60, every: 10)
    case 1: move(at: 1.4, fixes: 60, every: 5)
    case 2: move(at: 12, fixes: 40, every: 2)
    case 3: addDefects()
    case 4: stay(fixes: 30, every: 1, offBy: 0.004)
    case 5: moveClock(by: Bool.random(using: &random) ? -2_000_000 : 40_000_000)
    case 6: move(at: 1.4, fixes: 50, every: 10)
    case 7: jump()
    case 8: stay(fixes: 40, every: 20)
    case 9: sparse()
    case 10: addWrong()
    default: addFrozen()
    }
  }

  // MARK: What happens

  private mutating func stay(fixes count: Int, every step: Double, offBy offset: Double = 0) {
    speed = 0
    for _ in 0..<count { add(after: step, offBy: offset) }
  }

  private mutating func move(at speed: Double, fixes count: Int, every step: Double) {
    self.speed = speed
    for number in 0..<count {
      if number % 10 == 0 { turnHome() }
      add(after: step)
    }
    self.speed = 0
  }

  /// Each defect once, a fix without what cannot be true, and one that comes late.
  private mutating func addDefects() {
    add(after: 10)
    var fix = fixes[fixes.count - 1]
    fixes.append(fix)
    fix.coordinate.latitude += 0.0001
    fixes.append(fix)
    fix.time = nil
    fixes.append(fix)
    add(after: 10)
    fix = fixes[fixes.count - 1]
    fix.mode = .none
    fixes.append(fix)
    fix.mode = .threeD
    fix.coordinate.latitude = .nan
    fixes.append(fix)
    add(after: 10)
    fixes[fixes.count - 1].speed = -1
    add(after: 10)
    fix = fixes[fixes.count - 1]
    fix.time = fix.time?.advanced(bySeconds: -5)
    fixes.append(fix)
    fix.time = fix.time?.advanced(bySeconds: -5_000)
    fixes.append(fix)
    add(after: 10)
  }

  /// The clock jumps for good, then for one fix.
  private mutating func moveClock(by jump: Double) {
    seconds += jump
    for _ in 0..<3 { add(after: 10) }
    add(after: 200_000)
    seconds -= 200_000
    add(after: 10)
  }

  /// The position jumps for one fix, then for good.
  private mutating func jump() {
    add(after: 10, offBy: 1)
    add(after: 10)
    position.longitude += 0.8
    for _ in 0..<30 { add(after: 10) }
    position = Coordinate(latitude: 0.0002, longitude: 0.0021)
    for _ in 0..<4 { add(after: 10) }
  }

  /// A fix every quarter of an hour, and a silence in a fence.
  private mutating func sparse() {
    for number in 0..<24 {
      position.latitude += [0.0001, 0.001, 0.004, 0.02][number % 4]
      add(after: 900)
    }
    position = Coordinate(latitude: 0.0002, longitude: 0.001)
    for _ in 0..<4 { add(after: 30) }
    add(after: 90_000)
  }

  /// A phone that reports only while it moves: minutes of fixes, hours of silence, and off again.
  private mutating func sleep() {
    move(at: 12, fixes: 80, every: 5)
    add(after: 5)
    position.latitude += 0.003
    add(after: 8_000)
    fixes[fixes.count - 1].speed = 5
    move(at: 5, fixes: 60, every: 5)
  }

  /// A phone that moves while it sleeps, and wakes with the position that it had before.
  private mutating func wakeElsewhere() {
    stay(fixes: 20, every: 10)
    add(after: 8_000)
    fixes[fixes.count - 1].coordinate = fixes[fixes.count - 2].coordinate
    position.latitude += 0.004
    stay(fixes: 20, every: 10)
  }

  /// A phone that repeats the coarse position of a cell far away.
  private mutating func goUnderground() {
    stay(fixes: 5, every: 20)
    // Not so fine that the gate drops what follows.
    fixes[fixes.count - 1].horizontalAccuracy = 140
    for _ in 0..<6 {
      add(after: 60, offBy: 0.03)
      fixes[fixes.count - 1].horizontalAccuracy = 400
    }
    stay(fixes: 10, every: 20)
  }

  /// A tracker whose course is wrong, until it stands still.
  private mutating func lie() {
    speed = 12
    for _ in 0..<40 {
      add(after: 2)
      let number = fixes.count - 1
      (fixes[number].speed, fixes[number].horizontalAccuracy) = (speed, 5)
      fixes[number].course = (course + 180).truncatingRemainder(dividingBy: 360)
    }
    stay(fixes: 40, every: 2)
  }

  /// A receiver that reports every second while the device speeds up and brakes.
  private mutating func accelerate() {
    for second in 0..<120 {
      speed = 8 + 4 * sin(Double(second) / 6)
      add(after: 1)
      let number = fixes.count - 1
      (fixes[number].speed, fixes[number].horizontalAccuracy) = (speed, 4)
      fixes[number].course = course
    }
  }

  /// The clock goes back by an hour for good.
  private mutating func setClockBack() {
    seconds -= 3_600
    stay(fixes: 20, every: 10)
  }

  /// Fixes that contradict the rest, some of them for long.
  private mutating func addWrong() {
    for count in [1, 2, 30] {
      for _ in 0..<count { add(after: 8, offBy: 0.01) }
      for _ in 0..<5 { add(after: 8) }
    }
  }

  /// A receiver that repeats the position with which it came back from a gap.
  private mutating func addFrozen() {
    add(after: 300)
    for number in 0..<6 {
      add(after: 12)
      if number > 1 { fixes[fixes.count - 1].coordinate = fixes[fixes.count - 2].coordinate }
    }
  }

  /// A tracker on the way that sends each position three times.
  private mutating func resend() {
    move(at: 12, fixes: 20, every: 2)
    speed = 12
    for _ in 0..<12 {
      add(after: 5)
      for _ in 0..<2 {
        var fix = fixes[fixes.count - 1]
        seconds += 5
        fix.time = Timestamp(nanoseconds: Int64(seconds * 1e9))
        fixes.append(fix)
      }
    }
    speed = 0
  }

  // MARK: Fixes

  private mutating func turnHome() {
    let isFar = abs(position.latitude) + abs(position.longitude) > 0.015
    let home = LocalFrame(origin: position).vector(to: Coordinate(latitude: 0, longitude: 0.002))
    course =
      isFar
      ? (atan2(home.x, home.y) * 180 / .pi + 360).truncatingRemainder(dividingBy: 360)
      : Double.random(in: 0..<360, using: &random)
  }

  private mutating func add(after step: Double, offBy offset: Double = 0) {
    seconds += step
    let frame = LocalFrame(origin: position)
    let direction = Direction(degrees: course)
    let way = speed * step
    position = frame.coordinate(at: Vector(x: way * direction.sine, y: way * direction.cosine))
    var shown = position
    shown.latitude += offset + Double.random(in: -3e-5...3e-5, using: &random)
    shown.longitude += Double.random(in: -3e-5...3e-5, using: &random)
    var fix = Fix(time: Timestamp(nanoseconds: Int64(seconds * 1e9)), coordinate: shown)
    fix.horizontalAccuracy = Double(Int.random(in: 3...40, using: &random)) + 0.1
    if fixes.count % 3 != 0 { (fix.speed, fix.course) = (speed, course) }
    if fixes.count % 3 == 1 { fix.course = nil }
    if fixes.count % 4 == 0 { addRest(to: &fix) }
    fixes.append(fix)
  }

  /// The fields that only travel with a fix.
  private mutating func addRest(to fix: inout Fix) {
    func any() -> Double { Double.random(in: 0.1...30, using: &random) }
    (fix.mode, fix.satellites) = (.differential, Int.random(in: 4...20, using: &random))
    (fix.altitude, fix.ellipsoidalAltitude, fix.verticalAccuracy) = (any(), any(), any())
    (fix.speedAccuracy, fix.courseAccuracy) = (any(), any())
    (fix.hdop, fix.vdop, fix.pdop) = (any(), any(), any())
  }
}
