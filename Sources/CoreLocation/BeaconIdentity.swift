internal import Foundation

/// The identity of a beacon: a UUID, and a major and a minor number.
struct BeaconIdentity: Sendable, Hashable, CustomStringConvertible {
  var uuid: UUID
  /// Nil for any.
  var major: UInt16?
  /// Nil for any.
  var minor: UInt16?

  private static let uuidKey = "kCLBeaconCodingKeyUUID"
  private static let majorKey = "kCLBeaconCodingKeyMajor"
  private static let minorKey = "kCLBeaconCodingKeyMinor"

  /// The zero UUID, which no beacon has.
  static let none = BeaconIdentity(
    uuid: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))

  init(uuid: UUID, major: UInt16? = nil, minor: UInt16? = nil) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
  }

  /// Nil when there is no UUID.
  init?(_ coder: NSCoder) {
    guard let uuid = coder.uuid(forKey: Self.uuidKey) else { return nil }
    self.init(
      uuid: uuid, major: coder.number16(forKey: Self.majorKey),
      minor: coder.number16(forKey: Self.minorKey))
  }

  func encode(to coder: NSCoder) {
    coder.encode(uuid.uuidString, forKey: Self.uuidKey)
    coder.encode(major, forKey: Self.majorKey)
    coder.encode(minor, forKey: Self.minorKey)
  }

  var description: String {
    "uuid:\(uuid.uuidString), major:\(major.map(String.init) ?? "any"), "
      + "minor:\(minor.map(String.init) ?? "any")"
  }
}
