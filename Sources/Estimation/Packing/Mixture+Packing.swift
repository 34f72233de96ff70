internal import Geodesy
internal import Packing

extension Mixture {
  static var blank: Mixture {
    Mixture(modes: Modes(), last: .blank, claim: 0, began: .blank, resumed: .blank)
  }

  /// The last measurement is omitted when it is that of the device's last fix.
  static func code<Coder: StateCoder>(
    _ value: inout Mixture, lastFix: FixMeasurement?, _ coder: inout Coder
  ) throws(Coder.Failure) {
    var isLastFix = !Coder.isReading && value.last == lastFix
    var (hasStrayed, hasRested) = (value.strayed != nil, value.rested != nil)
    // States of 0.2.0 have none.
    var hasAccuracy = true
    var (isHeld, hasRefresh) = (value.held != nil, value.refresh != nil)
    var hasScatter = value.scatter != nil
    try coder.code(
      flags: &isLastFix, &value.isBack, &hasStrayed, &hasRested, &hasAccuracy, &isHeld, &hasRefresh,
      &hasScatter)
    if isLastFix {
      try coder.require(lastFix != nil)
      if Coder.isReading { value.last = lastFix ?? value.last }
    } else {
      try coder.code(&value.last)
    }
    try coder.code(&value.modes)
    try coder.code(&value.outlier)
    try coder.code(&value.claim)
    try coder.code(&value.whiteness)
    try coder.code(&value.jitter)
    try coder.code(&value.strayed, if: hasStrayed)
    try coder.code(&value.rested, if: hasRested)
    try coder.code(&value.held, if: isHeld)
    try coder.code(&value.refresh, if: hasRefresh)
    try coder.code(&value.scatter, if: hasScatter)
    try coder.code(&value.began)
    try coder.code(&value.resumed)
    try coder.code(&value.velocities)
    try coder.code(&value.correction)
    if hasAccuracy { try coder.code(&value.accuracy) } else { value.accuracy = .blank }
  }
}

extension Modes: Packable {
  static var blank: Modes { Modes() }

  @inline(__always)
  static func code<Coder: StateCoder>(
    _ value: inout Modes, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&value.px)
    try coder.code(&value.py)
    try coder.code(&value.bx)
    try coder.code(&value.by)
    try coder.code(&value.pp)
    try coder.code(&value.pb)
    try coder.code(&value.bb)
    try coder.code(&value.weight)
    try coder.code(moving: &value.vx)
    try coder.code(moving: &value.vy)
    try coder.code(moving: &value.pv)
    try coder.code(moving: &value.vv)
    try coder.code(moving: &value.vb)
  }
}

extension StateCoder {
  /// Only the lanes that have a velocity: it is 0 in the others.
  @inline(__always)
  fileprivate mutating func code(moving lanes: inout Modes.Lanes) throws(Failure) {
    var (walk, ride) = (lanes[Modes.walk], lanes[Modes.ride])
    try code(&walk)
    try code(&ride)
    if Self.isReading { lanes = Modes.Lanes(0, walk, ride, 0) }
  }
}

extension FixMeasurement: Packable {
  static var blank: FixMeasurement { FixMeasurement(time: .blank, x: 0, y: 0, accuracy: 0) }

  static func code<Coder: StateCoder>(
    _ value: inout FixMeasurement, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&value.time)
    try coder.code(&value.x)
    try coder.code(&value.y)
    var (hasSpeed, isShort) = (value.speed != nil, Float(exactly: value.accuracy) != nil)
    try coder.code(flags: &value.hasVelocity, &hasSpeed, &isShort)
    try coder.code(&value.accuracy, isShort: isShort)
    try coder.code(&value.speed, if: hasSpeed)
    if value.hasVelocity {
      try coder.code(&value.east)
      try coder.code(&value.north)
    } else if Coder.isReading {
      (value.east, value.north) = (0, 0)
    }
  }
}

extension VelocityCheck: Packable {
  static var blank: VelocityCheck { VelocityCheck() }

  static func code<Coder: StateCoder>(
    _ value: inout VelocityCheck, _ coder: inout Coder
  ) throws(Coder.Failure) {
    var isZero = value.east == 0 && value.north == 0
    try coder.code(flags: &value.contradicts, &isZero)
    if isZero {
      if Coder.isReading { (value.east, value.north) = (0, 0) }
    } else {
      try coder.code(&value.east)
      try coder.code(&value.north)
    }
  }
}

extension VelocityCorrection: Packable {
  static var blank: VelocityCorrection { VelocityCorrection() }

  static func code<Coder: StateCoder>(
    _ value: inout VelocityCorrection, _ coder: inout Coder
  ) throws(Coder.Failure) {
    var hasLearnt = value != .blank
    try coder.code(flags: &hasLearnt)
    guard hasLearnt else {
      if Coder.isReading { value = .blank }
      return
    }
    try coder.code(&value.lagging)
    try coder.code(&value.accelerated)
    try coder.code(&value.further)
    try coder.code(&value.travelled)
  }
}

extension AccuracyScale: Packable {
  static var blank: AccuracyScale { AccuracyScale() }

  /// The length is constant: a state that grows leaves a slot behind that no other state needs.
  static func code<Coder: StateCoder>(
    _ value: inout AccuracyScale, _ coder: inout Coder
  ) throws(Coder.Failure) {
    for kind in value.counts.indices {
      try coder.code(&value.logarithms[kind])
      try coder.code(bits: &value.counts[kind])
    }
    try coder.code(&value.spell.weight)
    try coder.code(&value.spell.x)
    try coder.code(&value.spell.y)
    try coder.code(&value.spell.square)
    try coder.code(&value.spell.stepped)
    try coder.code(&value.spell.lastX)
    try coder.code(&value.spell.lastY)
    try coder.code(&value.spell.since)
  }
}

extension Jitter: Packable {
  static var blank: Jitter { Jitter() }

  static func code<Coder: StateCoder>(
    _ value: inout Jitter, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&value.step)
    var isTimeShort = Float(exactly: value.stepTime) != nil
    var isCountShort = Float(exactly: value.count) != nil
    try coder.code(flags: &isTimeShort, &isCountShort)
    try coder.code(&value.stepTime, isShort: isTimeShort)
    try coder.code(&value.count, isShort: isCountShort)
    try coder.code(&value.variance)
  }
}

extension Estimate: Packable {
  static var blank: Estimate {
    Estimate(
      time: .blank, coordinate: .blank, sigma: 0, widest: 0, velocity: Vector(x: 0, y: 0),
      stillness: 0, isMoving: false)
  }

  static func code<Coder: StateCoder>(
    _ value: inout Estimate, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&value.time)
    try coder.code(&value.coordinate)
    try coder.code(&value.sigma)
    try coder.code(&value.widest)
    try coder.code(&value.velocity)
    try coder.code(&value.stillness)
    try coder.code(flags: &value.isMoving)
  }
}
