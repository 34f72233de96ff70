/// The rule that decides when an edge was crossed.
public enum Decision: String, Sendable, Hashable, Codable, CaseIterable {
  /// Sooner than ``balanced``, with more mistakes.
  case eager
  /// On evidence: the probability of being inside, from the estimate of the motion.
  case balanced
  /// On more evidence than ``balanced``: fewer mistakes, later.
  case strict
  /// As Core Location documents: past the edge by a cushion, for 20 seconds.
  case apple
  /// On the side on which the last fix lies, as if it were exact.
  case naive

  /// How far past the edge ``apple`` requires a device to be, metres: Apple's guide only states that it
  /// depends on the hardware.
  package static let cushion = 50.0
}
