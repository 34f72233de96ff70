internal import Foundation
internal import Geodesy
package import Services
package import Tracking

extension CLLocation {
  /// Vertical over horizontal accuracy, both of 68 %, for a fix that has an altitude but no vertical
  /// accuracy: 13 m and 8 m, both of 95 %, in the GPS SPS Performance Standard of 2020, § 3.8.3.
  private static let verticalShare = (13 / 1.96) / (8 / 2.448 * AccuracyRadius.roundedSigmas)

  /// Converts a fix: unknown values are −1, an unknown altitude is 0.
  ///
  /// A negative horizontal accuracy would make clients drop the fix. So a fix without one gets the
  /// accuracy that the engine assumes. A fix without a time gets the distant past.
  package convenience init(_ source: Location) {
    let fix = source.fix
    let accuracy =
      source.cellRadius ?? fix.horizontalAccuracy ?? MotionModel.unknownAccuracy
    let vertical =
      fix.altitude == nil ? -1 : fix.verticalAccuracy ?? accuracy * Self.verticalShare
    self.init(
      Values(
        coordinate: CLLocationCoordinate2D(fix.coordinate), altitude: fix.altitude ?? 0,
        ellipsoidalAltitude: fix.ellipsoidalAltitude ?? 0, horizontalAccuracy: accuracy,
        verticalAccuracy: vertical, course: fix.course ?? -1,
        courseAccuracy: fix.courseAccuracy ?? -1, speed: fix.speed ?? -1,
        speedAccuracy: fix.speedAccuracy ?? -1,
        timestamp: fix.time.map { Date($0) } ?? .distantPast,
        sourceInformation: source.origin == .receiver ? .receiver : .recording))
  }
}

extension Fix {
  /// Converts a location: invalid values are unknown.
  package init(_ location: CLLocation) {
    self.init(time: location.timestamp.time, coordinate: Coordinate(location.coordinate))
    // Apple marks an invalid coordinate so.
    if location.horizontalAccuracy < 0 { mode = .none }
    horizontalAccuracy = Self.known(location.horizontalAccuracy)
    speed = Self.known(location.speed)
    speedAccuracy = Self.known(location.speedAccuracy)
    course = Self.known(location.course)
    courseAccuracy = Self.known(location.courseAccuracy)
    guard let vertical = Self.known(location.verticalAccuracy) else { return }
    altitude = location.altitude
    verticalAccuracy = vertical
    if location.ellipsoidalAltitude != 0 { ellipsoidalAltitude = location.ellipsoidalAltitude }
  }

  private static func known(_ value: Double) -> Double? { value >= 0 ? value : nil }
}
