public import Foundation

/// A beacon that was heard.
///
/// There is no radio for beacons here: nothing makes one but an archive or a subclass of yours.
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

  /// Makes a beacon of which nothing is known, for test code and for subclasses.
  public override init() {
    identity = .none
    time = .distantPast
    nearness = .unknown
    distance = -1
    strength = 0
    super.init()
  }

  /// Reads a beacon from an archive; nil when one of its parts is not there or cannot be.
  public required init?(coder: NSCoder) {
    guard let identity = BeaconIdentity(coder), identity.major != nil, identity.minor != nil,
      let time = coder.date(forKey: Self.timestampKey),
      let nearness = CLProximity(rawValue: coder.decodeInteger(forKey: Self.proximityKey)),
      let distance = coder.double(forKey: Self.accuracyKey)
    else { return nil }
    self.identity = identity
    self.time = time
    self.nearness = nearness
    self.distance = distance
    strength = coder.decodeInteger(forKey: Self.rssiKey)
    super.init()
  }

  /// When it was heard.
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

  /// The strength of the signal, dBm.
  open var rssi: Int { strength }

  /// Returns the beacon itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether archives of it are safe to read; they are.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the beacon to an archive.
  open func encode(with coder: NSCoder) {
    BeaconIdentity(uuid: uuid, major: major.uint16Value, minor: minor.uint16Value).encode(to: coder)
    coder.encode(timestamp, forKey: Self.timestampKey)
    coder.encode(proximity.rawValue, forKey: Self.proximityKey)
    coder.encode(accuracy, forKey: Self.accuracyKey)
    coder.encode(rssi, forKey: Self.rssiKey)
  }

  /// Whether `object` is the same beacon heard at the same time and in the same way.
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

  /// Which beacon, and how near, in words.
  open override var description: String {
    "CLBeacon (uuid:\(uuid.uuidString), major:\(major), minor:\(minor), "
      + "proximity:\(proximity.rawValue), accuracy:\(accuracy), rssi:\(rssi))"
  }
}
