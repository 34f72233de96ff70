internal import Geodesy
internal import Glibc

/// How the edge of a fence was crossed.
///
/// A consumer that needs certainty waits for a high ``confidence``; one that bills by time takes
/// ``timeUncertainty`` into account. Docs/Accuracy.md has how well both hold on simulated worlds
/// and on real phones.
public struct Crossing: Sendable, Hashable {
  /// One sigma of the time of the crossing, in seconds; nil when nothing is known of it (the device
  /// was inside when it was first seen).
  ///
  /// It holds the error of the position at the speed of approach, uneven motion between the fixes,
  /// and for a crossing in a silence the whole of what the silence leaves open, up to T / √12.
  public var timeUncertainty: Double?
  /// Whether the crossing was placed between two fixes; false when all that is known is that a
  /// fix was on the other side.
  public var isInterpolated: Bool
  /// Probability that the crossing happened, given the fixes so far, 0 to 1.
  ///
  /// The rules of evidence give the measured share of such events that are right (Platt's
  /// calibration, Docs/Accuracy.md). `naive` and `apple` give that of the fixes alone, for a
  /// straight edge; nil when these have no accuracy.
  public var confidence: Double?

  /// Makes a crossing.
  ///
  /// - Parameters:
  ///   - timeUncertainty: One sigma, seconds.
  ///   - isInterpolated: Whether it was placed between two fixes.
  ///   - confidence: A probability, 0...1.
  public init(timeUncertainty: Double?, isInterpolated: Bool, confidence: Double?) {
    self.timeUncertainty = timeUncertainty
    self.isInterpolated = isInterpolated
    self.confidence = confidence
  }
}

extension Crossing {
  /// A change of side on an unknown way.
  static func unseen(_ area: Area, _ fix: Fix, inside: Bool) -> Crossing {
    Crossing(
      timeUncertainty: nil, isInterpolated: false,
      confidence: area.probability(of: inside, at: fix))
  }
}

extension Crossing {
  /// Its time is moved so that events stay in order: that is a part of its uncertainty.
  mutating func move(bySeconds seconds: Double) {
    guard seconds > 0, let sigma = timeUncertainty else { return }
    timeUncertainty = (sigma * sigma + seconds * seconds).squareRoot()
  }
}

extension GeodesicStep {
  /// The crossing at `fractions[position]`, of all those on this way over the edge of `area`.
  func crossing(_ fractions: [Double], at position: Int, of area: Area) -> Crossing {
    let fraction = fractions[position]
    // The claim is: on one side before, on the other after. Each is judged where it is clearest: at the
    // fix, or half-way to the neighbouring crossing.
    let before = position == 0 ? 0 : (fractions[position - 1] + fraction) / 2
    let isLast = position == fractions.count - 1
    let after = isLast ? 1 : (fraction + fractions[position + 1]) / 2
    let sides = both(sideProbability(at: before, of: area), sideProbability(at: after, of: area))
    return Crossing(
      timeUncertainty: timeUncertainty(at: fraction, of: area), isInterpolated: true,
      confidence: sides.map { $0 * $1 })
  }

  /// Probability that the device is on that side of the edge on which its place at `fraction` is.
  private func sideProbability(at fraction: Double, of area: Area) -> Double? {
    guard let accuracy = step.horizontalAccuracy(at: fraction) else { return nil }
    let place = coordinate(at: fraction)
    return normalProbability(
      distanceToEdge: abs(area.signedDistance(to: place)), accuracy: accuracy)
  }

  /// One sigma of the time at which the edge was crossed, for a way between two fixes.
  ///
  /// Two things move it: the error of the position, at the speed at which the edge is approached,
  /// and that nobody moves evenly. Neither is more than knowing nothing but that it was between the
  /// two fixes (a uniform distribution: T / √12).
  func timeUncertainty(at fraction: Double, of area: Area) -> Double {
    let unknown = step.duration / 12.0.squareRoot()
    guard let (position, motion) = timeSpread(at: fraction, of: area) else { return unknown }
    return min((position * position + motion * motion).squareRoot(), unknown)
  }

