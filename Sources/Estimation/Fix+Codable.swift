internal import Geodesy

extension Fix: Codable {
  private enum Key: String, CodingKey {
    case time, coordinate, mode, satellites
    case horizontalAccuracy, altitude, ellipsoidalAltitude, verticalAccuracy
    case speed, speedAccuracy, course, courseAccuracy
    case hdop, vdop, pdop
  }

  /// Reads what ``encode(to:)`` wrote; what is absent is unknown.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      time: try values.decodeIfPresent(Timestamp.self, forKey: .time),
      coordinate: try values.decode(Coordinate.self, forKey: .coordinate))
    mode = try values.decode(Mode.self, forKey: .mode)
    satellites = try values.decodeIfPresent(Int.self, forKey: .satellites)
    for (key, path) in Self.numbers {
      self[keyPath: path] = try values.decodeIfPresent(Double.self, forKey: key)
    }
  }

  /// Writes what is known; absent numbers are left out, as not every encoder can write NaN.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encodeIfPresent(time, forKey: .time)
    try values.encode(coordinate, forKey: .coordinate)
    try values.encode(mode, forKey: .mode)
    try values.encodeIfPresent(satellites, forKey: .satellites)
    for (key, path) in Self.numbers {
      try values.encodeIfPresent(self[keyPath: path], forKey: key)
    }
  }

  private static var numbers: [(Key, WritableKeyPath<Fix, Double?>)] {
    [
      (.horizontalAccuracy, \.horizontalAccuracy), (.altitude, \.altitude),
      (.ellipsoidalAltitude, \.ellipsoidalAltitude), (.verticalAccuracy, \.verticalAccuracy),
      (.speed, \.speed),
      (.speedAccuracy, \.speedAccuracy), (.course, \.course),
      (.courseAccuracy, \.courseAccuracy), (.hdop, \.hdop), (.vdop, \.vdop), (.pdop, \.pdop),
    ]
  }
}
