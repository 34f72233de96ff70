import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

/// A receiver that wakes repeats the position that it had before it slept, and then reports where it is.
@Suite("Fences: devices that wake with an old position")
struct WakePlaceTests {
  private let ground = Ground()
  private static let asleep = 1_800.0

  private var rules: Rules {
    get throws {
      let shop = Fence(id: "shop", area: .circle(Circle(center: ground.place(400), radius: 100)))
      return Rules(fences: try FenceSet([ground.circle("home", radius: 100), shop]))
    }
  }

  /// Enters and exits, with the seconds at which each was decided.
  private func events(_ fixes: [Fix]) throws -> [(change: String, decided: Double)] {
    try rules.played(fixes, keepsHistory: false).compactMap { event in
      let decided = event.decided.seconds(since: Ground.time(0))
      return switch event.statement {
      case .enter(let fence, _): ("enter \(fence)", decided)
      case .exit(let fence, _, _): ("exit \(fence)", decided)
      default: nil
      }
    }
  }

  /// A ride of 6 km home and a rest there until it sleeps, with a fix each 10 s.
  private func home(_ accuracy: Double?, _ random: inout SeededGenerator) -> [Fix] {
    stride(from: 0, through: Self.asleep, by: 10).map {
      fix($0, min($0 * 10 - 6_000, 0), accuracy, &random)
    }
  }

  private func fix(
    _ time: Double, _ east: Double, _ accuracy: Double?, _ random: inout SeededGenerator
  ) -> Fix {
    ground.fix(time, east + 4 * random.normal(), 4 * random.normal(), accuracy: accuracy)
  }

  private func repeated(_ fix: Fix, at time: Double) -> Fix {
    var fix = fix
    fix.time = Ground.time(time)
    return fix
  }

  @Test(
    "one that stays elsewhere for minutes is believed to be there within a minute",
    arguments: [nil, 8], [1, 2, 3] as [UInt64])
  func elsewhere(accuracy: Double?, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var fixes = home(accuracy, &random)
    let woken = Self.asleep + 3_600
    let last = try #require(fixes.last)
    fixes += [repeated(last, at: woken), repeated(last, at: woken + 10)]
    fixes += (2..<18).map { fix(woken + 10 * Double($0), 400, accuracy, &random) }
    let left = woken + 400
    fixes += (0..<60).map {
      fix(left + 10 * Double($0), 400 + 100 * Double($0), accuracy, &random)
    }
    let events = try events(fixes)
    #expect(
      events.map(\.change) == ["enter home", "exit home", "enter shop", "exit shop"], "seed \(seed)"
    )
    try #require(events.count == 4)
    #expect(events[1].decided <= woken + 80 && events[2].decided <= woken + 80)
  }

  @Test(
    "two wrong positions after a heartbeat, which repeats the position, are no trip",
    arguments: [nil, 8], [1, 2, 3] as [UInt64])
  func heartbeat(accuracy: Double?, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var fixes = home(accuracy, &random)
    let last = try #require(fixes.last)
    for beat in 1...8 {
      let time = Self.asleep + 900 * Double(beat)
      fixes.append(repeated(last, at: time))
      guard beat.isMultiple(of: 2) else { continue }
      fixes += [10, 20].map { fix(time + $0, 300, accuracy, &random) }
      fixes.append(repeated(last, at: time + 30))
    }
    #expect(try events(fixes).map(\.change) == ["enter home"], "seed \(seed)")
  }
}
