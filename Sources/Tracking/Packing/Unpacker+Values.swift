internal import Geodesy

/// Values of the engine among packed bytes.
extension Unpacker {
  mutating func takeTime() throws(PackedStateError) -> Timestamp {
    Timestamp(nanoseconds: try take(Int64.self))
  }

  mutating func takeOptionalTime() throws(PackedStateError) -> Timestamp? {
    try takeOptional(Int64.self).map(Timestamp.init(nanoseconds:))
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
