internal import Geodesy
internal import Glibc

/// Where one device is and whether it rests or moves, from all its fixes so far.
///
/// A ``MotionFilter`` does the work, on a flat map around the device. A fix that comes late is put
/// in its place among the last ones: the filter goes back to before it and takes the fixes since
/// again, so that the estimate is the one that order would have given.
struct Motion: Sendable, Hashable, Codable {
  /// The filter; nil before the first fix.
  private(set) var filter: MotionFilter?
  /// The flat map: its origin is somewhere near the device.
  private var map: LocalFrame?
  /// The last sightings by time, and the filter as it was before them and half-way through.
  private var recent: [Sighting] = []
  private var start: MotionFilter?
  private var middle: MotionFilter?
  private var middleCount = 0
  /// What is earlier than this has nothing to do with this track; nil when there was none before.
  private var horizon: Timestamp?

  /// How many fixes it remembers, so that a late one can be put among them.
  var memory: Int { recent.count }

  /// Takes a fix that is later than all before.
  mutating func ingest(_ fix: Fix) {
    guard let time = fix.time else { return }
    moveMap(near: fix.coordinate)
    let sighting = sighting(of: fix, at: time)
    remember(sighting)
    Self.advance(&filter, by: sighting)
  }

  /// Puts a late fix in its place.
  ///
  /// - Returns: why that cannot be done; nil when it was.
  mutating func insert(_ fix: Fix) -> Defect? {
    guard let time = fix.time, map != nil else { return .outOfOrder }
    if let horizon, time < horizon { return .outOfOrder }
    let sighting = sighting(of: fix, at: time)
    let place = recent.start { $0.time >= time }
    if place < recent.count, recent[place].time == time {
      return recent[place].isSamePlace(as: sighting) ? .duplicate : .sameTime
    }
    if let start, time <= start.mixture.last.time { return .outOfOrder }
    recent.insert(sighting, at: place)
    if place < middleCount {
      middleCount += 1
      redoMiddle()
    }
    filter = middle
    for sighting in recent[middleCount...] { Self.advance(&filter, by: sighting) }
    forgetSome()
    return nil
  }

  /// Forgets everything: the next fix, of this time, has nothing to do with what was before.
  mutating func restart(at time: Timestamp) {
    self = Motion()
    horizon = time
  }

  /// Late fixes may be many; no more are remembered than of those in order.
  private mutating func forgetSome() {
    guard recent.count > MotionModel.recentCount else { return }
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
    for sighting in recent[..<middleCount] { Self.advance(&middle, by: sighting) }
  }

  private static func advance(_ filter: inout MotionFilter?, by sighting: Sighting) {
    if filter == nil {
      filter = MotionFilter(sighting)
    } else {
      filter?.ingest(sighting)
    }
  }

  /// Keeps the sighting among the last ones.
  private mutating func remember(_ sighting: Sighting) {
    if recent.count - middleCount >= MotionModel.recentCount / 2 {
      recent.removeFirst(middleCount)
      start = middle
      middle = filter
      middleCount = recent.count
    }
    recent.append(sighting)
    forgetSome()
  }

  /// Where the device is by now; nil before the first fix.
  var estimate: Estimate? {
    guard let mixture = filter?.mixture, let map else { return nil }
    let mean = mixture.mean
    func spot(_ hypothesis: Hypothesis) -> Estimate.Spot {
      let place = Vector(x: hypothesis.x.position, y: hypothesis.y.position)
      return Estimate.Spot(
        place: place, offset: Vector(x: place.x - mean.x, y: place.y - mean.y).length,
        sigma: hypothesis.sigma, weight: hypothesis.weight)
    }
    return Estimate(
      time: mixture.last.time, map: map, coordinate: map.coordinate(at: mean),
      sigma: mixture.sigma, velocity: mixture.velocity, rest: spot(mixture.rest),
      walk: spot(mixture.walk), ride: spot(mixture.ride), off: spot(mixture.off))
  }

  private func sighting(of fix: Fix, at time: Timestamp) -> Sighting {
    let place = map?.vector(to: fix.coordinate) ?? Vector(x: 0, y: 0)
    return Sighting(
      time: time, x: place.x, y: place.y,
      accuracy: fix.horizontalAccuracy ?? MotionModel.unknownAccuracy,
      speed: fix.speed.flatMap { $0 <= MotionModel.mostSpeed ? $0 : nil },
      course: fix.course.map { $0 - convergence(at: fix.coordinate) })
  }

  /// By how much the map's north is clockwise of true north, degrees: the convergence of the
  /// meridians to first order.
  private func convergence(at place: Coordinate) -> Double {
    guard let origin = map?.origin else { return 0 }
    let east = (place.longitude - origin.longitude).remainder(dividingBy: 360)
    return east * sin(origin.latitude * .pi / 180)
  }
}

// MARK: - The map

extension Motion {
  /// Makes the map, or makes it anew when the device has left the part on which straight lines are
  /// straight.
  private mutating func moveMap(near place: Coordinate) {
    guard let old = map, let mixture = filter?.mixture else {
      map = LocalFrame(origin: place)
      return
    }
    let center = mixture.mean
    guard center.squaredLength > MotionModel.mapRadius * MotionModel.mapRadius else { return }
    moveMap(to: old.coordinate(at: center))
  }

  /// Shows all that is known on a map with another origin.
  mutating func moveMap(to origin: Coordinate) {
    guard let old = map else { return }
    let new = LocalFrame(origin: origin)
    let turn = MapChange(from: old, to: new)
    filter?.move(turn)
    start?.move(turn)
    middle?.move(turn)
    for index in recent.indices { recent[index].move(turn) }
    map = new
  }
}
