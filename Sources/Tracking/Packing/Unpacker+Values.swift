internal import Geodesy

/// Values of the engine among packed bytes.
extension Unpacker {
  mutating func takeTime() throws(PackedStateError) -> Timestamp {
    let code = UInt64(UInt(bitPattern: try takeNumber()))
    if PackedTime.isWhole(code) { return time.set(try take(Int64.self)) }
    guard let time = time.next(code) else { throw PackedStateError() }
    return time
  }

  mutating func takeOptionalTime() throws(PackedStateError) -> Timestamp? {
    try takeFlags(1)[0] ? try takeTime() : nil
  }

  /// Reads a number that may have been written as a Float.
  mutating func takeNumber(isShort: Bool) throws(PackedStateError) -> Double {
    isShort ? Double(try take(Float.self)) : try take(Double.self)
  }

  /// Reads a place on Earth.
  mutating func takeCoordinate() throws(PackedStateError) -> Coordinate {
    let (latitude, longitude) = (try take(Double.self), try take(Double.self))
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else { throw PackedStateError() }
    return coordinate
  }

  mutating func takeVector() throws(PackedStateError) -> Vector {
    Vector(x: try take(Double.self), y: try take(Double.self))
  }
}
