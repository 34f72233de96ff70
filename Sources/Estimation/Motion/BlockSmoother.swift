internal import Geodesy
internal import Glibc

/// The estimates of one device at the fixes of a recording, each from the fixes before and after it.
///
/// A two-filter smoother over the modes of the filter, as in ``Motion/smoothedPath(since:)``, and not a
/// Rauch-Tung-Striebel recursion: that would have to run backwards through the merging of modes, while
/// the reverse filter is the filter itself, with its treatment of outliers and wrong places. It works
/// block by block: the reverse filter starts some fixes after the block, so memory is bounded.
package struct BlockSmoother: Sendable {
  /// A fix and its time.
  package typealias TimedFix = (fix: Fix, time: Timestamp)

  /// The filter before the next block; nil before the first fix.
  private var filter: MotionFilter?
  private var map: LocalFrame?

  /// The reverse filter starts so many fixes and seconds after a block: no spell of wrong positions
  /// lasts longer (``MotionModel/longestOffset``).
  private static let lookAhead = (count: 96, time: MotionModel.longestOffset)
  /// Fixes that are farther away than this from the first of a block are not looked at, metres: on a
  /// flat map their error is 0.5 m, and none of the others is decided by them.
  private static let mapReach = 25_000.0

  /// A device of which no block was smoothed yet.
  package init() {}

  /// Starts over: the next fix belongs to another track.
  package mutating func restart() { self = BlockSmoother() }

  /// Smooths the first of the fixes, at least one of them.
  ///
  /// - Parameters:
  ///   - fixes: the next fixes by time, and those after them that are known; not empty.
  ///   - isEnd: whether the track ends with them.
  ///   - canWait: whether none may be smoothed, as too few are known.
  /// - Returns: the estimates, nil at a fix that only repeats a position; their fixes must not be given
  ///   again.
  /// - Complexity: two updates of the filter for each of the fixes.
  package mutating func smooth(
    _ fixes: [TimedFix], isEnd: Bool, canWait: Bool
  ) -> [FixEstimate?] {
    let map = LocalFrame(origin: fixes[0].fix.coordinate)
    let measurements = fixes.prefix { isWithinReach($0.fix, of: map) }
      .map {
        FixMeasurement($0.fix, at: $0.time, place: map.vector(to: $0.fix.coordinate), on: map)
      }
    let isWhole = measurements.count == fixes.count
    var count = measurements.count
    if !(isEnd && isWhole) {
      count = Self.known(measurements)
      if count == 0, canWait, isWhole { return [] }
    }
    let near = measurements.prefix { !MotionModel.isFar(Vector(x: $0.x, y: $0.y)) }.count
    // Something is decided always: of a device that goes far between two fixes little is known.
    count = max(min(max(count, measurements.count / 4), near), 1)
    if let old = self.map { filter?.move(MapChange(from: old, to: map)) }
    self.map = map
    let path = smoothedModes(measurements, count, on: map)
    return (0..<count).map { index in
      guard let modes = path[index] else { return nil }
      let measurement = measurements[index]
      let positions = PositionMixture(modes, on: map)
      let estimate = Estimate(modes, positions, at: measurement.time)
      let place = Vector(x: measurement.x, y: measurement.y)
      return FixEstimate(fixes[index].fix, at: place, (estimate, positions))
    }
  }

  private func isWithinReach(_ fix: Fix, of map: LocalFrame) -> Bool {
    map.vector(to: fix.coordinate).squaredLength <= Self.mapReach * Self.mapReach
  }

  /// The number of measurements after which enough others are known.
  private static func known(_ measurements: [FixMeasurement]) -> Int {
    let last = measurements[measurements.count - 1].time
    let most = max(0, measurements.count - lookAhead.count)
    return measurements[..<most].firstIndex { last.seconds(since: $0.time) < lookAhead.time }
      ?? most
  }

  /// The modes at the first `count` measurements; the filter is then the one after them.
  ///
  /// The forward filter runs over all that is known, and the reverse filter from the end of that
  /// back to the first. `filter` keeps the forward state at the last fix of the block, from which
  /// the next block goes on.
  private mutating func smoothedModes(
    _ measurements: [FixMeasurement], _ count: Int, on map: LocalFrame
  ) -> [Modes?] {
    var forward = filter ?? MotionFilter(measurements[0])
    var states: [ForwardState?] = []
    for (index, measurement) in measurements.enumerated() {
      if index > 0 || filter != nil { forward.update(measurement) }
      states.append(forward.mixture.held == nil ? ForwardState(forward.mixture) : nil)
      if index == count - 1 { filter = forward }
    }
    var path = [Modes?](repeating: nil, count: count)
    var backward: ReverseFilter?
    for index in measurements.indices.reversed() {
      guard let state = states[index] else { continue }
      let time = measurements[index].time
      let corrected = measurements.corrected(index, by: forward.mixture.correction)
      guard let later = backward?.predict(to: time) else {
        backward = ReverseFilter(corrected, like: forward.mixture)
        if index < count { path[index] = state.modes }
        continue
      }
      backward?.update(corrected)
      guard index < count, let backward else { continue }
      path[index] = state.combined(
        with: later, prior: backward.modePrior(at: time), outlier: backward.outlier,
        age: backward.age, on: map)
    }
    return path
  }
}

