public import Foundation

/// An area that can be monitored; ``CLCircularRegion`` is the one that can be here.
///
/// The identifier is the key: a region replaces the one with the same identifier. Two regions are
/// equal when they have the same identifier and are of one kind: both circles, both of beacons, or
/// neither. So a region that comes back through a delegate equals the one that was registered.
open class CLRegion: NSObject, NSCopying, NSSecureCoding {
  private static let identifierKey = "kCLRegionCodingKeyIdentifier"
  private static let entryKey = "kCLRegionCodingKeyNotifyOnEntry"
  private static let exitKey = "kCLRegionCodingKeyNotifyOnExit"

  private let storedIdentifier: String
  private var isEntryTold = true
  private var isExitTold = true

  /// Makes a region without an identifier, which is of no use.
  public override init() {
    storedIdentifier = ""
    super.init()
  }

  init(identifier: String) {
    storedIdentifier = identifier
    super.init()
  }

  /// Reads a region from an archive; nil when there is no identifier.
  public required init?(coder: NSCoder) {
    guard let identifier = coder.string(forKey: Self.identifierKey) else { return nil }
    storedIdentifier = identifier
    super.init()
    if coder.containsValue(forKey: Self.entryKey) {
      isEntryTold = coder.decodeBool(forKey: Self.entryKey)
    }
    if coder.containsValue(forKey: Self.exitKey) {
      isExitTold = coder.decodeBool(forKey: Self.exitKey)
    }
  }

  /// The name by which the region is known.
  open var identifier: String { storedIdentifier }

  /// Whether entries are told; true unless set, and read when the region is registered.
  open var notifyOnEntry: Bool {
    get { isEntryTold }
    set { isEntryTold = newValue }
  }

  /// Whether exits are told; true unless set, and read when the region is registered.
  open var notifyOnExit: Bool {
    get { isExitTold }
    set { isExitTold = newValue }
  }

  /// The class of the library that the region is of.
  var kind: CLRegion.Type { CLRegion.self }

  /// A region of the same kind and values, without what it tells.
  func twin() -> CLRegion { CLRegion(identifier: identifier) }

  /// Returns a region with the same values.
  ///
  /// It is of the class of this library: a subclass that is to be copied as such overrides this.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = twin()
    copy.notifyOnEntry = notifyOnEntry
    copy.notifyOnExit = notifyOnExit
    return copy
  }

  /// Whether archives of it are safe to read; they are.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the region to an archive.
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

  /// The identifier in words.
  open override var description: String { "\(kind) (identifier:'\(identifier)')" }
}
