public import Foundation

/// A floor of a building.
///
/// Receivers do not measure floors: a location has one only if it comes from an archive or from a
/// subclass of yours.
// Sendable: its one stored property is a constant number.
open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private static let levelKey = "kCLFloorCodingKeyLevel"
  private let storedLevel: Int

  /// Makes the ground floor.
  public override init() {
    storedLevel = 0
    super.init()
  }

  /// Decodes a floor; it is the ground floor when the level is missing.
  public required init?(coder: NSCoder) {
    storedLevel = coder.decodeInteger(forKey: Self.levelKey)
    super.init()
  }

  /// The level, not an altitude: 0 for the ground floor, negative below it.
  open var level: Int { storedLevel }

  /// Returns the floor itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether it supports secure coding; true.
  open class var supportsSecureCoding: Bool { true }

  /// Encodes the floor.
  open func encode(with coder: NSCoder) {
    coder.encode(level, forKey: Self.levelKey)
  }

  /// Whether `object` is a floor of the same level.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CLFloor)?.level == level
  }

  /// A hash of the level.
  open override var hash: Int { level.hashValue }

  /// The level as text.
  open override var description: String { "CLFloor level \(level)" }
}
