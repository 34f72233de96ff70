public import Foundation

/// A beacon that was detected.
///
/// There is no radio for beacons here: beacons come only from archives and from subclasses of yours.
open class CLBeacon: NSObject, NSCopying, NSSecureCoding {
  private static let timestampKey = "kCLBeaconCodingKeyTimestamp"
  private static let proximityKey = "kCLBeaconCodingKeyProximity"
  private static let accuracyKey = "kCLBeaconCodingKeyAccuracy"
  private static let rssiKey = "kCLBeaconCodingKeyRSSI"

  private let identity: BeaconIdentity
  private let time: Date
  private let nearness: CLProximity
  private let distance: CLLocationAccuracy
  private let strength: Int

  /// Makes a beacon without known values, for tests and subclasses.
  public override init() {
    identity = .none
    time = .distantPast
    nearness = .unknown
    distance = -1
    strength = 0
    super.init()
  }

  /// Decodes a beacon; values that are missing or invalid are those of ``init()``.
  public required init?(coder: NSCoder) {
    identity = BeaconIdentity(coder) ?? .none
    time = coder.date(forKey: Self.timestampKey) ?? .distantPast
    nearness = CLProximity(rawValue: coder.decodeInteger(forKey: Self.proximityKey)) ?? .unknown
    distance = coder.double(forKey: Self.accuracyKey) ?? -1
    strength = coder.decodeInteger(forKey: Self.rssiKey)
    super.init()
  }

  /// When it was detected.
  open var timestamp: Date { time }

  /// The UUID.
  open var uuid: UUID { identity.uuid }

  /// The older name of ``uuid``.
  open var proximityUUID: UUID { identity.uuid }

  /// The major number.
  open var major: NSNumber { NSNumber(value: identity.major ?? 0) }

  /// The minor number.
  open var minor: NSNumber { NSNumber(value: identity.minor ?? 0) }

  /// How near it is.
  open var proximity: CLProximity { nearness }

  /// The distance in metres, one sigma; negative when unknown.
  open var accuracy: CLLocationAccuracy { distance }

  /// The signal strength, dBm.
  open var rssi: Int { strength }

  /// Returns the beacon itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether it supports secure coding; true.
  open class var supportsSecureCoding: Bool { true }

  /// Encodes the beacon.
  open func encode(with coder: NSCoder) {
    BeaconIdentity(uuid: uuid, major: major.uint16Value, minor: minor.uint16Value).encode(to: coder)
    coder.encode(timestamp, forKey: Self.timestampKey)
    coder.encode(proximity.rawValue, forKey: Self.proximityKey)
    coder.encode(accuracy, forKey: Self.accuracyKey)
    coder.encode(rssi, forKey: Self.rssiKey)
  }

  /// Whether `object` is the same beacon with the same time and measurements.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLBeacon else { return false }
    return self === other
      || uuid == other.uuid && major == other.major && minor == other.minor
        && timestamp == other.timestamp && proximity == other.proximity
        && accuracy == other.accuracy && rssi == other.rssi
  }

  /// A hash of the beacon and the time.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(uuid)
    hasher.combine(major)
    hasher.combine(minor)
    hasher.combine(timestamp)
    return hasher.finalize()
  }

  /// The identity and the measurements as text.
  open override var description: String {
    "CLBeacon (uuid:\(uuid.uuidString), major:\(major), minor:\(minor), "
      + "proximity:\(proximity.rawValue), accuracy:\(accuracy), rssi:\(rssi))"
  }
}
