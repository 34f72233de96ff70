public import Foundation

/// A floor of a building.
///
/// No receiver knows floors: a location has one only when it comes from an archive or from a
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

  /// Reads a floor from an archive; nil when there is none.
  public required init?(coder: NSCoder) {
    guard coder.containsValue(forKey: Self.levelKey) else { return nil }
    storedLevel = coder.decodeInteger(forKey: Self.levelKey)
    super.init()
  }

  /// The number of the floor, 0 for the ground floor, negative below it; not an altitude.
  open var level: Int { storedLevel }

  /// Returns the floor itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether archives of it are safe to read; they are.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the floor to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(level, forKey: Self.levelKey)
  }

  /// Whether `object` is a floor of the same level.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CLFloor)?.level == level
  }

  /// A hash of the level.
  open override var hash: Int { level.hashValue }

  /// The level in words.
  open override var description: String { "CLFloor level \(level)" }
}
