package import Geodesy
internal import Glibc

/// The position of a device at the time of a fix as a mixture: one component for each hypothesis.
package struct PositionMixture: Sendable {
  /// A component: a circular normal distribution.
  package struct Component {
    /// Metres on the map.
    var place: Vector
    /// Metres from the mean of all.
    var offset: Double
    /// Along one axis, metres.
    package var sigma: Double
    var weight: Double
  }

  /// The flat map on which they are.
  package let map: LocalFrame
  /// The mean of all on the map.
  package let mean: Vector

  // See ``Modes``. Roots are computed only when they are needed: near an edge.
  private let px, py, variances: Modes.Lanes
  let weights: Modes.Lanes

  @inline(__always)
  init(_ modes: borrowing Modes, on map: LocalFrame) {
    self.map = map
    mean = modes.mean
    (px, py, weights) = (modes.px, modes.py, modes.weight)
    let least = Modes.Lanes(repeating: 0.01)
    variances = modes.pp.replacing(with: least, where: modes.pp .< least)
  }

  /// A component that is less likely does not matter for any decision.
  private static var leastWeight: Modes.Lanes { Modes.Lanes(repeating: 1e-3) }

  /// The squared distances of the components from the mean of all, square metres.
  @inline(__always)
  var squares: Modes.Lanes {
    let (dx, dy) = (px - Float(mean.x), py - Float(mean.y))
    return dx * dx + dy * dy
  }

  /// The largest sigma of those that matter, metres; 0 when none does.
  @inline(__always)
  var widest: Double {
    let known = variances.replacing(with: Modes.Lanes(), where: weights .<= Self.leastWeight)
    let greatest = max(max(known[0], known[1]), max(known[2], known[3]))
    return Double(greatest.squareRoot())
  }

  /// The largest distance of a component that matters from the mean of all, metres; 0 when none does.
  @inline(__always)
  package var widestOffset: Double {
    let known = squares.replacing(with: Modes.Lanes(), where: weights .<= Self.leastWeight)
    let greatest = max(max(known[0], known[1]), max(known[2], known[3]))
    return Double(greatest.squareRoot())
  }

  /// Metres from the mean of all: an area that is farther away holds the device with a probability of 0.51 at
  /// most.
  ///
  /// It is 2.5 sigmas of the nearest hypotheses, however wide the others are.
  package var probableReach: Double {
    let distances = squares.squareRoot() + 2.5 * variances.squareRoot()
    var reach = distances.max()
    for lane in weights.indices {
      let near = weights.replacing(with: 0, where: distances .> distances[lane])
      if near.sum() > 0.5 { reach = min(reach, distances[lane]) }
    }
    return Double(reach)
  }

  /// Whether an area of a size, wherever it is, may hold the device with a probability of more than a half.
  ///
  /// The bound is that of the error function, `erf x ≤ 2 x / √π`.
  /// - Parameter size: Half the area's width, metres.
  package func isProbable(inSize size: Double) -> Bool {
    let shares = Float(size * (2 / Double.pi).squareRoot()) / variances.squareRoot()
    return (weights * shares.clamped(lowerBound: .zero, upperBound: .one)).sum() > 0.5
  }

  /// Where the device most probably is, metres on the map: where it rests, if that is more probable than all
  /// else and not at the mean of all, which then lies between two places; else the mean.
  @inline(__always)
  package var place: Vector {
    let rest = Modes.rest
    guard weights[rest] > 0.5, squares[rest] > Self.leastApart * Self.leastApart else {
      return mean
    }
    return Vector(x: Double(px[rest]), y: Double(py[rest]))
  }

  /// Places nearer to each other are one, metres.
  private static var leastApart: Float { 8 }

  /// One sigma of the place along one axis if it rests, metres.
  package var restSigma: Double { sigma(Modes.rest) }

  private func sigma(_ lane: Int) -> Double { Double(variances[lane].squareRoot()) }

  /// The component of a lane.
  func component(_ lane: Int) -> Component {
    Component(
      place: Vector(x: Double(px[lane]), y: Double(py[lane])),
      offset: Double(squares[lane].squareRoot()), sigma: sigma(lane),
      weight: Double(weights[lane]))
  }

  /// Probability that the device is in the area, for each component by its distance from the edge.
  ///
  /// - Parameter middle: that of the mean of all, which is positive outside.
  /// - Complexity: near the edge that of ``Area/signedDistance(to:)`` for every component.
  package func probability(inside area: Area, middle: Double) -> Double {
    let size = area.approximateSize
    return mean { component in
      // On the way to the component the distance changes by no more than the way.
      if middle - component.offset > 6 * component.sigma { return 0 }
      if middle + component.offset < -6 * component.sigma, size >= 8 * component.sigma { return 1 }
      let distance =
        component.offset < 0.01 ? middle : area.signedDistance(to: coordinate(of: component))
      return normalShare(distanceToEdge: distance, size: size, sigma: component.sigma)
    }
  }

  /// The coordinate of a component.
  package func coordinate(of component: Component) -> Coordinate {
    map.nearCoordinate(at: component.place)
  }

  /// The mean of a value over the places where the device may be.
  ///
  /// Components below a weight of 0.001 are left out, and the others are scaled to sum to 1. The
  /// modes sum to 1, so at least one counts.
  package func mean(_ value: (Component) -> Double) -> Double {
    var (sum, known) = (0.0, 0.0)
    for lane in weights.indices where weights[lane] > Self.leastWeight[lane] {
      let component = component(lane)
      sum += component.weight * value(component)
      known += component.weight
    }
    return sum / known
  }
}

/// Probability of an area under a normal distribution, by the distance of its mean from the edge
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
package func stripShare(distanceToEdge distance: Double, size: Double, sigma: Double) -> Double {
  let scale = 1 / (sigma * 2.0.squareRoot())
  let near = erfc(distance * scale) * 0.5
  guard size < 8 * sigma else { return near }
  let far = erfc((max(distance, -size) + 2 * size) * scale) * 0.5
  return max(near - far, 0)
}
