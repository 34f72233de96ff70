package import Tracking

/// Why no event was reported: what was not met, with the nearest that it came.
package enum Shortfall: Sendable, Hashable {
  /// There was no fix in the time: the ones before and after it.
  case noFix(before: Timestamp?, after: Timestamp?)
  /// No fix in the time was used.
  case noFixUsed(dropped: Int)
  /// The device was on that side all the time, or since it was first seen.
  case already(Containment, since: Timestamp?)
  /// The fence reports no such events.
  case notWanted
  /// It was never near the edge: the least distance.
  case far(distance: Double, at: Timestamp)
  /// A fix lay on the other side, but the estimate did not follow it: its distance to the edge.
  case notBelieved(distance: Double, at: Timestamp)
  /// It was never probable enough: the largest probability, and what was required then.
  case improbable(probability: Double, needed: Double, at: Timestamp)
  /// It was probable enough for too short a time.
  case brief(probability: Double, seconds: Double, needed: Double, since: Timestamp)
  /// Which side it was on before was not known: the largest probability of the side in question.
  case unknownSide(probability: Double, needed: Double, at: Timestamp)
  /// Its fixes were past the cushion for too short a time.
  case cushion(seconds: Double, needed: Double, since: Timestamp)
  /// No fix was on the other side, or past the cushion; the nearest one.
  case noFixBeyond(distance: Double, at: Timestamp)
  /// It was inside for too short a time; nil when it was never inside.
  case briefStay(seconds: Double?, needed: Double)
}
