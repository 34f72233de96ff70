internal import Geodesy
internal import Packing

extension Contradiction: Packable {
  static var blank: Contradiction { Contradiction(start: .blank, time: .blank, coordinate: .blank) }

  static func code<Coder: StateCoder>(
    _ value: inout Contradiction, _ coder: inout Coder
  ) {
    coder.code(&value.start)
    coder.code(&value.time)
    coder.code(&value.coordinate)
  }
}

extension Wake: Packable {
  static var blank: Wake { Wake(silence: .blank, end: .blank, coordinate: .blank) }

  static func code<Coder: StateCoder>(
    _ value: inout Wake, _ coder: inout Coder
  ) {
    coder.code(flags: &value.isOver, &value.isRun)
    coder.code(&value.silence)
    coder.code(&value.end)
    coder.code(&value.coordinate)
  }
}

extension Rhythm: Packable {
  static var blank: Rhythm { Rhythm() }

  static func code<Coder: StateCoder>(
    _ value: inout Rhythm, _ coder: inout Coder
  ) {
    coder.code(count: &value.count)
    if value.count > 0 {
      coder.code(&value.moving)
    } else if Coder.isReading {
      value.moving = 0
    }
    coder.code(optional: &value.start)
  }
}

extension Rhythm.Start: Packable {
  static var blank: Self { Self(coordinate: .blank, accuracy: 0) }

  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) {
    coder.code(&value.coordinate)
    coder.code(&value.accuracy)
    coder.code(&value.seconds)
    coder.code(count: &value.fixes)
  }
}
