internal import Geodesy
package import Estimation

/// What a ship reports by AIS, to a receiver of a gpsd.
package struct ShipReport: Sendable, Hashable {
  /// The number of the sender (Maritime Mobile Service Identity).
  package let mmsi: Int
  /// Nil in a report without a position.
  package var fix: Fix?
  /// Nil in a report without the ship's name.
  package var name: String?
  /// The line of the report.
  package let line: Int

  /// The name of the device: `ship-211234560`.
  package var device: String {
    let digits = String(mmsi)
    return Self.prefix + String(repeating: "0", count: max(0, Self.digits - digits.count)) + digits
  }

  private static let prefix = "ship-"
  private static let digits = 9

  /// Whether a device has the name of a ship.
  package static func isShip(_ device: String) -> Bool {
    guard device.hasPrefix(prefix) else { return false }
    let number = device.dropFirst(prefix.count)
    return number.utf8.count == digits
      && number.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }
}

/// The time of the messages of ships, which have only the second of their minute: that of the receiver beside.
struct ShipClock: Sendable, Hashable {
  /// The receiver's last time; nil before the first.
  private(set) var time: Timestamp?

  private static let second: Int64 = 1_000_000_000
  private static let minute = 60 * second

  /// Takes the time of a report of the receiver.
  mutating func hear(_ time: Timestamp?) {
    if let time { self.time = time }
  }

  /// The instant with this second that is nearest to the receiver's time, at most half a minute from it.
  ///
  /// - Parameter second: 0 to 59; nil when it is not known, and the receiver's time is taken.
  func time(second: Int?) -> Timestamp? {
    guard let time, let second else { return time }
    let offset = Int64(second) * Self.second - Self.rest(of: time.nanoseconds)
    let half = Self.minute / 2
    let nearest =
      offset >= half ? offset - Self.minute : offset < -half ? offset + Self.minute : offset
    let (sum, isFar) = time.nanoseconds.addingReportingOverflow(nearest)
    return isFar ? nil : Timestamp(nanoseconds: sum)
  }

  /// The nanoseconds since the full minute.
  private static func rest(of time: Int64) -> Int64 {
    let rest = time % minute
    return rest < 0 ? rest + minute : rest
  }
}

extension AISReport.Position {
  /// The fix of the position; without one its mode is ``Fix/Mode/none``.
  func fix(at time: Timestamp?) -> Fix {
    guard let coordinate else {
      var fix = Fix(time: time, coordinate: Coordinate(latitude: .nan, longitude: .nan))
      fix.mode = .none
      return fix
    }
    var fix = Fix(time: time, coordinate: coordinate)
    (fix.horizontalAccuracy, fix.speed, fix.course) = (accuracy, speed, course)
    return fix
  }
}
