package import Geodesy

/// The motion of one device: its position and whether it rests or moves, from all its fixes so far.
///
/// A ``MotionFilter`` does the work, on a flat map around the device. A late fix is inserted in order
/// among the last ones: the filter goes back to before it and repeats the updates since, so the
/// estimate is the one that fixes in order would have given.
///
/// The caller validates fixes with a ``Gate`` first. It passes those in order to ``ingest(_:)``,
/// late ones to ``insert(_:)``, and calls ``restart(at:)`` where the track has a break with another
/// clock. After each fix ``keepWindow(isNearEdge:)`` says whether the time of a crossing may be
/// needed. A state is at most some 20 kB (Docs/Accuracy.md, "Cost and memory").
package struct Motion: Sendable, Hashable, Codable {
  /// The filter; nil before the first fix.
  var filter: MotionFilter?
  /// The flat map: its origin is somewhere near the device.
  package internal(set) var map: LocalFrame?
  /// The last measurements by time, and the filter before them and half-way through.
  var recent: [FixMeasurement] = []
  var start: MotionFilter?
  var middle: MotionFilter?
  var middleCount = 0
  /// The fixes that give the time of a crossing of an edge that is near.
  var window = SmoothingWindow()
  /// Earlier fixes belong to another track; nil when there was none before.
  var horizon: Timestamp?

  /// A device without a fix.
  package init() {}

  /// Whether the last fix only repeated a position; such a fix is no measurement.
  ///
  /// It changes nothing. It is mutating because a call on an optional filter would otherwise copy it.
  @inline(__always)
  package var isHeld: Bool {
    mutating get { filter?.isHeld ?? false }
  }

  /// The estimate at the last measurement, with the time until when the device was there, if a fix at `now`
  /// is elsewhere; nil when no fix repeated its position.
  @inline(__always)
  package mutating func measured(before now: Timestamp) -> Estimate? {
    guard isHeld, let map else { return nil }
    return filter?.measured(before: now, on: map)
  }

  /// How many fixes it keeps so that a late one can be inserted.
  var memory: Int { recent.count }

  /// By how many seconds the reported velocities lag behind the positions, as learnt so far.
  package var velocityLag: Double { Double(filter?.mixture.correction.lag ?? 0) }

  /// By what factor the device's fixes of such a claim of accuracy err more than that, as learnt so far.
  package func accuracyFactor(ofClaim accuracy: Double) -> Double {
    filter?.mixture.accuracy.factor(ofClaim: accuracy) ?? 1
  }

  /// Whether this is a valid state at a time, nil before the first fix; a state that was read may be
  /// invalid.
  package func isValid(at time: Timestamp?) -> Bool {
    guard (0...recent.count).contains(middleCount) else { return false }
    let filters = [filter, start, middle].compactMap(\.self)
    guard let time else { return filters.isEmpty && recent.isEmpty && window.isEmpty }
    return filters.allSatisfy { $0.isValid(at: time) } && window.isValid(at: time)
      && recent.allSatisfy { $0.time <= time }
      && zip(recent, recent.dropFirst()).allSatisfy { $0.time < $1.time }
  }

  /// Updates with a fix that is later than all before.
  ///
  /// - Parameter hasEdges: whether ``keepWindow(isNearEdge:)`` may then keep it as the first of the window.
  /// - Returns: nil when it has no time.
  /// - Complexity: O(1): one update of the filter, and every 8 km a change of the map.
  @discardableResult
  package mutating func ingest(_ fix: Fix, hasEdges: Bool = true) -> FixEstimate? {
    guard let time = fix.time else { return nil }
    var map = self.map ?? LocalFrame(origin: fix.coordinate)
    if self.map == nil { self.map = map }
    var place = map.vector(to: fix.coordinate)
    if MotionModel.isFar(place), let new = moveMap() {
      map = new
      place = map.vector(to: fix.coordinate)
    }
    let measurement = FixMeasurement(fix, at: time, place: place, on: map)
    remember(measurement)
    if filter?.hold(measurement) != true {
      if !window.isEmpty {
        window.append(measurement, after: &filter)
      } else if hasEdges {
        window.begin(with: &filter)
      }
      if filter?.take(measurement) == nil { filter = MotionFilter(measurement) }
      if !window.isEmpty, let modes = filter?.modes { window.pass(modes) }
    } else {
      window.leavePath()
    }
    guard let found = filter?.estimate(on: map) else { return nil }
    return FixEstimate(fix, at: place, found)
  }

  /// Inserts a late fix in order.
  ///
  /// The estimate changes at once; fences and visits see it with the next fix in order.
  ///
  /// - Returns: the reason for dropping it; nil when it was inserted.
  /// - Complexity: O(``MotionModel/recentCount``) updates of the filter.
  package mutating func insert(_ fix: Fix) -> Defect? {
    guard let time = fix.time, let map else { return .outOfOrder }
    let measurement = FixMeasurement(fix, at: time, place: map.vector(to: fix.coordinate), on: map)
    let place: Int
    switch LateFixes.outcome(
      of: measurement, among: recent, after: start?.mixture.last.time, horizon: horizon)
    {
    case .dropped(let defect): return defect
    case .inserted(let index): place = index
    }
    recent.insert(measurement, at: place)
    window.insert(measurement)
    if place < middleCount {
      middleCount += 1
      redoMiddle()
    }
    filter = middle
    for measurement in recent[middleCount...] { Self.update(&filter, with: measurement) }
    forgetSome()
    return nil
  }

  /// Fixes farther than this from an edge do not matter for the time at which it was crossed, metres.
  package static var windowReach: Double { SmoothingWindow.reach }

  /// The time of the first fix of the window; nil when no edge is near.
  package var windowStart: Timestamp? { window.measurements.first?.time }

  /// A fix of the window: its time, its position and what is believed of its error.
  package typealias PlacedFix = (time: Timestamp, coordinate: Coordinate, sigma: Double)

  /// The last of the fixes near an edge that lies where `isThere` says and has one after it that does not,
  /// and that one; nil when there is none.
  package func lastFix(
    where isThere: (Coordinate) -> Bool
  ) -> (last: PlacedFix, next: PlacedFix)? {
    guard let map else { return nil }
    var next: PlacedFix?
    for fix in window.measurements.reversed() {
      let placed = (fix.time, map.coordinate(at: Vector(x: fix.x, y: fix.y)), fix.sigma)
      guard isThere(placed.1) else {
        next = placed
        continue
      }
      if let next { return (placed, next) }
    }
    return nil
  }

  /// Keeps the last fix in the window if an edge is near, else clears it: see ``SmoothingWindow``.
  package mutating func keepWindow(isNearEdge: Bool) {
    // The window has no fix that only repeats a position.
    guard !isHeld else { return }
    if !isNearEdge {
      window.clear()
    } else if window.isEmpty, let last = recent.last, let modes = filter?.modes {
      window.open(with: last, modes)
    }
  }

  /// Starts over: the next fix, of this time, belongs to another track.
  package mutating func restart(at time: Timestamp) {
    self = Motion()
    horizon = time
  }

  /// Keeps no more fixes when many came late.
  private mutating func forgetSome() {
    guard LateFixes.isOverfull(recent.count) else { return }
    if middleCount == 0 { split() }
    recent.removeFirst(middleCount)
    start = middle
    split()
  }

  private mutating func split() {
    middleCount = recent.count / 2
    redoMiddle()
  }

  private mutating func redoMiddle() {
    middle = start
    for measurement in recent[..<middleCount] { Self.update(&middle, with: measurement) }
  }

  private static func update(_ filter: inout MotionFilter?, with measurement: FixMeasurement) {
    // This form updates it in place: it is large.
    if filter?.update(measurement) == nil { filter = MotionFilter(measurement) }
  }

  /// Keeps the measurement among the last ones.
  private mutating func remember(_ measurement: FixMeasurement) {
    if LateFixes.isFull(recent.count, since: middleCount) {
      recent.removeFirst(middleCount)
      start = middle
      middle = filter
      middleCount = recent.count
    }
    recent.append(measurement)
    forgetSome()
  }

  /// The estimate and the mixture of positions now; nil before the first fix.
  @inline(__always)
  var now: (estimate: Estimate, positions: PositionMixture)? {
    guard let map, let filter else { return nil }
    return filter.mixture.estimate(on: map)
  }

  /// The estimate now; nil before the first fix.
  package var estimate: Estimate? { now?.estimate }
}

// MARK: - The map

extension Motion {
  /// Makes a new map when the device has left the part on which straight lines are straight.
  ///
  /// - Returns: the new one; nil when it did not.
  private mutating func moveMap() -> LocalFrame? {
    guard let old = map, let center = filter?.mixture.modes.mean, MotionModel.isFar(center) else {
      return nil
    }
    moveMap(to: old.coordinate(at: center))
    return map
  }

  /// Moves the state to a map with another origin.
  mutating func moveMap(to origin: Coordinate) {
    guard let old = map else { return }
    let new = LocalFrame(origin: origin)
    let turn = MapChange(from: old, to: new)
    filter?.move(turn)
    start?.move(turn)
    middle?.move(turn)
    window.move(turn)
    for index in recent.indices { recent[index].move(turn) }
    map = new
  }
}
