/// What a program may know of the device's place.
package struct Grant: Sendable, Hashable, Codable {
  /// Whether it may know anything; raw values as Core Location's.
  package enum Status: Int32, Sendable, Hashable, Codable, CaseIterable {
    /// Nobody was asked yet.
    case notDetermined = 0
    /// Not allowed, and the user cannot change it.
    case restricted = 1
    /// Refused, or location services are off.
    case denied = 2
    /// Allowed at any time.
    case always = 3
    /// Allowed while the program is in use.
    case whenInUse = 4
  }

  /// How exactly.
  package enum Accuracy: Int, Sendable, Hashable, Codable, CaseIterable {
    case full = 0
    /// To a cell of some kilometres.
    case reduced = 1
  }

  package var status: Status
  package var accuracy: Accuracy

  package init(_ status: Status = .notDetermined, _ accuracy: Accuracy = .full) {
    self.status = status
    self.accuracy = accuracy
  }

  /// Whether places may be told at all.
  package var isAuthorized: Bool { status == .always || status == .whenInUse }
}
