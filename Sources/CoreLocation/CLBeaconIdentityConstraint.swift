public import Foundation

/// Which beacons are meant: those of a UUID, and of a major and a minor number when they are given.
///
/// There is no radio for beacons here; it can be made, compared and archived.
// Sendable: its one stored property is a constant value.
open class CLBeaconIdentityConstraint: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let identity: BeaconIdentity

  /// Means the beacons of `uuid`.
  public init(uuid: UUID) {
    identity = BeaconIdentity(uuid: uuid)
    super.init()
  }

  /// Means the beacons of `uuid` with a major number.
  public init(uuid: UUID, major: CLBeaconMajorValue) {
    identity = BeaconIdentity(uuid: uuid, major: major)
    super.init()
  }

  /// Means the beacons of `uuid` with a major and a minor number.
  public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
    identity = BeaconIdentity(uuid: uuid, major: major, minor: minor)
    super.init()
  }

  /// Reads it from an archive; nil when there is no UUID.
  public required init?(coder: NSCoder) {
    guard let identity = BeaconIdentity(coder) else { return nil }
    self.identity = identity
    super.init()
  }

  /// The UUID.
  open var uuid: UUID { identity.uuid }

  /// The major number, nil for any.
  open var major: UInt16? { identity.major }

  /// The minor number, nil for any.
  open var minor: UInt16? { identity.minor }

  /// Returns the constraint itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether archives of it are safe to read; they are.
  open class var supportsSecureCoding: Bool { true }

  /// Writes it to an archive.
  open func encode(with coder: NSCoder) {
    BeaconIdentity(uuid: uuid, major: major, minor: minor).encode(to: coder)
  }

  /// Whether `object` means the same beacons.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLBeaconIdentityConstraint else { return false }
    return other.uuid == uuid && other.major == major && other.minor == minor
  }

  /// A hash of what it means.
  open override var hash: Int {
    BeaconIdentity(uuid: uuid, major: major, minor: minor).hashValue
  }

  /// What it means in words.
  open override var description: String {
    "CLBeaconIdentityConstraint "
      + BeaconIdentity(uuid: uuid, major: major, minor: minor).description
  }
}
