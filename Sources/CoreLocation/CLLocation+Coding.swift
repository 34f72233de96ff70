internal import Foundation

/// The keys of a location's values in an archive; the first group has the keys of Apple's archives.
private enum Key {
  static let coordinate = "kCLLocationCodingKeyCoordinate"
  static let rawCoordinate = "kCLLocationCodingKeyRawCoordinate"
  static let altitude = "kCLLocationCodingKeyAltitude"
  static let horizontalAccuracy = "kCLLocationCodingKeyHorizontalAccuracy"
  static let timestamp = "kCLLocationCodingKeyTimestamp"

  static let ellipsoidalAltitude = "kCLLocationCodingKeyEllipsoidalAltitude"
  static let verticalAccuracy = "kCLLocationCodingKeyVerticalAccuracy"
  static let course = "kCLLocationCodingKeyCourse"
  static let courseAccuracy = "kCLLocationCodingKeyCourseAccuracy"
  static let speed = "kCLLocationCodingKeySpeed"
  static let speedAccuracy = "kCLLocationCodingKeySpeedAccuracy"
  static let floor = "kCLLocationCodingKeyFloor"
  static let sourceInformation = "kCLLocationCodingKeySourceInformation"
}

extension CLLocation.Values {
  /// Decodes the values.
  ///
  /// Missing ones are unknown. Without a coordinate the location is invalid: 0, 0 with a negative
  /// horizontal accuracy.
  init(_ coder: NSCoder) {
    let coordinate =
      coder.coordinate(forKey: Key.coordinate) ?? coder.coordinate(forKey: Key.rawCoordinate)
    self.init(
      coordinate: coordinate ?? CLLocationCoordinate2D(),
      horizontalAccuracy: coordinate == nil ? -1 : 0,
      timestamp: coder.date(forKey: Key.timestamp) ?? .distantPast)
    let numbers: [(String, WritableKeyPath<CLLocation.Values, Double>)] = [
      (Key.altitude, \.altitude), (Key.ellipsoidalAltitude, \.ellipsoidalAltitude),
      (Key.horizontalAccuracy, \.horizontalAccuracy), (Key.verticalAccuracy, \.verticalAccuracy),
      (Key.course, \.course), (Key.courseAccuracy, \.courseAccuracy), (Key.speed, \.speed),
      (Key.speedAccuracy, \.speedAccuracy),
    ]
    for (key, path) in numbers {
      if let number = coder.double(forKey: key) { self[keyPath: path] = number }
    }
    floor = coder.object(of: [CLFloor.self], forKey: Key.floor) as? CLFloor
    sourceInformation =
      coder.object(of: [CLLocationSourceInformation.self], forKey: Key.sourceInformation)
      as? CLLocationSourceInformation
  }
}

extension CLLocation {
  func encodeValues(to coder: NSCoder) {
    coder.encode(coordinate, forKey: Key.coordinate)
    // There is no map matching here, so the raw coordinate is the same.
    coder.encode(coordinate, forKey: Key.rawCoordinate)
    coder.encode(altitude, forKey: Key.altitude)
    coder.encode(ellipsoidalAltitude, forKey: Key.ellipsoidalAltitude)
    coder.encode(horizontalAccuracy, forKey: Key.horizontalAccuracy)
    coder.encode(verticalAccuracy, forKey: Key.verticalAccuracy)
    coder.encode(course, forKey: Key.course)
    coder.encode(courseAccuracy, forKey: Key.courseAccuracy)
    coder.encode(speed, forKey: Key.speed)
    coder.encode(speedAccuracy, forKey: Key.speedAccuracy)
    coder.encode(timestamp, forKey: Key.timestamp)
    coder.encode(optional: floor, forKey: Key.floor)
    coder.encode(optional: sourceInformation, forKey: Key.sourceInformation)
  }
}
