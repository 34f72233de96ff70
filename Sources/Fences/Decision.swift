/// The rule that decides when an edge was crossed.
///
/// Docs/Accuracy.md has for each how often it is right and how late. `eager`, `balanced` and
/// `strict` weigh all fixes so far; `apple` and `naive` look at single fixes, so at an edge they
/// follow the noise.
public enum Decision: String, Sendable, Hashable, Codable, CaseIterable {
  /// Sooner than ``balanced``, with more mistakes.
  ///
  /// It reports a moving device from a probability of 0.55 on, one at rest from 0.9 on.
  case eager
  /// On evidence: the probability of being inside, from the estimate of the motion.
  ///
  /// The default. It reports a moving device from 0.85 on, one at rest from 0.985 on, after 4 s.
  case balanced
  /// On more evidence than ``balanced``: fewer mistakes, later.
  ///
  /// It reports a moving device from 0.999 on, one at rest from 0.99999 on, after 15 s either way.
  case strict
  /// As Core Location documents: past the edge by a cushion, for 20 seconds.
  case apple
  /// On the side on which the last fix lies, as if it were exact.
  case naive

  /// How far past the edge ``apple`` requires a device to be, metres: Apple's guide only states that it
  /// depends on the hardware.
  package static let cushion = 50.0
}