  /// The same for a way between two estimates.
  ///
  /// The device may cross the edge in another step than the estimate, so the step bounds only the
  /// uncertainty from uneven motion; the speeds at both ends reduce that to a share.
  ///
  /// An estimate that is corrected moves faster than the device. So the position counts at no more than
  /// the speed at the faster end and ``slowMotion``.
  ///
  /// - Parameters:
  ///   - speed: the speed at the faster end, metres per second.
  ///   - rests: whether the device rested at an end, so that the speeds say less of the time between.
  ///   - common: an error that the positions at both ends have in common, metres.
  func estimatedTimeUncertainty(
    at fraction: Double, of area: Area, speed: Double, rests: Bool, common: Double = 0
  ) -> Double {
    let unknown = step.duration / 12.0.squareRoot()
    guard let (position, motion) = timeSpread(at: fraction, of: area, common: common) else {
      return unknown
    }
    let excess = max(line.length / ((speed + slowMotion) * step.duration), 1)
    let least = rests ? leastShareAtRest : leastUnknownShare
    let share = min(max(step.duration / speedMemory, least), 1)
    let (place, way) = (min(position * excess, longestDoubt), min(motion, share * unknown))
    return (place * place + way * way).squareRoot()
  }

  /// What the error of the position and uneven motion do to the time, one sigma each; nil when
  /// nothing is known of the position, or the device stood.
  ///
  /// With an acceleration a between the fixes the device is up to a t (T − t) / 2 away from where
  /// even motion puts it.
  private func timeSpread(
    at fraction: Double, of area: Area, common: Double = 0
  ) -> (position: Double, motion: Double)? {
    let duration = step.duration
    guard let accuracy = step.horizontalAccuracy(at: fraction), line.length > 0 else { return nil }
    let probe = min(0.5, 1 / line.length)
    let (low, high) = (max(0, fraction - probe), min(1, fraction + probe))
    let approach =
      abs(
        area.signedDistance(to: line.coordinate(atFraction: high))
          - area.signedDistance(to: line.coordinate(atFraction: low))) / ((high - low) * duration)
    let uneven =
      usualAcceleration * duration * duration * fraction * (1 - fraction) / 2
      * duration / line.length
    let sigma = accuracy / AccuracyRadius.engineSigmas
    return ((sigma * sigma + common * common).squareRoot() / approach, uneven)
  }
}

extension Area {
  /// Probability that the device is on the stated side of the edge, given one fix; nil when the
  /// fix has no accuracy.
  ///
  /// The edge is taken for straight, which is wrong for a fence that is small against the accuracy.
  func probability(of isInside: Bool, at fix: Fix) -> Double? {
    guard let accuracy = fix.horizontalAccuracy else { return nil }
    let distance = signedDistance(to: fix.coordinate)
    return normalProbability(distanceToEdge: isInside ? -distance : distance, accuracy: accuracy)
  }
}

/// How unevenly things move between two fixes, metres per second squared: about what a driver or a
/// cyclist uses in town.
private let usualAcceleration = 1.0

/// What a device may move by beyond the speed that its estimate has, metres per second.
private let slowMotion = 1.0

/// Share of the uncertainty within a step that the speeds at both ends leave, at least, and the
/// length of a step over which they leave all of it, seconds; both as measured (Docs/Accuracy.md).
private let leastUnknownShare = 0.3
private let leastShareAtRest = 0.6
private let speedMemory = 200.0

/// Bound of what the error of the position adds, seconds: where the estimate runs along
/// the edge it has no bound.
private let longestDoubt = 600.0

/// Probability that a place at this distance from a straight edge is on the side on which it seems
/// to be, for a normal error with the given 68 % radius in metres.
private func normalProbability(distanceToEdge: Double, accuracy: Double) -> Double {
  0.5 * erfc(-distanceToEdge / (accuracy / AccuracyRadius.engineSigmas) / 2.0.squareRoot())
}

/// Both values, or nil when one is missing.
private func both(_ a: Double?, _ b: Double?) -> (Double, Double)? {
  guard let a, let b else { return nil }
  return (a, b)
}
