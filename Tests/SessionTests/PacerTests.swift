@testable import Session
import Synchronization
import Testing
import Tracking

/// Somebody who plays a trace by a clock that stands still until it is told how much time went by.
private final class Player {
  private let wall: Wall
  private var pace: Pacer

  private final class Wall: Sendable {
    let instant = Mutex(ContinuousClock.now)
    let waits = Mutex<[Duration]>([])
  }

  init(speed: Double?) {
    let wall = Wall()
    self.wall = wall
    pace = Pacer(
      speed: speed, now: { wall.instant.withLock { $0 } },
      sleep: { duration in
        wall.waits.withLock { $0.append(duration) }
        wall.instant.withLock { $0 += duration }
      })
  }

  var isLimited: Bool { pace.isLimited }
  var slept: [Duration] { wall.waits.withLock { $0 } }

  func pass(_ duration: Duration) { wall.instant.withLock { $0 += duration } }
  func wait(_ duration: Duration) { pace.wait(duration) }

  /// How long to wait for a fix of so many seconds after the first.
  func delay(_ seconds: Double) -> Duration? {
    pace.delay(
      until: Timestamp(nanoseconds: 1_741_593_600_000_000_000).advanced(bySeconds: seconds))
  }
}

@Suite("Pacer")
struct PacerTests {
  @Test("without a limit waits for nothing")
  func unlimited() {
    let player = Player(speed: nil)
    #expect(!player.isLimited)
    for second in [0.0, 1, 1e6] { #expect(player.delay(second) == nil) }
    #expect(!Pacer.unlimited.isLimited)
  }

  @Test(
    "waits for trace time divided by the speed",
    arguments: [(1, 10), (2, 5), (60, 1.0 / 6), (0.5, 20)] as [(Double, Double)])
  func speed(speed: Double, seconds: Double) throws {
    let player = Player(speed: speed)
    #expect(player.isLimited)
    #expect(player.delay(0) == nil)
    let delay = try #require(player.delay(10))
    #expect(abs(delay / .seconds(1) - seconds) < 1e-9)
  }

  @Test("counts elapsed time, and does not wait for late fixes")
  func late() {
    let player = Player(speed: 1)
    #expect(player.delay(0) == nil)
    player.pass(.seconds(4))
    #expect(player.delay(10) == .seconds(6))
    player.pass(.seconds(7))
    #expect(player.delay(10) == nil)
    // It catches up: the late one did not move what comes after it.
    #expect(player.delay(12) == .seconds(1))
    #expect(player.delay(9) == nil)
  }

  @Test("waits by the given clock")
  func wait() {
    let player = Player(speed: 1)
    #expect(player.delay(0) == nil)
    player.wait(.seconds(3))
    #expect(player.slept == [.seconds(3)])
    #expect(player.delay(3) == nil)
  }

  @Test(
    "does not wait for a date that jumped, and continues from there",
    arguments: [1024 * 604_800, -1024 * 604_800, 86_401, -86_401] as [Double])
  func leap(seconds: Double) {
    let player = Player(speed: 1)
    #expect(player.delay(0) == nil)
    #expect(player.delay(seconds) == nil)
    #expect(player.delay(seconds + 5) == .seconds(5))
  }

  @Test("works at the ends of the time range")
  func ends() {
    let player = Player(speed: 1)
    for seconds in [-1e300, 1e300, -1e300, 0] { #expect(player.delay(seconds) == nil) }
  }

  @Test("waits for a silence of a day")
  func day() {
    let player = Player(speed: 1)
    #expect(player.delay(0) == nil)
    #expect(player.delay(86_400) == .seconds(86_400))
  }

  @Test(
    "works with a tiny speed and with a huge one",
    arguments: [(1e-300, true), (Double.leastNonzeroMagnitude, true), (1e300, false)])
  func extremes(speed: Double, waits: Bool) {
    let player = Player(speed: speed)
    #expect(player.delay(0) == nil)
    #expect((player.delay(60) != nil) == waits)
  }
}
