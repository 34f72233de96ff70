import CoreLocation
import Geodesy

/// Says places in metres east of a point, and times in seconds.
enum Walk {
  static let origin = Coordinate(latitude: 52.5, longitude: 13.4)
  static let start = Date(timeIntervalSince1970: 1_790_000_000)

  static func coordinate(east: Double) -> CLLocationCoordinate2D {
    let place = origin.destination(bearing: 90, distance: east)
    return CLLocationCoordinate2D(latitude: place.latitude, longitude: place.longitude)
  }

  static func location(_ second: Double, east: Double, accuracy: Double = 5) -> CLLocation {
    CLLocation(
      coordinate: coordinate(east: east), altitude: 0, horizontalAccuracy: accuracy,
      verticalAccuracy: -1, timestamp: start + second)
  }

  /// A walk at 10 m/s with a fix a second.
  static func locations(from: Double, to: Double, at second: Double) -> [CLLocation] {
    (0...Int(abs(to - from) / 10)).map { step in
      location(second + Double(step), east: from + (to > from ? 10 : -10) * Double(step))
    }
  }

  static func region(_ identifier: String, east: Double = 0, radius: Double = 100)
    -> CLCircularRegion
  {
    CLCircularRegion(center: coordinate(east: east), radius: radius, identifier: identifier)
  }
}

extension CLLocation {
  /// Metres east of the walk's origin, rounded.
  var east: Int {
    let place = Coordinate(latitude: coordinate.latitude, longitude: coordinate.longitude)
    return Int(Walk.origin.distance(to: place).rounded())
  }
}

extension LocationService {
  /// Gives the fixes of a walk one by one.
  func walk(from: Double, to: Double, at second: Double) {
    for location in Walk.locations(from: from, to: to, at: second) { deliver([location]) }
  }
}

extension AsyncIteratorProtocol {
  /// The next so many elements.
  mutating func take(_ count: Int) async throws -> [Element] {
    var taken: [Element] = []
    while taken.count < count, let element = try await next() { taken.append(element) }
    return taken
  }
}
