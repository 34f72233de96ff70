internal import Geodesy
internal import Packing

extension VisitMonitor {
  /// The state, with the part of the trail that is still needed.
  ///
  /// - Parameter other: The map of the filter, which is usually this one too.
  static func code<Coder: StateCoder>(
    _ value: inout VisitMonitor, like other: LocalFrame?, _ coder: inout Coder
  ) {
    var (hasMap, hasStay, hasEnded) = (value.map != nil, value.stay != nil, value.ended != nil)
    coder.code(flags: &hasMap, &hasStay, &value.hasMoved, &value.takesFixes, &hasEnded)
    guard hasMap else {
      if Coder.isReading { value = VisitMonitor() }
      return
    }
    coder.code(&value.map, if: true, like: other)
    coder.code(optional: &value.silent)
    coder.code(optional: &value.seen)
    coder.code(&value.ended, if: hasEnded)
    coder.code(&value.gap)
    coder.code(&value.stay, if: hasStay)
    Trail.code(&value.trail, from: min(value.first, value.stay?.last ?? value.first), &coder)
    var candidate = value.trail.end - value.first
    coder.code(count: &candidate)
    if Coder.isReading { value.first = value.trail.end - candidate }
    coder.require(value.isValid)
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
  ) {
    var isAway = value.away != nil
    coder.code(flags: &value.isArrivalSeen, &isAway)
    coder.code(&value.arrival)
    coder.code(&value.center)
    coder.code(&value.sigma)
    coder.code(&value.weight)
    coder.code(&value.spread)
    coder.code(count: &value.last)
    coder.code(&value.lastTime)
    coder.code(&value.away, if: isAway)
    coder.code(count: &value.awayCount)
    coder.code(&value.arrivalUncertainty)
    coder.code(&value.unseen)
    coder.code(&value.fixes)
    coder.code(optional: &value.left)
  }
}

extension StayFixes: Packable {
  static var blank: Self { Self(place: Vector(x: 0, y: 0)) }

  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) {
    coder.code(&value.place)
    coder.code(&value.weight)
    coder.code(&value.votes)
    coder.code(&value.time)
    coder.code(&value.apart)
  }
}

extension Silence: Packable {
  static var blank: Self { Self(start: .blank, seconds: 0, distance: 0, speed: 0) }

  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) {
    coder.code(&value.start)
    coder.code(&value.seconds)
    coder.code(&value.distance)
    coder.code(&value.speed)
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
  ) {
    coder.code(&value.arrival)
    coder.code(&value.arrivalUncertainty)
    coder.code(&value.coordinate)
    coder.code(&value.horizontalAccuracy)
    coder.code(&value.silence)
    coder.code(&value.heardAt)
  }
}

extension VisitMonitor.LastFix: Packable {
  static var blank: Self { Self(time: .blank, coordinate: .blank, horizontalAccuracy: 0) }

  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) {
    coder.code(&value.time)
    coder.code(&value.coordinate)
    coder.code(&value.horizontalAccuracy)
    coder.code(optional: &value.absence)
  }
}

extension VisitMonitor.Absence: Packable {
  static var blank: Self { Self(time: .blank, distance: 0, count: 0) }

  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) {
    coder.code(&value.time)
    coder.code(&value.distance)
    coder.code(count: &value.count)
  }
}

extension Trail {
  /// The points that are still needed when no query begins before `first`.
  ///
  /// - Parameter first: A reader ignores it.
  fileprivate static func code<Coder: StateCoder>(
    _ value: inout Trail, from first: Int, _ coder: inout Coder
  ) {
    var needed = Coder.isReading ? 0 : value.needed(from: first)
    coder.code(count: &needed)
    var length = Coder.isReading ? 0 : value.end - needed
    coder.code(length: &length)
    if Coder.isReading { value.begin(at: needed) }
    for number in needed..<needed + length {
      var point = Coder.isReading ? .blank : value[number]
      coder.code(&point)
      guard coder.isValid else { break }
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
  ) {
    coder.code(&value.time)
    coder.code(&value.place)
    coder.code(&value.sigma)
    coder.code(&value.speed)
    coder.code(&value.stillness)
    coder.code(&value.fix)
    coder.code(&value.fixSigma)
  }
}
