public import Foundation

/// The source of a location.
// Sendable: its stored properties are constant Booleans.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private static let softwareKey = "kCLLocationSourceInformationCodingKeySimulatedBySoftware"
  private static let accessoryKey = "kCLLocationSourceInformationCodingKeyProducedByAccessory"

  // Shared by all locations, so a location costs one allocation.
  static let recording = CLLocationSourceInformation(
    softwareSimulationState: true, andExternalAccessoryState: false)
  static let receiver = CLLocationSourceInformation(
    softwareSimulationState: false, andExternalAccessoryState: true)

  private let isSoftware: Bool
  private let isAccessory: Bool

  /// Makes an unknown source, for tests and subclasses: neither simulated nor of an accessory.
  public override init() {
    isSoftware = false
    isAccessory = false
    super.init()
  }

  /// Makes the source of a location.
  ///
  /// - Parameters:
  ///   - isSoftware: Whether the location is simulated or recorded.
  ///   - isAccessory: Whether it comes from a receiver outside of the device.
  public init(
    softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool
  ) {
    self.isSoftware = isSoftware
    self.isAccessory = isAccessory
    super.init()
  }

  /// Decodes a source; a value that is missing is false.
  public required init?(coder: NSCoder) {
    isSoftware = coder.decodeBool(forKey: Self.softwareKey)
    isAccessory = coder.decodeBool(forKey: Self.accessoryKey)
    super.init()
  }

  /// Whether the location is simulated or recorded; true for every replay.
  open var isSimulatedBySoftware: Bool { isSoftware }

  /// Whether it comes from a receiver outside of the device; true for every fix of gpsd.
  open var isProducedByAccessory: Bool { isAccessory }

  /// Returns the object itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether it supports secure coding; true.
  open class var supportsSecureCoding: Bool { true }

  /// Encodes the source.
  open func encode(with coder: NSCoder) {
    coder.encode(isSimulatedBySoftware, forKey: Self.softwareKey)
    coder.encode(isProducedByAccessory, forKey: Self.accessoryKey)
  }

  /// Whether `object` is the same source.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLLocationSourceInformation else { return false }
    return other.isSimulatedBySoftware == isSimulatedBySoftware
      && other.isProducedByAccessory == isProducedByAccessory
  }

  /// A hash of both values.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(isSimulatedBySoftware)
    hasher.combine(isProducedByAccessory)
    return hasher.finalize()
  }

  /// Both values as text.
  open override var description: String {
    "CLLocationSourceInformation simulated: \(isSimulatedBySoftware), "
      + "accessory: \(isProducedByAccessory)"
  }
}
