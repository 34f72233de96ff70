internal import Geodesy
internal import Packing

extension Mixture {
  static var blank: Mixture {
    Mixture(modes: Modes(), last: .blank, claim: 0, began: .blank, resumed: .blank)
  }

  /// The last measurement is omitted when it is that of the device's last fix.
  static func code<Coder: StateCoder>(
    _ value: inout Mixture, lastFix: FixMeasurement?, _ coder: inout Coder
  ) {
    var isLastFix = !Coder.isReading && value.last == lastFix
    var (hasStrayed, hasRested) = (value.strayed != nil, value.rested != nil)
    // States of 0.2.0 have none.
    var hasAccuracy = true
    var (isHeld, hasRefresh) = (value.held != nil, value.refresh != nil)
    var hasScatter = value.scatter != nil
    coder.code(
      flags: &isLastFix, &value.isBack, &hasStrayed, &hasRested, &hasAccuracy, &isHeld, &hasRefresh,
      &hasScatter)
    if isLastFix {
      coder.require(lastFix != nil)
      if Coder.isReading { value.last = lastFix ?? value.last }
    } else {
      coder.code(&value.last)
    }
    coder.code(&value.modes)
    coder.code(&value.outlier)
    coder.code(&value.claim)
    coder.code(&value.whiteness)
    coder.code(&value.jitter)
    coder.code(&value.strayed, if: hasStrayed)
    coder.code(&value.rested, if: hasRested)
    coder.code(&value.held, if: isHeld)
    coder.code(&value.refresh, if: hasRefresh)
    coder.code(&value.scatter, if: hasScatter)
    coder.code(&value.began)
    coder.code(&value.resumed)
    coder.code(&value.velocities)
    coder.code(&value.correction)
    if hasAccuracy { coder.code(&value.accuracy) } else { value.accuracy = .blank }
  }
}

extension Modes: Packable {
  static var blank: Modes { Modes() }

  @inline(__always)
  static func code<Coder: StateCoder>(
    _ value: inout Modes, _ coder: inout Coder
  ) {
    coder.code(&value.px)
    coder.code(&value.py)
    coder.code(&value.bx)
    coder.code(&value.by)
    coder.code(&value.pp)
    coder.code(&value.pb)
    coder.code(&value.bb)
    coder.code(&value.weight)
    coder.code(moving: &value.vx)
    coder.code(moving: &value.vy)
    coder.code(moving: &value.pv)
    coder.code(moving: &value.vv)
    coder.code(moving: &value.vb)
  }
}

extension StateCoder {
  /// Only the lanes that have a velocity: it is 0 in the others.
  @inline(__always)
  fileprivate mutating func code(moving lanes: inout Modes.Lanes) {
    var (walk, ride) = (lanes[Modes.walk], lanes[Modes.ride])
    code(&walk)
    code(&ride)
    if Self.isReading { lanes = Modes.Lanes(0, walk, ride, 0) }
  }
}

extension FixMeasurement: Packable {
  static var blank: FixMeasurement { FixMeasurement(time: .blank, x: 0, y: 0, accuracy: 0) }

  static func code<Coder: StateCoder>(
    _ value: inout FixMeasurement, _ coder: inout Coder
  ) {
    coder.code(&value.time)
    coder.code(&value.x)
    coder.code(&value.y)
    var (hasSpeed, isShort) = (value.speed != nil, Float(exactly: value.accuracy) != nil)
    coder.code(flags: &value.hasVelocity, &hasSpeed, &isShort)
    coder.code(&value.accuracy, isShort: isShort)
    coder.code(&value.speed, if: hasSpeed)
    if value.hasVelocity {
      coder.code(&value.east)
      coder.code(&value.north)
    } else if Coder.isReading {
      (value.east, value.north) = (0, 0)
    }
  }
}

extension VelocityCheck: Packable {
  static var blank: VelocityCheck { VelocityCheck() }

  static func code<Coder: StateCoder>(
    _ value: inout VelocityCheck, _ coder: inout Coder
  ) {
    var isZero = value.east == 0 && value.north == 0
    coder.code(flags: &value.contradicts, &isZero)
    if isZero {
      if Coder.isReading { (value.east, value.north) = (0, 0) }
    } else {
      coder.code(&value.east)
      coder.code(&value.north)
    }
  }
}

extension VelocityCorrection: Packable {
  static var blank: VelocityCorrection { VelocityCorrection() }

  static func code<Coder: StateCoder>(
    _ value: inout VelocityCorrection, _ coder: inout Coder
  ) {
    var hasLearnt = value != .blank
    coder.code(flags: &hasLearnt)
    guard hasLearnt else {
      if Coder.isReading { value = .blank }
      return
    }
    coder.code(&value.lagging)
    coder.code(&value.accelerated)
    coder.code(&value.further)
    coder.code(&value.travelled)
  }
}

extension AccuracyScale: Packable {
  static var blank: AccuracyScale { AccuracyScale() }

  /// The length is constant: a state that grows leaves a slot behind that no other state needs.
  static func code<Coder: StateCoder>(
    _ value: inout AccuracyScale, _ coder: inout Coder
  ) {
    for kind in value.counts.indices {
      coder.code(&value.logarithms[kind])
      coder.code(bits: &value.counts[kind])
    }
    coder.code(&value.spell.weight)
    coder.code(&value.spell.x)
    coder.code(&value.spell.y)
    coder.code(&value.spell.square)
    coder.code(&value.spell.stepped)
    coder.code(&value.spell.lastX)
    coder.code(&value.spell.lastY)
    coder.code(&value.spell.since)
    // None is written as 0, which is none.
    var white = value.spell.white ?? 0
    coder.code(&white)
    if Coder.isReading { value.spell.white = white == 0 ? nil : white }
  }
}

extension Jitter: Packable {
  static var blank: Jitter { Jitter() }

  static func code<Coder: StateCoder>(
    _ value: inout Jitter, _ coder: inout Coder
  ) {
    coder.code(&value.step)
    var isTimeShort = Float(exactly: value.stepTime) != nil
    var isCountShort = Float(exactly: value.count) != nil
    coder.code(flags: &isTimeShort, &isCountShort)
    coder.code(&value.stepTime, isShort: isTimeShort)
    coder.code(&value.count, isShort: isCountShort)
    coder.code(&value.variance)
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
  ) {
    coder.code(&value.time)
    coder.code(&value.coordinate)
    coder.code(&value.sigma)
    coder.code(&value.widest)
    coder.code(&value.velocity)
    coder.code(&value.stillness)
    coder.code(flags: &value.isMoving)
  }
}
