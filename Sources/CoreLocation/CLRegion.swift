public import Foundation

/// An area that can be monitored; here only a ``CLCircularRegion`` can.
///
/// The identifier is the key: a region replaces the one with the same identifier. Two regions are
/// equal when they have the same identifier and are of the same kind: both circles, both of beacons, or
/// neither. So the region that a delegate gets equals the registered one.
open class CLRegion: NSObject, NSCopying, NSSecureCoding {
  private static let identifierKey = "kCLRegionCodingKeyIdentifier"
  private static let entryKey = "kCLRegionCodingKeyNotifyOnEntry"
  private static let exitKey = "kCLRegionCodingKeyNotifyOnExit"

  private let storedIdentifier: String
  private var notifiesOnEntry = true
  private var notifiesOnExit = true

  /// Makes a region without an identifier, which cannot be used.
  public override init() {
    storedIdentifier = ""
    super.init()
  }

  init(identifier: String) {
    storedIdentifier = identifier
    super.init()
  }

  /// Decodes a region; nil when the identifier is missing.
  public required init?(coder: NSCoder) {
    guard let identifier = coder.string(forKey: Self.identifierKey) else { return nil }
    storedIdentifier = identifier
    super.init()
    if coder.containsValue(forKey: Self.entryKey) {
      notifiesOnEntry = coder.decodeBool(forKey: Self.entryKey)
    }
    if coder.containsValue(forKey: Self.exitKey) {
      notifiesOnExit = coder.decodeBool(forKey: Self.exitKey)
    }
  }

  /// The identifier, unique among the monitored regions.
  open var identifier: String { storedIdentifier }

  /// Whether entries are reported, initially true; read when the region is registered.
  open var notifyOnEntry: Bool {
    get { notifiesOnEntry }
    set { notifiesOnEntry = newValue }
  }

  /// Whether exits are reported, initially true; read when the region is registered.
  open var notifyOnExit: Bool {
    get { notifiesOnExit }
    set { notifiesOnExit = newValue }
  }

  /// The class of this library that the region belongs to.
  var kind: CLRegion.Type { CLRegion.self }

  /// A region of the same kind and area, which notifies on entry and exit.
  func copyWithDefaults() -> CLRegion { CLRegion(identifier: identifier) }

  /// Returns a region with the same values.
  ///
  /// The copy has the class of this library; a subclass can override this to copy itself.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = copyWithDefaults()
    copy.notifyOnEntry = notifyOnEntry
    copy.notifyOnExit = notifyOnExit
    return copy
  }

  /// Whether it supports secure coding; true.
  open class var supportsSecureCoding: Bool { true }

  /// Encodes the region.
  open func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: Self.identifierKey)
    coder.encode(notifyOnEntry, forKey: Self.entryKey)
    coder.encode(notifyOnExit, forKey: Self.exitKey)
  }

  /// Whether `object` is a region of the same kind with the same identifier.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLRegion else { return false }
    return other.kind == kind && other.identifier == identifier
  }

  /// A hash of the identifier.
  open override var hash: Int { identifier.hashValue }

  /// The kind and the identifier as text.
  open override var description: String { "\(kind) (identifier:'\(identifier)')" }
}
