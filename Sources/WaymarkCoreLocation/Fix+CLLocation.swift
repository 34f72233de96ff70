public import CoreLocation
internal import Services
public import WaymarkKit

extension Fix {
  /// Makes a fix of a location of Core Location.
  ///
  /// A negative accuracy, speed or course is unknown. A location with a negative horizontal accuracy has
  /// no position, which the engine drops and counts.
  public init(location: CLLocation) {
    self.init(location)
  }
}

extension CLLocation {
  /// Makes a location of a fix, as a `CLLocationManager` would give it to its delegate.
  ///
  /// What the fix does not know is negative, and an unknown altitude 0. A fix without an accuracy has the
  /// one that the engine assumes, because clients drop a location with a negative one. A fix without a
  /// time has the distant past.
  public convenience init(fix: Fix) {
    self.init(Location(fix, from: .simulation))
  }
}

extension Coordinate {
  /// Makes a coordinate of one of Core Location, valid or not.
  public init(location: CLLocationCoordinate2D) {
    self.init(latitude: location.latitude, longitude: location.longitude)
  }
}

extension CLLocationCoordinate2D {
  /// Makes a coordinate of Core Location, valid or not.
  public init(coordinate: Coordinate) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }
}
