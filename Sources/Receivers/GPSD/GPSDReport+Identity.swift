extension GPSDReport {
  /// Whether both are equal to the bit; == considers two unknown numbers (NaN) different.
  package func isIdentical(to other: GPSDReport) -> Bool {
    switch (self, other) {
    case (.position(let a), .position(let b)):
      a.device == b.device && a.mode == b.mode && a.status == b.status && a.time == b.time
        && zip(a.numbers, b.numbers).allSatisfy { $0.bitPattern == $1.bitPattern }
    case (.sky(let a), .sky(let b)):
      a.device == b.device && a.satellitesUsed == b.satellitesUsed
        && a.satellitesVisible == b.satellitesVisible
        && zip(a.numbers, b.numbers).allSatisfy { $0.bitPattern == $1.bitPattern }
    case (.attitude(let a), .attitude(let b)):
      a.device == b.device && a.time == b.time && a.field == b.field
        && a.isReliable == b.isReliable
        && zip(a.numbers, b.numbers).allSatisfy { $0.bitPattern == $1.bitPattern }
    default: self == other
    }
  }
}

extension GPSDPosition {
  fileprivate var numbers: [Double] {
    [
      latitude, longitude, ellipsoidalAltitude, altitude, speed, course, horizontalError,
      longitudeError, latitudeError, verticalError, courseError, variation,
    ]
  }
}

extension GPSDSky {
  fileprivate var numbers: [Double] { [hdop, vdop, pdop] }
}

extension GPSDAttitude {
  fileprivate var numbers: [Double] { [magnetic, geographic] }
}
