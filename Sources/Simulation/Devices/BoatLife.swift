import Geodesy
import Glibc

/// A boat's days: at anchor until the morning, a sail to the next bay, and at anchor again.
///
/// At anchor it lies in the wind on its chain: it swings from side to side in minutes and turns with
/// the wind in hours, half of the boats with the tide as well. Half of the anchors drag once.
struct BoatLife: Sendable {
  /// Where an anchor was dropped, and the length of chain, metres.
  struct Anchorage: Sendable {
    let anchor: Vector
    let chain: Double
  }

  private(set) var journey: Journey
  private(set) var anchorages: [Anchorage] = []
  private let chain: Double
  private let hasTide: Bool

  /// Seconds from one point of the path to the next at anchor.
  private static let step = 5.0
  /// A tide turns every 6 h 12 min and swings a boat round within 20 minutes.
  private static let tide = 22_320.0
  private static let turn = 1_200.0

  init(days: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed, purpose: Purpose.boat)
    chain = random.uniform(20...40)
    hasTide = random.happens(0.5)
    journey = Journey(from: Vector(x: chain, y: 0), random)
    for day in 0..<days {
      let morning = Double(day) * 86_400 + journey.random.uniform(7...11) * 3_600
      lie(until: morning)
      sail()
    }
    lie(until: Double(days) * 86_400 + Self.step)
  }

  /// Sails 2 to 8 km at 4 to 7 knots, and comes up to the new anchor's place against the wind.
  private mutating func sail() {
    let goal = journey.position.moved(
      journey.random.uniform(2_000...8_000), towards: journey.random.uniform(0...(2 * .pi)))
    journey.travel(to: goal, at: journey.random.uniform(2...3.5))
  }

  /// Drops the anchor and lies on its chain.
  private mutating func lie(until end: Double) {
    let arrival = journey.elapsed
    var swing = Swing(from: arrival, chain: chain, tide: hasTide ? Self.tide : nil, &journey.random)
    var anchor = journey.position.moved(-swing.chain, towards: swing.angle(at: arrival))
    anchorages.append(Anchorage(anchor: anchor, chain: chain))
    var began = arrival
    if journey.random.happens(0.5), end - arrival > 3 * 3_600 {
      let start = arrival + journey.random.uniform(1...((end - arrival) / 3_600 - 1)) * 3_600
      lie(at: anchor, swing, until: start)
      journey.endStay(since: began, .anchorage, around: centre(anchor, swing, began))
      began = journey.elapsed
      drag(&anchor, &swing)
      // Neither a stay nor the way to one.
      journey.endStay(since: began, .wait, around: anchor)
      began = journey.elapsed
    }
    lie(at: anchor, swing, until: end)
    journey.endStay(since: began, .anchorage, around: centre(anchor, swing, began))
  }

  private mutating func lie(at anchor: Vector, _ swing: Swing, until end: Double) {
    while journey.elapsed < end {
      let time = min(journey.elapsed + Self.step, max(end, journey.elapsed + 0.5))
      journey.move(to: swing.position(on: anchor, at: time), in: time - journey.elapsed)
    }
  }

  /// The anchor slips to leeward, 60 to 250 m at 0.1 to 0.5 m/s.
  private mutating func drag(_ anchor: inout Vector, _ swing: inout Swing) {
    let speed = journey.random.uniform(0.1...0.5)
    let leeward = swing.angle(at: journey.elapsed)
    var left = journey.random.uniform(60...250)
    while left > 0 {
      let time = journey.elapsed + Self.step
      anchor = anchor.moved(min(left, speed * Self.step), towards: leeward)
      left -= speed * Self.step
      journey.move(to: swing.position(on: anchor, at: time), in: Self.step)
    }
  }

  /// The mean position on the chain since a time.
  private func centre(_ anchor: Vector, _ swing: Swing, _ start: Double) -> Vector {
    var (sum, count) = (Vector(x: 0, y: 0), 0.0)
    for time in stride(from: start, to: max(journey.elapsed, start + 1), by: 60) {
      let position = swing.position(on: anchor, at: time)
      (sum.x, sum.y, count) = (sum.x + position.x, sum.y + position.y, count + 1)
    }
    return Vector(x: sum.x / count, y: sum.y / count)
  }

  /// How a boat swings on its chain.
  private struct Swing {
    let chain: Double
    private let start: Double
    private let tide: Double?
    private let wind: Double
    /// Radians, seconds and radians of the swing, and of the turns of the wind.
    private let yaw, shift: (size: Double, period: Double, phase: Double)

    init(from start: Double, chain: Double, tide: Double?, _ random: inout SeededGenerator) {
      (self.start, self.chain, self.tide) = (start, chain, tide)
      wind = random.uniform(0...(2 * .pi))
      yaw = (
        random.uniform(0.3...0.8), random.uniform(400...900), random.uniform(0...(2 * .pi))
      )
      shift = (
        random.uniform(0.2...0.8), random.uniform(3...8) * 3_600, random.uniform(0...(2 * .pi))
      )
    }

    /// The direction from the anchor to the boat, radians from east to north.
    func angle(at time: Double) -> Double {
      let age = time - start
      var angle = wind
      for part in [yaw, shift] {
        angle += part.size * sin(2 * .pi * age / part.period + part.phase)
      }
      guard let tide else { return angle }
      let (turns, rest) = ((age / tide).rounded(.down), age.truncatingRemainder(dividingBy: tide))
      let turned = min(1, max(0, (rest - tide + BoatLife.turn) / BoatLife.turn))
      return angle + .pi * (turns + turned * turned * (3 - 2 * turned))
    }

    func position(on anchor: Vector, at time: Double) -> Vector {
      anchor.moved(chain, towards: angle(at: time))
    }
  }
}
