internal import Geodesy
internal import Simulation
internal import Tracking

/// A track that is described in a line: the fixes of a receiver on a way at constant speed.
struct DescribedPath: Sendable {
  /// A step of the way.
  enum Step: Sendable {
    /// To a position, or the start at it.
    case point(Coordinate)
    /// Rests for seconds where the last point is.
    case stay(Double)
  }

  /// The errors of the receiver.
  enum Noise: String, Sendable, CaseIterable {
    /// The fixes lie on the way.
    case none
    /// Errors that last for a minute or two, as under open sky.
    case normal
    /// Larger and slower errors, and bursts of fixes that are far off.
    case hard
    /// Between tall houses.
    case city
  }

  var steps: [Step]
  /// Metres a second.
  var speed: Double
  /// Seconds between fixes.
  var interval = 10.0
  /// The radius that holds the true position with probability 0.68, metres; nil for that of the noise.
  var accuracy: Double?
  var noise = Noise.none
  var seed: UInt64 = 1
  var start = Self.usualStart

  /// 2026-01-01T00:00:00Z.
  static let usualStart = Timestamp(nanoseconds: 1_767_225_600_000_000_000)

  /// Seconds from the first fix to the last.
  var duration: Double {
    var (seconds, last) = (0.0, nil as Coordinate?)
    for step in steps { advance(&seconds, &last, step) }
    return seconds
  }

  /// The fixes with a seed of the noise.
  func fixes(seed: UInt64) -> [Fix] {
    var (seconds, last) = (0.0, nil as Coordinate?)
    var places: [(time: Timestamp, coordinate: Coordinate)] = []
    for step in steps {
      advance(&seconds, &last, step)
      if let last { places.append((start.advanced(bySeconds: seconds), last)) }
    }
    guard let path = TruePath(joining: places) else { return [] }
    let receiver = receiver(seed)
    return receiver.fixes(on: path).map { fix in
      var fix = fix
      if noise == .none { fix.horizontalAccuracy = accuracy ?? noise.usualAccuracy }
      return fix
    }
  }

  private func advance(_ seconds: inout Double, _ last: inout Coordinate?, _ step: Step) {
    switch step {
    case .point(let point):
      seconds += (last?.distance(to: point) ?? 0) / speed
      last = point
    case .stay(let length): seconds += length
    }
  }

  private func receiver(_ seed: UInt64) -> Receiver {
    var receiver = Receiver(sampling: .init(every: interval), seed: seed)
    receiver.noise = nil
    guard noise != .none else { return receiver }
    let sigma = (accuracy ?? noise.usualAccuracy) / AccuracyRadius.sigmas
    receiver.noise = PositionNoise(sigma: sigma, tau: noise.correlationTime)
    if let (perHour, size, longest) = noise.outliers {
      var outliers = OutlierModel()
      outliers.perHour = { _ in perHour }
      (outliers.size, outliers.longestBurst) = (size, longest)
      receiver.outliers = outliers
    }
    return receiver
  }
}

extension DescribedPath.Noise {
  /// Metres: the usual errors of the simulated environments, in `hard` those of a bad receiver.
  fileprivate var usualAccuracy: Double {
    switch self {
    case .none: 5
    case .normal: AccuracyRadius.sigmas * Environment.suburb.usualSigma
    case .hard: 2 * AccuracyRadius.sigmas * Environment.suburb.usualSigma
    case .city: AccuracyRadius.sigmas * Environment.canyon.usualSigma
    }
  }

  /// Seconds until an error has decayed to 1/e; that of `simulate` is drawn around these.
  fileprivate var correlationTime: Double { self == .hard ? 400 : 100 }

  /// Bursts per hour, their sizes in metres, and the longest.
  fileprivate var outliers: (perHour: Double, size: ClosedRange<Double>, longest: Int)? {
    switch self {
    case .none, .normal: nil
    case .hard: (Environment.canyon.usualOutliersPerHour, 50...1500, 15)
    case .city: (Environment.canyon.usualOutliersPerHour, 50...500, 5)
    }
  }
}