/// What the forward filter holds at a fix.
private struct ForwardState {
  var modes: Modes
  /// Probability that the fix was wrong altogether.
  var outlier: Double
  /// For how long it has been known where the device is, seconds.
  var age: Double

  /// The two filters contradict each other when their squared distance is so many times the sum of
  /// their variances.
  private static let contradiction = 12.0
  /// Below this distance, metres, both are wrong by the same amount; beyond, one of them is right.
  ///
  /// Positions that lag, or drift slowly, are combined with variances that make the distance the square
  /// root of ``sharedSquare`` sigmas.
  private static let sharedDistance = 200.0
  private static let sharedSquare = 2.25
  /// They exclude each other when the logarithm of their density is below this.
  private static let leastDensity = -40.0
  /// A filter that has known the device for longer than this is believed no more, seconds.
  private static let longestAge = 3_600.0

  init(_ mixture: Mixture) {
    (modes, outlier, age) = (mixture.modes, mixture.outlier, mixture.age)
  }

  /// The estimate of both filters together.
  ///
  /// Where they contradict each other and one of them is wrong, each is weighed by how long it has known
  /// the device, and by the probability that the fix is no outlier for it.
  func combined(
    with later: Modes, prior: Modes.Lanes, outlier laterOutlier: Double, age laterAge: Double,
    on map: LocalFrame
  ) -> Modes {
    var (first, last) = (modes, later)
    let (a, b) = (Spread(first, on: map), Spread(last, on: map))
    let square =
      Vector(x: a.mean.x - b.mean.x, y: a.mean.y - b.mean.y).squaredLength
    let isContradiction = square > Self.contradiction * (a.variance + b.variance)
    let isShared = square < Self.sharedDistance * Self.sharedDistance
    if isContradiction, isShared {
      let added = Float((square / Self.sharedSquare - a.variance - b.variance) / 2)
      first.pp += max(added, 0)
      last.pp += max(added, 0)
    }
    if !isContradiction || isShared,
      let both = first.combined(with: last, prior: prior, least: Self.leastDensity)
    {
      return both
    }
    let (early, late) = (weight(outlier, age), weight(laterOutlier, laterAge))
    first.weight *= Float(early / (early + late))
    last.weight *= Float(late / (early + late))
    first.merge(last)
    return first
  }

  /// How much a filter counts in a contradiction.
  ///
  /// It is the seconds for which it has known the device, less when the fix is an outlier for it.
  /// The 0.01 keeps both from being 0 when the fix is one for both.
  private func weight(_ outlier: Double, _ age: Double) -> Double {
    (1.01 - outlier) * min(max(age, 1), Self.longestAge)
  }
}

/// Mean and variance along one axis of the position.
private struct Spread {
  let mean: Vector
  let variance: Double

  init(_ modes: Modes, on map: LocalFrame) {
    let positions = PositionMixture(modes, on: map)
    mean = positions.mean
    variance = Double((modes.weight * (modes.pp + 0.5 * positions.squares)).sum())
  }
}
