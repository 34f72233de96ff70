import CoreLocation
import Testing

/// Made-up fixes along a parallel through Berlin, without noise.
enum Trip {
  /// 2026-03-01T08:00:00Z.
  static let start = Date(timeIntervalSince1970: 1_772_352_000)
  static let origin = CLLocationCoordinate2D(latitude: 52.5, longitude: 13.4)

  /// The place so many metres east of the origin.
  static func place(_ east: Double) -> CLLocationCoordinate2D {
    let metresPerDegree = 111_412.84 * cos(origin.latitude * .pi / 180)
    return CLLocationCoordinate2D(
      latitude: origin.latitude, longitude: origin.longitude + east / metresPerDegree)
  }

  /// A fix so many seconds after the start and so many metres east of the origin.
  static func fix(_ seconds: Double, east: Double, accuracy: Double = 5) -> CLLocation {
    CLLocation(
      coordinate: place(east), altitude: 0, horizontalAccuracy: accuracy, verticalAccuracy: -1,
      timestamp: start.addingTimeInterval(seconds))
  }

  /// Fixes once a second, from one place to another.
  static func walk(
    from: Double, to: Double, start: Double, speed: Double = 1.4, accuracy: Double = 5
  ) -> [CLLocation] {
    let duration = (abs(to - from) / speed).rounded(.up)
    return stride(from: 0, through: duration, by: 1).map { second in
      let share = min(1, second * speed / max(abs(to - from), 1e-9))
      return fix(start + second, east: from + (to - from) * share, accuracy: accuracy)
    }
  }

  /// Fixes at one place.
  static func stay(
    _ east: Double, start: Double, seconds: Double, interval: Double = 1, accuracy: Double = 5
  ) -> [CLLocation] {
    stride(from: 0, through: seconds, by: interval).map {
      fix(start + $0, east: east, accuracy: accuracy)
    }
  }

  static func circle(_ identifier: String, east: Double = 0, radius: Double = 30)
    -> CLCircularRegion
  {
    CLCircularRegion(center: place(east), radius: radius, identifier: identifier)
  }

  /// Writes fixes to a file of their own, which `body` is given, and removes it.
  static func withTrace<R>(_ fixes: [CLLocation], _ body: (String) throws -> R) rethrows -> R {
    let path = write(fixes)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
  }

  /// Writes fixes to a file of their own, which `body` is given, and removes it.
  nonisolated(nonsending) static func withTrace<R>(
    _ fixes: [CLLocation], _ body: nonisolated(nonsending) (String) async throws -> R
  ) async rethrows -> R {
    let path = write(fixes)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
  }

  private static func write(_ fixes: [CLLocation]) -> String {
    var text = "time,latitude,longitude,accuracy\n"
    for fix in fixes {
      let time = fix.timestamp.formatted(.iso8601)
      text += "\(time),\(fix.coordinate.latitude),\(fix.coordinate.longitude),"
      text += "\(fix.horizontalAccuracy)\n"
    }
    let path = NSTemporaryDirectory() + "waymark-\(UUID().uuidString).csv"
    #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
    return path
  }
}

extension LocationService {
  /// Gives fixes one after the other, as a source does.
  func play(_ fixes: [CLLocation]) {
    for fix in fixes { deliver([fix]) }
  }
}
