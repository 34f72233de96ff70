internal import Geodesy
internal import Glibc

/// Where a device is at the time of a fix, as the filter sees it.
struct Estimate: Sendable, Hashable, Codable {
  /// One of the places where it may be: a circular normal distribution.
  struct Spot {
    /// Metres on the estimate's map.
    var place: Vector
    /// Metres from the mean of all.
    var offset: Double
    /// Along one axis, metres.
    var sigma: Double
    var weight: Double
  }

  var time: Timestamp
  /// The flat map on which the places are.
  var map: LocalFrame
  /// The mean of all.
  var coordinate: Coordinate
  /// Along one axis, metres.
  var sigma: Double
  /// Largest sigma of the spots that matter, metres.
  var widest: Double
  /// Metres per second east and north if it moves.
  var velocity: Vector

  // The spots: see ``Modes``.
  var px, py, offsets, sigmas, weights: Modes.Lanes

  @inline(__always)
  init(_ modes: borrowing Modes, at time: Timestamp, on map: LocalFrame) {
    let mean = modes.mean
    self.time = time
    self.map = map
    coordinate = map.nearCoordinate(at: mean)
    velocity = modes.velocity
    (px, py, weights, sigmas) = (modes.px, modes.py, modes.weight, modes.sigmas)
    let (dx, dy) = (px - Float(mean.x), py - Float(mean.y))
    let squares = dx * dx + dy * dy
    offsets = squares.squareRoot()
    let variance = (weights * (modes.pp + 0.5 * squares)).sum()
    sigma = Double(max(variance, 0.01)).squareRoot()
    let none = Modes.Lanes()
    let known = sigmas.replacing(with: none, where: weights .<= Self.leastWeight)
    widest = max(Double(known.max()), sigma)
  }

  /// The mean of all on the map.
  var mean: Vector {
    Vector(x: Double((weights * px).sum()), y: Double((weights * py).sum()))
  }

  /// A spot that is less likely does not matter for any decision.
  private static var leastWeight: Modes.Lanes { Modes.Lanes(repeating: 1e-3) }

  /// The numbers of the spots.
  var lanes: Range<Int> { weights.indices }

  /// One of them.
  func spot(_ lane: Int) -> Spot {
    Spot(
      place: Vector(x: Double(px[lane]), y: Double(py[lane])), offset: Double(offsets[lane]),
      sigma: Double(sigmas[lane]), weight: Double(weights[lane]))
  }

  /// One sigma of the place along one axis if it rests, metres.
  var restSigma: Double { Double(sigmas[Modes.rest]) }

  /// Radius that holds the true place with probability 0.68, metres.
  var horizontalAccuracy: Double { sigma * sigmasInAccuracy }
  /// Whether one way to move is likelier than all else.
  var isMoving: Bool { weights[Modes.walk] > 0.5 || weights[Modes.ride] > 0.5 }
  /// Probability that the device rests.
  var stillness: Double { Double(weights[Modes.rest] + weights[Modes.off]) }

  /// Probability that the device is in the area, for each spot by its distance from the edge.
  ///
  /// - Parameter middle: that of the mean of all, which is positive outside.
  /// - Complexity: near the edge that of ``Area/signedDistance(to:)`` for every spot.
  func probability(inside area: Area, middle: Double) -> Double {
    let size = area.approximateSize
    return mean { spot in
      // On the way to the spot the distance changes by no more than the way.
      if middle - spot.offset > 6 * spot.sigma { return 0 }
      if middle + spot.offset < -6 * spot.sigma, size >= 8 * spot.sigma { return 1 }
      let distance =
        spot.offset < 0.01 ? middle : area.signedDistance(to: coordinate(of: spot))
      return normalShare(distanceToEdge: distance, size: size, sigma: spot.sigma)
    }
  }

  /// Where a spot is.
  func coordinate(of spot: Spot) -> Coordinate { map.nearCoordinate(at: spot.place) }

  /// The mean of a value over the places where the device may be.
  func mean(_ value: (Spot) -> Double) -> Double {
    var (sum, known) = (0.0, 0.0)
    for lane in lanes where weights[lane] > Self.leastWeight[lane] {
      let spot = spot(lane)
      sum += spot.weight * value(spot)
      known += spot.weight
    }
    return sum / known
  }
}

/// Probability that a normal distribution gives to an area from whose edge its mean is so far
/// (negative inside).
///
/// Exact for a half-plane. For an area that is not large against sigma it is that of a square of
/// the area's size: a small fence is never sure to hold a device.
/// - Parameters:
///   - size: Half the area's width, metres.
func normalShare(distanceToEdge distance: Double, size: Double, sigma: Double) -> Double {
  let strip = stripShare(distanceToEdge: distance, size: size, sigma: sigma)
  return size < 8 * sigma ? strip * erf(size / (sigma * 2.0.squareRoot())) : strip
}

/// The same for an endless strip of the area's width: whether a way across it leads through it is a
/// question of one axis.
func stripShare(distanceToEdge distance: Double, size: Double, sigma: Double) -> Double {
  let scale = 1 / (sigma * 2.0.squareRoot())
  let near = erfc(distance * scale) * 0.5
  guard size < 8 * sigma else { return near }
  let far = erfc((max(distance, -size) + 2 * size) * scale) * 0.5
  return max(near - far, 0)
}
