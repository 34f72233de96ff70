public import Foundation

/// Where a location came from.
// Sendable: its stored properties are constant truth values.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private static let softwareKey = "kCLLocationSourceInformationCodingKeySimulatedBySoftware"
  private static let accessoryKey = "kCLLocationSourceInformationCodingKeyProducedByAccessory"

  // One each for all locations, so that a location costs one allocation.
  static let recording = CLLocationSourceInformation(
    softwareSimulationState: true, andExternalAccessoryState: false)
  static let receiver = CLLocationSourceInformation(
    softwareSimulationState: false, andExternalAccessoryState: true)

  private let isSoftware: Bool
  private let isAccessory: Bool

  /// Says where a location came from.
  ///
  /// - Parameters:
  ///   - isSoftware: Whether it was made up or recorded.
  ///   - isAccessory: Whether a receiver outside of the device found it.
  public init(
    softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool
  ) {
    self.isSoftware = isSoftware
    self.isAccessory = isAccessory
    super.init()
  }

  /// Reads it from an archive; nil when there is none.
  public required init?(coder: NSCoder) {
    guard coder.containsValue(forKey: Self.softwareKey),
      coder.containsValue(forKey: Self.accessoryKey)
    else { return nil }
    isSoftware = coder.decodeBool(forKey: Self.softwareKey)
    isAccessory = coder.decodeBool(forKey: Self.accessoryKey)
    super.init()
  }

  /// Whether the location is of a recording or made up; true for whatever is replayed.
  open var isSimulatedBySoftware: Bool { isSoftware }

  /// Whether a receiver outside of the device found it; true for whatever comes from gpsd.
  open var isProducedByAccessory: Bool { isAccessory }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether archives of it are safe to read; they are.
  open class var supportsSecureCoding: Bool { true }

  /// Writes it to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(isSimulatedBySoftware, forKey: Self.softwareKey)
    coder.encode(isProducedByAccessory, forKey: Self.accessoryKey)
  }

  /// Whether `object` says the same.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLLocationSourceInformation else { return false }
    return other.isSimulatedBySoftware == isSimulatedBySoftware
      && other.isProducedByAccessory == isProducedByAccessory
  }

  /// A hash of what it says.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(isSimulatedBySoftware)
    hasher.combine(isProducedByAccessory)
    return hasher.finalize()
  }

  /// What it says in words.
  open override var description: String {
    "CLLocationSourceInformation simulated: \(isSimulatedBySoftware), "
      + "accessory: \(isProducedByAccessory)"
  }
}
