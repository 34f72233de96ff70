import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

/// Arrivals and departures in silences at whose end nobody knows for how long the device was gone.
@Suite("Visits: devices that wake elsewhere")
struct VisitWakeTests {
  private let ground = Ground()
  private static let asleep = 10_800.0
  private static let woken = 1_800 + asleep

  private func visits(_ fixes: [Fix]) -> [Visit] {
    var rules = Rules()
    rules.visits = VisitRules()
    return rules.played(fixes).compactMap { event in
      if case .visit(let visit) = event.statement, !visit.isRetracted { visit } else { nil }
    }
  }

  /// A ride of 6 km home with a fix every few seconds, and a rest there until 1,800 s.
  private func home(every step: Double, _ random: inout SeededGenerator) -> [Fix] {
    var fixes = stride(from: 0.0, to: 600, by: step).map { ground.fix($0, $0 * 10 - 6_000, 0) }
    fixes += rest(at: 0, from: 600, to: 1_801, every: step, &random)
    return fixes
  }

  private func rest(
    at east: Double, from start: Double, to end: Double, every step: Double = 10,
    _ random: inout SeededGenerator
  ) -> [Fix] {
    stride(from: start, to: end, by: step).map {
      ground.fix($0, east + 2 * random.normal(), 2 * random.normal(), accuracy: 8)
    }
  }

  private func seconds(_ time: Timestamp?) throws -> Double {
    try #require(time).seconds(since: Ground.time(0))
  }

  @Test(
    "one that wakes with its old position left and arrived at any time of its silence",
    arguments: [1, 3, 5], [2_000.0, 7_000, 20_000])
  func oldPosition(repeats: Int, distance: Double) throws {
    var random = SeededGenerator(seed: UInt64(repeats))
    var fixes = home(every: 10, &random)
    let last = try #require(fixes.last)
    for number in 0..<repeats {
      var old = last
      old.time = Ground.time(Self.woken + 10 * Double(number))
      fixes.append(old)
    }
    let heard = Self.woken + 10 * Double(repeats)
    fixes += rest(at: distance, from: heard, to: heard + 2_400, &random)
    let found = visits(fixes)
    let (left, came) = (try #require(found.last { $0.departure != nil }), try #require(found.last))
    let (departure, arrival) = (try seconds(left.departure), try seconds(came.arrival))
    #expect(departure > 1_800 + 0.3 * Self.asleep && arrival < Self.woken - 0.3 * Self.asleep)
    #expect(departure <= arrival)
    let sigmas = [left.departureUncertainty ?? 0, came.arrivalUncertainty ?? 0]
    #expect(sigmas.allSatisfy { $0 > 0.2 * Self.asleep }, "\(departure), \(arrival) ± \(sigmas)")
  }

  @Test(
    "one that rode for longer than it needs to wake, and did not report it, came at any time",
    arguments: [5_000.0, 11_000, 30_000])
  func unreported(distance: Double) throws {
    var random = SeededGenerator(seed: 7)
    let fixes =
      home(every: 10, &random)
      + rest(at: distance, from: Self.woken, to: Self.woken + 2_400, &random)
    let came = try #require(visits(fixes).last)
    #expect(try seconds(came.arrival) < Self.woken - 0.3 * Self.asleep)
    #expect(try #require(came.arrivalUncertainty) > 0.2 * Self.asleep)
  }

  @Test("one that was near came with its first fix", arguments: [5.0, 60])
  func near(step: Double) throws {
    var random = SeededGenerator(seed: 8)
    let fixes =
      home(every: step, &random)
      + rest(at: 1_200, from: Self.woken, to: Self.woken + 2_400, &random)
    let came = try #require(visits(fixes).last)
    // Not before it left, which it did on foot.
    #expect(abs(try seconds(came.arrival) - Self.woken) < 600)
    #expect(try #require(came.arrivalUncertainty) < 200)
  }

  @Test("first fixes that scatter about the place after a silence show no arrival")
  func scatter() throws {
    var random = SeededGenerator(seed: 9)
    var fixes = home(every: 10, &random)
    fixes += [45.0, 35, 30, 20].enumerated().map {
      ground.fix(Self.woken + 10 * Double($0), 5_000 + $1, $1 / 2, accuracy: 12)
    }
    fixes += rest(at: 5_000, from: Self.woken + 40, to: Self.woken + 2_400, &random)
    let came = try #require(visits(fixes).last)
    #expect(try seconds(came.arrival) < Self.woken - 0.3 * Self.asleep)
    #expect(try #require(came.arrivalUncertainty) > 0.2 * Self.asleep)
  }

  @Test(
    "positions that repeat at rest, as rounded ones do, are no old ones", arguments: [10.0, 700])
  func rounded(step: Double) throws {
    // It drives there with few fixes, so the last of the repeated ones is one of the last before it comes.
    let left = 7_200.0
    var fixes = stride(from: 0.0, through: left, by: step).map { ground.fix($0, 0, 0, accuracy: 5) }
    fixes += stride(from: left + 200, to: left + 14_000, by: step).map {
      ground.fix($0, 2_000, 0, accuracy: 5)
    }
    let came = try #require(visits(fixes).last)
    let arrival = try seconds(came.arrival)
    #expect(arrival > left - step && arrival <= left + step + 200, "\(arrival)")
    #expect(try #require(came.arrivalUncertainty) < 0.35 * (step + 200) + 60)
  }
}
