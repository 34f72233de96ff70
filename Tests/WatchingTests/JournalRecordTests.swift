import Geodesy
import Session
import TestSupport
import Testing
import Traces
import Tracking
@testable import Watching

@Suite("Journal records")
struct JournalRecordTests {
  private static func bytes(_ records: [JournalRecord]) -> [UInt8] {
    var bytes: [UInt8] = []
    for record in records { record.append(to: &bytes) }
    return bytes
  }

  /// Fixes with every choice of known fields, and the other kinds.
  private static func samples(_ generator: inout SeededGenerator, count: Int) -> [JournalRecord] {
    (0..<count).map { number in
      func value() -> Double? {
        Bool.random(using: &generator) ? Double.random(in: -1e6...1e6, using: &generator) : nil
      }
      switch number % 9 {
      case 0: return .time(Timestamp(nanoseconds: .random(in: .min ... .max, using: &generator)))
      case 1:
        let issue = TraceIssue(
          [.record, .truncated, .malformed][number / 8 % 3], line: number, column: 7, "bad ± thing")
        return .issue(issue, time: number % 16 < 8 ? nil : Timestamp(nanoseconds: 5))
      case 2: return .written(number)
      case 3:
        var change = SourceChange(
          SourceChange.Status.allCases[number / 8 % 7],
          time: number % 16 < 8 ? nil : Timestamp(nanoseconds: 5), duration: value(),
          reason: [nil, "", "gpsd is ± gone"][number / 8 % 3])
        change.occurrence = value().map { $0.bitPattern }
        return .status(change)
      case 4:
        var change = AnchorChange(AnchorChange.Action.allCases[number / 8 % 3])
        change.time = number % 16 < 8 ? nil : Timestamp(nanoseconds: 5)
        change.fence = [nil, "", "anchor ±"][number / 8 % 3]
        if number % 16 < 8 { change.center = Coordinate(latitude: -59.3, longitude: 18.6932) }
        (change.radius, change.bearing, change.distance) = (value(), value(), value())
        return .anchor(change)
      case 6: return .stored
      case 7 where number / 9 % 2 == 0: return .rules(rules(number))
      case 5: return .appeared(["jane/phone", "ola", "± 1"][number / 9 % 3], number: number)
      default:
        var fix = Fix(
          time: number % 3 == 0
            ? nil : Timestamp(nanoseconds: .random(in: .min ... .max, using: &generator)),
          coordinate: Coordinate(latitude: value() ?? 0, longitude: value() ?? -0.0))
        fix.mode = Fix.Mode.allCases.randomElement(using: &generator) ?? .none
        fix.satellites = number % 5 == 0 ? nil : number % 40
        for path in Fix.numbers { fix[keyPath: path] = value() }
        return .fix(fix, line: number)
      }
    }
  }

  /// Rules of some fences, the first of which has the number in its settings.
  private static func rules(_ number: Int) -> JournalRules {
    let fences = (0...number % 3).map { place in
      var fence = Fence.center("fence ± \(place)", radius: Double(number) / 7 + 1, dwell: 600)
      fence.decision = Decision.allCases[number % Decision.allCases.count]
      return fence
    }
    var rules = Rules(fences: (try? FenceSet(fences)) ?? FenceSet())
    rules.memory = Double(number) / 3
    if number % 2 == 0 { rules.visits = VisitRules() }
    return JournalRules(rules: rules, anchors: [AnchorPlan(id: "anchor ±", radius: 40.1)])
  }

  @Test("records of another checkpoint's journal are not read")
  func generations() {
    var bytes: [UInt8] = []
    JournalRecord.written(3).append(to: &bytes, generation: 7)
    #expect(JournalRecord.read(bytes[...], generation: 7).records == [.written(3)])
    for other in [0, 1, 6, 8, 1_000_000] {
      #expect(JournalRecord.read(bytes[...], generation: other).records == [])
    }
  }

  @Test("a written record reads back bit by bit")
  func roundTrip() {
    let seed: UInt64 = 0x10_7A
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let records = Self.samples(&generator, count: 400)
    #expect(JournalRecord.read(Self.bytes(records)[...]).records == records)
  }

  @Test("every known number of a fix is preserved")
  func allNumbers() {
    var fix = Fix(time: nil, coordinate: Coordinate(latitude: 1, longitude: 2))
    // A number that a fix has and a journal does not would be lost in a restart.
    #expect(Mirror(reflecting: fix).children.count == Fix.numbers.count + 4)
    for (index, path) in Fix.numbers.enumerated() {
      fix[keyPath: path] = Double(index) + 0.5
      #expect(
        JournalRecord.read(Self.bytes([.fix(fix, line: 3)])[...]).records == [.fix(fix, line: 3)])
    }
  }

  @Test("a truncation anywhere leaves the records before it")
  func cut() {
    var generator = SeededGenerator(seed: 7)
    let records = Self.samples(&generator, count: 12)
    let all = Self.bytes(records)
    let ends = records.indices.map { Self.bytes(Array(records[...$0])).count }
    for length in 0...all.count {
      let whole = ends.count { $0 <= length }
      #expect(JournalRecord.read(all[..<length]).records == Array(records.prefix(whole)))
    }
  }

  @Test("a flipped bit ends reading at its record")
  func damage() {
    var generator = SeededGenerator(seed: 8)
    let records = Self.samples(&generator, count: 12)
    let all = Self.bytes(records)
    let ends = records.indices.map { Self.bytes(Array(records[...$0])).count }
    for place in all.indices {
      var bytes = all
      bytes[place] ^= 1 << UInt8(place % 8)
      let before = ends.count { $0 <= place }
      #expect(
        JournalRecord.read(bytes[...]).records == Array(records.prefix(before)), "byte \(place)")
    }
  }
}
