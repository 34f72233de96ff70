public import Geodesy

/// An area that is watched: its id, where it is, and what is reported of it.
///
/// By default it reports enters, exits and the initial state, by the rule ``Decision/balanced``. A
/// fence becomes part of a ``FenceSet``, which checks it; nothing is checked here.
public struct Fence: Sendable, Hashable, Codable {
  /// What to report when a device is first seen.
  public enum Initial: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nothing.
    case none
    /// Whether it is inside or outside.
    case state
    /// An enter, when it is inside.
    case enter
  }

  /// Which crossings of the edge are reported.
  ///
  /// Coded as its bits; bits without a meaning are kept and have no effect.
  public struct Notifications: OptionSet, Sendable, Hashable, Codable {
    /// The set as bits.
    public let rawValue: UInt8
    /// Makes a set from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Coming in.
    public static let enter = Notifications(rawValue: 1)
    /// Going out.
    public static let exit = Notifications(rawValue: 2)
    /// Having been inside for the fence's dwell time.
    ///
    /// It needs a ``Fence/dwell`` too.
    public static let dwell = Notifications(rawValue: 4)
  }

  /// Unique name within a ``FenceSet``.
  public var id: String
  /// The area; its edge belongs to it.
  public var area: Area
  /// What is reported; enter and exit unless chosen otherwise.
  public var notifications: Notifications = [.enter, .exit]
  /// How long a device must stay inside for a dwell, in nanoseconds; nil to report no dwell.
  ///
  /// Counted from when the device came in. The dwell is reported if ``notifications`` has it, too.
  public var dwell: Int64?
  /// What to report when a device is first seen.
  public var initial: Initial = .state
  /// By which rule it is decided on which side of the edge a device is.
  public var decision: Decision = .balanced

  /// Makes a fence with the usual notifications and no dwell.
  public init(id: String, area: Area) {
    self.id = id
    self.area = area
  }
}
