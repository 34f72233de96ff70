internal import Geodesy
internal import Packing

extension Contradiction: Packable {
  static var blank: Contradiction { Contradiction(start: .blank, time: .blank, coordinate: .blank) }

  static func code<Coder: StateCoder>(
    _ value: inout Contradiction, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&value.start)
    try coder.code(&value.time)
    try coder.code(&value.coordinate)
  }
}

extension Wake: Packable {
  static var blank: Wake { Wake(silence: .blank, end: .blank, coordinate: .blank) }

  static func code<Coder: StateCoder>(
    _ value: inout Wake, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(flags: &value.isOver, &value.isRun)
    try coder.code(&value.silence)
    try coder.code(&value.end)
    try coder.code(&value.coordinate)
  }
}

extension Rhythm: Packable {
  static var blank: Rhythm { Rhythm() }

  static func code<Coder: StateCoder>(
    _ value: inout Rhythm, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(count: &value.count)
    if value.count > 0 {
      try coder.code(&value.moving)
    } else if Coder.isReading {
      value.moving = 0
    }
    try coder.code(optional: &value.start)
  }
}

extension Rhythm.Start: Packable {
  static var blank: Self { Self(coordinate: .blank, accuracy: 0) }

  static func code<Coder: StateCoder>(
    _ value: inout Self, _ coder: inout Coder
  ) throws(Coder.Failure) {
    try coder.code(&value.coordinate)
    try coder.code(&value.accuracy)
    try coder.code(&value.seconds)
    try coder.code(count: &value.fixes)
  }
}
