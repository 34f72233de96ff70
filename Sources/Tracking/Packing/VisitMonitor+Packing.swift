internal import Geodesy
internal import Packing

extension VisitMonitor {
  /// The state, with the part of the trail that is still needed.
  static func code<Coder: StateCoder>(
    _ value: inout VisitMonitor, _ coder: inout Coder
  ) throws(Coder.Failure) {
    var (hasMap, hasStay, hasEnded) = (value.map != nil, value.stay != nil, value.ended != nil)
    try coder.code(flags: &hasMap, &hasStay, &value.hasMoved, &value.takesFixes, &hasEnded)
    guard hasMap else {
      if Coder.isReading { value = VisitMonitor() }
      return
    }
    try coder.code(&value.map, if: true)
    try coder.code(optional: &value.silent)
    try coder.code(optional: &value.seen)
    try coder.code(&value.ended, if: hasEnded)
    try coder.code(&value.gap)
    try coder.code(&value.stay, if: hasStay)
    try Trail.code(&value.trail, from: min(value.first, value.stay?.last ?? value.first), &coder)
    var candidate = value.trail.end - value.first
    try coder.code(count: &candidate)
    if Coder.isReading { value.first = value.trail.end - candidate }
    try coder.require(value.isValid)
  }
}

extension VisitMonitor.Stay: Packable {
  static var blank: Self {
    Self(
      arrival: .blank, isArrivalSeen: false, arrivalUncertainty: 0, center: Vector(x: 0, y: 0),
      sigma: 0, weight: 0,
      last: 0, lastTime: .blank, fixes: .blank)
  }

  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) throws(Coder.Failure) {
    var isAway = value.away != nil
    try coder.code(flags: &value.isArrivalSeen, &isAway)
    try coder.code(&value.arrival)
    try coder.code(&value.center)
    try coder.code(&value.sigma)
    try coder.code(&value.weight)
    try coder.code(&value.spread)
    try coder.code(count: &value.last)
    try coder.code(&value.lastTime)
    try coder.code(&value.away, if: isAway)
    try coder.code(count: &value.awayCount)
    try coder.code(&value.arrivalUncertainty)
    try coder.code(&value.unseen)
    try coder.code(&value.fixes)
    try coder.code(optional: &value.left)
  }
}

extension StayFixes: Packable {
  static var blank: Self { Self(place: Vector(x: 0, y: 0)) }

  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&value.place)
    try coder.code(&value.weight)
    try coder.code(&value.votes)
    try coder.code(&value.time)
    try coder.code(&value.apart)
  }
}

extension Silence: Packable {
  static var blank: Self { Self(start: .blank, seconds: 0, distance: 0, speed: 0) }

  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&value.start)
    try coder.code(&value.seconds)
    try coder.code(&value.distance)
    try coder.code(&value.speed)
  }
}

extension VisitMonitor.SilentStay: Packable {
  static var blank: Self {
    Self(
      arrival: .blank, arrivalUncertainty: 0, coordinate: .blank, horizontalAccuracy: 0,
      silence: .blank, heardAt: .blank)
  }

  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&value.arrival)
    try coder.code(&value.arrivalUncertainty)
    try coder.code(&value.coordinate)
    try coder.code(&value.horizontalAccuracy)
    try coder.code(&value.silence)
    try coder.code(&value.heardAt)
  }
}

extension VisitMonitor.LastFix: Packable {
  static var blank: Self { Self(time: .blank, coordinate: .blank, horizontalAccuracy: 0) }

  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&value.time)
    try coder.code(&value.coordinate)
    try coder.code(&value.horizontalAccuracy)
    try coder.code(optional: &value.absence)
  }
}

extension VisitMonitor.Absence: Packable {
  static var blank: Self { Self(time: .blank, distance: 0, count: 0) }

  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&value.time)
    try coder.code(&value.distance)
    try coder.code(count: &value.count)
  }
}

extension Trail {
  /// The points that are still needed when no query begins before `first`.
  ///
  /// - Parameter first: A reader ignores it.
  fileprivate static func code<Coder: StateCoder>(
    _ value: inout Trail, from first: Int, _ coder: inout Coder
  ) throws(Coder.Failure) {
    var needed = Coder.isReading ? 0 : value.needed(from: first)
    try coder.code(count: &needed)
    var length = Coder.isReading ? 0 : value.end - needed
    try coder.code(length: &length)
    if Coder.isReading { value.begin(at: needed) }
    for number in needed..<needed + length {
      var point = Coder.isReading ? .blank : value[number]
      try coder.code(&point)
      if Coder.isReading { value.restore(point) }
    }
  }
}

extension Trail.Point: Packable {
  static var blank: Self {
    let zero = Vector(x: 0, y: 0)
    return Self(
      time: .blank, place: zero, sigma: 0, speed: 0, stillness: 0, fix: zero, fixSigma: 0)
  }

  @inline(__always)
  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&value.time)
    try coder.code(&value.place)
    try coder.code(&value.sigma)
    try coder.code(&value.speed)
    try coder.code(&value.stillness)
    try coder.code(&value.fix)
    try coder.code(&value.fixSigma)
  }
}
