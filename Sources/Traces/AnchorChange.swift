package import Estimation
package import Geodesy

/// What a person did with an anchor while a program watched it; the recording has it as well.
package struct AnchorChange: Sendable, Hashable {
  /// What is done.
  package enum Action: String, Sendable, Hashable, CaseIterable {
    /// The fence is placed: at ``AnchorChange/center``, else where the device is now.
    case set
    /// The fence that was placed moves, or gets another radius.
    case move
    /// The fence is taken away until it is set again.
    case up
  }

  package var action: Action
  /// The id of the fence; nil for every fence that is placed by fixes.
  package var fence: String?
  /// The engine's time; nil before the first fix.
  package var time: Timestamp?
  package var center: Coordinate?
  /// Metres.
  package var radius: Double?
  /// By how much the centre moves: degrees clockwise from true north, and metres.
  package var bearing: Double?
  package var distance: Double?

  package init(_ action: Action) { self.action = action }
}
