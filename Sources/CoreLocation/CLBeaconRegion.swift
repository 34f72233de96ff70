public import Foundation

/// A region defined by beacons.
///
/// There is no radio for beacons here; monitoring one fails with ``CLError/Code/regionMonitoringFailure``.
open class CLBeaconRegion: CLRegion {
  private static let displayKey = "kCLBeaconRegionCodingKeyNotifyEntryStateOnDisplay"

  private let identity: BeaconIdentity
  private var notifiesOnDisplay = false

  /// Makes a region with the zero UUID and without an identifier, which cannot be used.
  public override init() {
    identity = .none
    super.init()
  }

  /// Makes the region of the beacons with `uuid`.
  public init(uuid: UUID, identifier: String) {
    identity = BeaconIdentity(uuid: uuid)
    super.init(identifier: identifier)
  }

  /// Makes the region of the beacons with `uuid` and a major number.
  public init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
    identity = BeaconIdentity(uuid: uuid, major: major)
    super.init(identifier: identifier)
  }

  /// Makes the region of the beacons with `uuid`, a major and a minor number.
  public init(
    uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    identity = BeaconIdentity(uuid: uuid, major: major, minor: minor)
    super.init(identifier: identifier)
  }

  /// Makes the region of the beacons that match a constraint.
  public init(beaconIdentityConstraint: CLBeaconIdentityConstraint, identifier: String) {
    identity = BeaconIdentity(
      uuid: beaconIdentityConstraint.uuid, major: beaconIdentityConstraint.major,
      minor: beaconIdentityConstraint.minor)
    super.init(identifier: identifier)
  }

  /// The older spelling of ``init(uuid:identifier:)``.
  public init(proximityUUID: UUID, identifier: String) {
    identity = BeaconIdentity(uuid: proximityUUID)
    super.init(identifier: identifier)
  }

  /// The older spelling of ``init(uuid:major:identifier:)``.
  public init(proximityUUID: UUID, major: CLBeaconMajorValue, identifier: String) {
    identity = BeaconIdentity(uuid: proximityUUID, major: major)
    super.init(identifier: identifier)
  }

  /// The older spelling of ``init(uuid:major:minor:identifier:)``.
  public init(
    proximityUUID: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    identity = BeaconIdentity(uuid: proximityUUID, major: major, minor: minor)
    super.init(identifier: identifier)
  }

  /// Decodes a region; nil when the UUID or the identifier is missing.
  public required init?(coder: NSCoder) {
    guard let identity = BeaconIdentity(coder) else { return nil }
    self.identity = identity
    super.init(coder: coder)
    notifiesOnDisplay = coder.decodeBool(forKey: Self.displayKey)
  }

  /// The constraint that its beacons match.
  open var beaconIdentityConstraint: CLBeaconIdentityConstraint {
    switch (identity.major, identity.minor) {
    case (let major?, let minor?):
      CLBeaconIdentityConstraint(uuid: identity.uuid, major: major, minor: minor)
    case (let major?, nil): CLBeaconIdentityConstraint(uuid: identity.uuid, major: major)
    case (nil, _): CLBeaconIdentityConstraint(uuid: identity.uuid)
    }
  }

  /// The UUID.
  open var uuid: UUID { identity.uuid }

  /// The older name of ``uuid``.
  open var proximityUUID: UUID { identity.uuid }

  /// The major number; nil for any.
  open var major: NSNumber? { identity.major.map { NSNumber(value: $0) } }

  /// The minor number; nil for any.
  open var minor: NSNumber? { identity.minor.map { NSNumber(value: $0) } }

  /// Whether to report the state when the screen is switched on; stored, without effect.
  open var notifyEntryStateOnDisplay: Bool {
    get { notifiesOnDisplay }
    set { notifiesOnDisplay = newValue }
  }

  /// The data that a device sends to act as such a beacon: empty, because there is no radio here.
  open func peripheralData(withMeasuredPower measuredPower: NSNumber?) -> NSMutableDictionary {
    NSMutableDictionary()
  }

  override var kind: CLRegion.Type { CLBeaconRegion.self }

  override func copyWithDefaults() -> CLRegion {
    let copy = CLBeaconRegion(
      beaconIdentityConstraint: beaconIdentityConstraint, identifier: identifier)
    copy.notifyEntryStateOnDisplay = notifyEntryStateOnDisplay
    return copy
  }

  /// Encodes the region.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    identity.encode(to: coder)
    coder.encode(notifyEntryStateOnDisplay, forKey: Self.displayKey)
  }

  /// The identifier and the beacons as text.
  open override var description: String {
    "CLBeaconRegion (identifier:'\(identifier)', \(identity))"
  }
}
