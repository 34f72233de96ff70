import Geodesy
import Glibc

/// A means of transport: its speeds, halts and delays.
enum Transport: String, Sendable, CaseIterable {
  case walk, bike, car, bus, van, subway, ferry

  /// Metres per second, for the legs of one trip.
  private var speeds: ClosedRange<Double> {
    switch self {
    case .walk: 1.15...1.6
    case .bike: 4...6.5
    case .car: 8...14
    case .bus: 7...11
    case .van: 7...13
    case .subway: 12...18
    case .ferry: 5...8
    }
  }

  /// Metres per second squared.
  private var acceleration: Double {
    switch self {
    case .walk: 0.8
    case .bike, .subway: 1
    case .car: 1.8
    case .bus: 1.2
    case .van: 1.6
    case .ferry: 0.3
    }
  }

  /// A leg between two halts.
  struct Leg: Sendable {
    var length: Double
    var speed: Double
    /// Seconds of the halt at its end.
    var halt: Double
  }

  func mode(at speed: Double) -> TravelMode {
    TravelMode(cruise: speed, acceleration: acceleration)
  }

  /// The legs of a trip of so many metres; the last one ends without a halt.
  func legs(of length: Double, _ random: inout SeededGenerator) -> [Leg] {
    var all: [Leg] = []
    var position = 0.0
    var jam = jamStart(length, &random)
    let cruise = random.uniform(speeds)
    while position < length {
      if let start = jam, position >= start {
        crawl(through: &position, of: length, into: &all, &random)
        jam = nil
        continue
      }
      var leg = next(at: position, of: length, cruise, &random)
      leg.length = min(leg.length, length - position)
      position += leg.length
      all.append(leg)
    }
    if !all.isEmpty { all[all.count - 1].halt = 0 }
    return all
  }

  /// Three motor trips in ten that are longer than 1.5 km meet a jam.
  private func jamStart(_ length: Double, _ random: inout SeededGenerator) -> Double? {
    guard self == .car || self == .bus || self == .van, length > 1500, random.happens(0.3) else {
      return nil
    }
    return random.uniform(0.25...0.6) * length
  }

  /// Stop and go for 350 to 900 m: a few car lengths, then a wait.
  private func crawl(
    through position: inout Double, of length: Double, into all: inout [Leg],
    _ random: inout SeededGenerator
  ) {
    let end = min(length, position + random.uniform(350...900))
    while position < end - 5 {
      let step = min(end - position, random.uniform(8...35))
      all.append(
        Leg(length: step, speed: random.uniform(1...3), halt: random.uniform(10...95)))
      position += step
    }
    // The rest is less than a car length; without it the jam would not end.
    if position < end { all.append(Leg(length: end - position, speed: 3, halt: 0)) }
    position = end
  }

  private func next(
    at position: Double, of length: Double, _ cruise: Double, _ random: inout SeededGenerator
  ) -> Leg {
    switch self {
    case .subway:
      Leg(
        length: random.uniform(700...1300), speed: cruise, halt: random.uniform(20...40))
    case .ferry: Leg(length: length, speed: cruise, halt: 0)
    case .bus: busLeg(&random)
    case .walk: walkLeg(cruise, &random)
    case .bike, .car, .van: street(at: position, of: length, &random)
    }
  }

  private func busLeg(_ random: inout SeededGenerator) -> Leg {
    let distance = random.uniform(250...500)
    let isLong = random.happens(0.06)
    return Leg(
      length: distance, speed: random.uniform(speeds),
      halt: isLong ? random.uniform(60...150) : random.uniform(12...45))
  }

  private func walkLeg(_ cruise: Double, _ random: inout SeededGenerator) -> Leg {
    let halts = random.happens(1.0 / 3)
    return Leg(
      length: random.uniform(120...500), speed: cruise * random.uniform(0.9...1.1),
      halt: halts ? random.uniform(8...45) : 0)
  }

  /// From light to light, 55 % of them red; the middle of a long drive is a motorway.
  private func street(
    at position: Double, of length: Double, _ random: inout SeededGenerator
  ) -> Leg {
    let share = position / length
    if self != .bike, length > 6000, share > 0.2, share < 0.8 {
      return Leg(
        length: random.uniform(1500...4000), speed: random.uniform(20...30), halt: 0)
    }
    let isGreen = random.happens(0.45)
    return Leg(
      length: random.uniform(150...700), speed: random.uniform(speeds),
      halt: isGreen ? 0 : random.uniform(10...90))
  }
}
