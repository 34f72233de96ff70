public import Foundation

/// A region made of beacons.
///
/// There is no radio for beacons here; monitoring one fails with ``CLError/Code/regionMonitoringFailure``.
open class CLBeaconRegion: CLRegion {
  private static let displayKey = "kCLBeaconRegionCodingKeyNotifyEntryStateOnDisplay"

  private let identity: BeaconIdentity
  private var isDisplayTold = false

  /// Makes a region without an identifier of the beacons of the zero UUID, which is of no use.
  public override init() {
    identity = .none
    super.init()
  }

  /// Makes the region of the beacons of `uuid`.
  public init(uuid: UUID, identifier: String) {
    identity = BeaconIdentity(uuid: uuid)
    super.init(identifier: identifier)
  }

  /// Makes the region of the beacons of `uuid` with a major number.
  public init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
    identity = BeaconIdentity(uuid: uuid, major: major)
    super.init(identifier: identifier)
  }

  /// Makes the region of the beacons of `uuid` with a major and a minor number.
  public init(
    uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    identity = BeaconIdentity(uuid: uuid, major: major, minor: minor)
    super.init(identifier: identifier)
  }

  /// Makes the region of the beacons that are meant by a constraint.
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

  /// Reads a region from an archive; nil when there is no UUID or no identifier.
  public required init?(coder: NSCoder) {
    guard let identity = BeaconIdentity(coder) else { return nil }
    self.identity = identity
    super.init(coder: coder)
    isDisplayTold = coder.decodeBool(forKey: Self.displayKey)
  }

  /// Which beacons are meant.
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

  /// The major number, nil for any.
  open var major: NSNumber? { identity.major.map { NSNumber(value: $0) } }

  /// The minor number, nil for any.
  open var minor: NSNumber? { identity.minor.map { NSNumber(value: $0) } }

  /// Whether the state is also told when the screen is switched on; kept, but without effect.
  open var notifyEntryStateOnDisplay: Bool {
    get { isDisplayTold }
    set { isDisplayTold = newValue }
  }

  /// What a device would send to be such a beacon: nothing, as there is no radio here.
  open func peripheralData(withMeasuredPower measuredPower: NSNumber?) -> NSMutableDictionary {
    NSMutableDictionary()
  }

  override var kind: CLRegion.Type { CLBeaconRegion.self }

  override func twin() -> CLRegion {
    let twin = CLBeaconRegion(
      beaconIdentityConstraint: beaconIdentityConstraint, identifier: identifier)
    twin.notifyEntryStateOnDisplay = notifyEntryStateOnDisplay
    return twin
  }

  /// Writes the region to an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    identity.encode(to: coder)
    coder.encode(notifyEntryStateOnDisplay, forKey: Self.displayKey)
  }

  /// Identifier and beacons in words.
  open override var description: String {
    "CLBeaconRegion (identifier:'\(identifier)', \(identity))"
  }
}
