import Geodesy
import Glibc

/// Positions of wifi networks and cells.
///
/// A network gives its own position to every phone near it, so a phone at rest gets the same digits
/// again and again. Wifi positions claim 65 m where many networks are known and 165 m where few are,
/// and cells claim 1 to 3 km; each errs by about half of that at 68 % (iPhones of the MobilityNet
/// recordings: 0.57 at 65 m, 0.40 to 0.65 at 165 to 200 m).
struct NetworkPositions: Sendable {
  private typealias Measurement = PhoneReceiver.Measurement

  /// What gives a position.
  private enum Source: UInt64, CaseIterable {
    case manyNetworks = 1
    case fewNetworks, cell

    /// Side of the square of ground that one position stands for, metres.
    var side: Double {
      switch self {
      case .manyNetworks: 60
      case .fewNetworks: 150
      case .cell: 1_500
      }
    }

    /// Error of that position per axis, one sigma in metres: with that of the square, 24 m and 55 m,
    /// so the 68 % radius is 37 m and 83 m; that of a cell is about 900 m.
    var sigma: Double {
      switch self {
      case .manyNetworks: 17
      case .fewNetworks: 34
      case .cell: 400
      }
    }
  }

  private let noise: NoiseLevel
  private let seed: UInt64
  private var random: SeededGenerator
  private var source = Source.manyNetworks

  init(_ noise: NoiseLevel, seed: UInt64) {
    (self.noise, self.seed) = (noise, seed)
    random = SeededGenerator(seed: seed, purpose: Purpose.network)
  }

  /// What the phone gets on these days, with its errors.
  func measurements(of days: TrueDays) -> [PhoneReceiver.Measurement] {
    var positions = self
    return positions.measure(days)
  }

  private mutating func measure(_ days: TrueDays) -> [Measurement] {
    var all: [Measurement] = []
    var second = random.whole(0...120)
    var frozenUntil = 0
    while second < min(days.length, days.positions.count) {
      let moves = days.velocities[second].length > 0.8
      let isFrozen = second < frozenUntil && noise != .none
      all.append(measurement(at: second, of: days, after: all.last, isFrozen: isFrozen))
      // One position in twenty on the way is given again for minutes.
      if moves, !isFrozen, random.happens(0.05) { frozenUntil = second + random.whole(120...900) }
      second += moves ? random.whole(45...240) : random.whole(180...900)
    }
    return all
  }

  private mutating func measurement(
    at second: Int, of days: TrueDays, after last: Measurement?, isFrozen: Bool
  ) -> Measurement {
    let (truth, environment) = (days.positions[second], days.environments[second])
    // What was in reach mostly still is.
    if last == nil || random.happens(0.3) || environment == .covered {
      source = nextSource(in: environment)
    }
    var found = position(near: truth)
    var claim = self.claim(near: truth)
    if let last, isFrozen || environment == .covered {
      (found, claim) = (last.measured, max(last.statedSigma, claim))
    }
    if noise == .none { found = truth }
    var measurement = Measurement(
      second: second, truth: truth, measured: found, sigma: claim, statedSigma: claim,
      environment: environment, elapsed: Double(second - (last?.second ?? second)))
    measurement.isBlind = isFrozen || claim > Self.coarsest
    return measurement
  }

  /// A position that claims more than this shows no crossing, metres.
  private static let coarsest = 200.0

  private mutating func nextSource(in environment: Environment) -> Source {
    let known: (many: Double, few: Double)
    switch environment {
    case .indoor, .deepIndoor, .wifi: known = (0.75, 0.95)
    case .canyon: known = (0.6, 0.9)
    case .suburb, .outdoor: known = (0.4, 0.7)
    case .open: known = (0.1, 0.3)
    case .covered: known = (0, 0)
    }
    let draw = random.unit()
    return draw < known.many ? .manyNetworks : draw < known.few ? .fewNetworks : .cell
  }

  /// The position that the source has for the square around `truth`; the same for every phone there.
  private func position(near truth: Vector) -> Vector {
    var square = generator(truth)
    let sigma = source.sigma * (noise == .hard ? 1.5 : 1)
    return Vector(
      x: (Self.column(truth.x, source.side) + 0.5) * source.side + sigma * square.normal(),
      y: (Self.column(truth.y, source.side) + 0.5) * source.side + sigma * square.normal())
  }

  private func claim(near truth: Vector) -> Double {
    switch source {
    case .manyNetworks: return 65
    case .fewNetworks: return 165
    case .cell:
      var square = generator(truth)
      _ = (square.normal(), square.normal())
      return square.uniform(1_000...3_000).rounded()
    }
  }

  private func generator(_ truth: Vector) -> SeededGenerator {
    let (column, row) = (Self.column(truth.x, source.side), Self.column(truth.y, source.side))
    let key =
      UInt64(bitPattern: Int64(column)) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: Int64(row))
    return SeededGenerator(seed: seed ^ source.rawValue << 56, purpose: key)
  }

  private static func column(_ metres: Double, _ side: Double) -> Double {
    (metres / side).rounded(.down)
  }
}
