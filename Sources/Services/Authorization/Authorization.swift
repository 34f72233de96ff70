/// What a program may know of the device's location.
package struct Authorization: Sendable, Hashable, Codable {
  /// Whether it may know anything; raw values as Core Location's.
  package enum Status: Int32, Sendable, Hashable, Codable, CaseIterable {
    /// The user was not prompted yet.
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

  /// The accuracy of the locations it receives.
  package enum Accuracy: Int, Sendable, Hashable, Codable, CaseIterable {
    case full = 0
    /// The centre of a cell of some kilometres.
    case reduced = 1
  }

  package var status: Status
  package var accuracy: Accuracy

  package init(_ status: Status = .notDetermined, _ accuracy: Accuracy = .full) {
    self.status = status
    self.accuracy = accuracy
  }

  /// Whether it may receive locations at all.
  package var isAuthorized: Bool { status == .always || status == .whenInUse }
}
