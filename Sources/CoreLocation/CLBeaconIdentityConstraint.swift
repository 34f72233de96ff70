public import Foundation

/// A set of beacons: those with a UUID, and with a major and a minor number if these are given.
///
/// There is no radio for beacons here; a constraint can only be made, compared and archived.
// Sendable: its one stored property is a constant value.
open class CLBeaconIdentityConstraint: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let identity: BeaconIdentity

  /// Matches the beacons with `uuid`.
  public init(uuid: UUID) {
    identity = BeaconIdentity(uuid: uuid)
    super.init()
  }

  /// Matches the beacons with `uuid` and a major number.
  public init(uuid: UUID, major: CLBeaconMajorValue) {
    identity = BeaconIdentity(uuid: uuid, major: major)
    super.init()
  }

  /// Matches the beacons with `uuid`, a major and a minor number.
  public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
    identity = BeaconIdentity(uuid: uuid, major: major, minor: minor)
    super.init()
  }

  /// Decodes a constraint; nil when the UUID is missing.
  public required init?(coder: NSCoder) {
    guard let identity = BeaconIdentity(coder) else { return nil }
    self.identity = identity
    super.init()
  }

  /// The UUID.
  open var uuid: UUID { identity.uuid }

  /// The major number; nil for any.
  open var major: UInt16? { identity.major }

  /// The minor number; nil for any.
  open var minor: UInt16? { identity.minor }

  /// Returns the constraint itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether it supports secure coding; true.
  open class var supportsSecureCoding: Bool { true }

  /// Encodes the constraint.
  open func encode(with coder: NSCoder) {
    BeaconIdentity(uuid: uuid, major: major, minor: minor).encode(to: coder)
  }

  /// Whether `object` matches the same beacons.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLBeaconIdentityConstraint else { return false }
    return other.uuid == uuid && other.major == major && other.minor == minor
  }

  /// A hash of the UUID and the numbers.
  open override var hash: Int {
    BeaconIdentity(uuid: uuid, major: major, minor: minor).hashValue
  }

  /// The UUID and the numbers as text.
  open override var description: String {
    "CLBeaconIdentityConstraint "
      + BeaconIdentity(uuid: uuid, major: major, minor: minor).description
  }
}
