internal import Glibc

/// What distinguishes a stay from traffic: the constants of the visit monitor, in metres and seconds.
///
/// They were found by search on simulated journeys with known truth and rounded; Docs/Accuracy.md
/// describes each, the data, and the results on journeys that took no part in the search.
enum VisitModel {
  // MARK: Where a stay is

  /// All points of a candidate lie within this share of the radius of its centre.
  static let candidateShare = 0.65
  /// All points of a stay lie within this one.
  static let stayShare = 0.95
  /// Both are widened by this many sigmas of the point, of which no more than so much counts.
  static let sigmas = 0.7
  static let mostSigma = 60.0
  /// A stay is as wide as it was seen to be: this many times its spread, at most the radius.
  static let spreadFactor = 1.4
  /// A new candidate whose centre is so near is the same stay.
  static let samePlace = 45.0
  /// Weight of a point: 1 / (sigma² + this²), for as long as it stands.
  static let weightFloor = 5.0
  /// No point stands for longer.
  static let longestStand = 300.0

  /// An estimate that fixes do not agree with: they are farther away than this and one sigma, for more
  /// than this share of the time.
  static let apart = 25.0
  static let mostApart = 0.8
  /// Fixes of which more than this share of the time, more than the others, was at one place are all there.
  static let allVotes = 0.9

  // MARK: Evidence that a candidate is a stay, as log-odds

  /// Share of the minimum stay that a candidate must have lasted.
  static let leastShare = 0.58
  /// Log-odds at which it is reported.
  static let threshold = 1.7
  /// Of a candidate as long as 2/3 of the minimum stay, with nothing against it.
  static let base = 9.0
  /// For each time its length is e times 2/3 of the minimum stay.
  static let lengthWeight = 3.2
  /// Against it: the drift of the fixes over its length, in their errors.
  static let driftWeight = 3.9
  /// Having crept here, over two spans of time before it began, as one does in a jam.
  static let shortCreep = 120.0
  static let shortCreepWeight = 2.9
  static let longCreep = 240.0
  static let longCreepWeight = 1.3
  /// Speed of a jam, metres per second, and the sigma of its logarithm around it.
  static let creepSpeed = 0.4
  static let creepSpread = 0.55
  /// A moment in it in which the device probably moved.
  static let moveWeight = 1.6
  /// Seconds in which a device comes to rest: its motion in them says nothing.
  static let settling = 40.0
  /// The last point being away from the centre.
  static let endWeight = 2.1
  static let endScale = 20.0

  /// Measured share of stays that are right when they are reported: a sequential test always stops at
  /// its threshold, so the evidence does not distinguish them.
  static let confidence = 0.94

  /// The same when they are over.
  ///
  /// Short ones are more often wrong, above all where the estimate was coarse, and so are those of
  /// which much was not seen.
  ///
  /// - Parameters:
  ///   - length: In seconds, as `unseen`.
  ///   - accuracy: 68 % radius of the best estimate, metres.
  static func confidence(
    length: Double, unseen: Double, accuracy: Double, _ rules: VisitRules
  ) -> Double {
    let seen = min(surest, 1 / (1 + exp(-10 * (length / rules.minimumStay - 0.83))))
    let coarse = min(max(accuracy / coarseAccuracy - 1, 0), 1)
    return seen * (1 - unseenPenalty * min(1, unseen / max(length, 1)))
      * (1 - coarsePenalty * coarse * exp(-length / longStay))
  }

  /// The same for a stay of which only the first moments were seen: the longer the silence, the less
  /// likely is an outage of the receiver.
  static func silentConfidence(length: Double) -> Double {
    surestSilence * (1 - exp(-length / longStay))
  }
  /// Most confidence of a stay that was seen, and of one that is only a silence.
  static let surest = 0.975
  static let surestSilence = 0.85
  static let unseenPenalty = 0.04
  static let coarseAccuracy = 10.0
  static let coarsePenalty = 0.6
  static let longStay = 1_800.0

  // MARK: Coming and going

  /// Within this of the centre, and half a sigma, the device has arrived.
  static let arrivalRadius = 12.0
  /// Least speed of arriving and leaving.
  static let leastSpeed = 1.2
  /// Speed of a journey within a gap, as a share of that of a ride.
  static let gapShare = 0.5
  static let gap = 150.0
  /// The estimate stays at a place for a while: how far back the fixes give the departure.
  static let clinging = 120.0
  /// The same of sparse fixes: how many.
  static let clingingFixes = 3
  /// Each of fixes farther apart than this shows where the device is, seconds.
  static let distinct = 20.0
  /// After a longer silence a device that is far away may have been anywhere, seconds.
  static let longestJourney = 86_400.0
  /// Sigmas of a fix within which it is at the centre.
  static let fixSigmas = 1.5
  /// Longest way between the centre and a point at the place.
  static let lastSteps = 15.0
  /// For so long after a silence the first fixes scatter, seconds.
  static let waking = 60.0
  /// A gap that begins and ends within this distance has no journey in it.
  static let quiet = 60.0

  /// One sigma of what people call arriving and leaving, seconds: the door, the lift, the parked car.
  ///
  /// Arrivals of phones with a fix a second were noted by hand some 25 s before or after the engine's
  /// (MobilityNet, Docs/Accuracy.md).
  static let timeSpread = 40.0

  /// One sigma of an arrival or departure, seconds, for one sigma of the device's motion.
  static func timeUncertainty(_ sigma: Double) -> Double {
    (sigma * sigma + timeSpread * timeSpread).squareRoot()
  }

  // MARK: Silences

  /// A fix whose accuracy is worse than this many radii of a visit is not evidence of one.
  static let mostAccuracy = 3.0
  /// A coarse fix farther away than this many of its accuracies shows that the device is elsewhere.
  static let coarseReach = 2.0
  /// Least stay in a silence, in minimum stays: below, an outage of the receiver looks like a stay.
  static let leastSilence = 2.0
  /// A device that travelled for at most this share of a silence rested for the remainder.
  static let wayShare = 0.25
  /// A device whose next fix is farther away than this may have stayed anywhere on the way, metres; the
  /// second applies when it rested where the silence began.
  static let silentRange = 1_000.0
  static let restingRange = 3_000.0
  /// A device goes on after its last fix by this share of the way between two fixes, in 68 of 100 cases.
  static let stepShare = 0.68
  /// A device is elsewhere when it is farther away than this many radii, beside half of what its fix
  /// claims.
  static let elsewhere = 0.9
  /// For how long after the silence a device may still come back to the place, or turn out to stay
  /// where it is, seconds.
  static let silentPatience = 240.0

  // MARK: How long an absence ends a stay

  /// Seconds, and how many points at least.
  static let absence = 300.0
  static let leastAway = 3
  /// Very far away and moving, this is enough.
  static let farAway = 300.0
  static let farAbsence = 60.0

  /// A device that goes faster does not come back to a place but goes by, metres per second.
  static let passingSpeed = 2.0

  // MARK: Sparse fixes

  /// Fixes so far apart are sparse: each is taken as it is where the estimate has not followed it.
  static let sparse = 500.0
  /// How far a fix may be from the estimate and agree with it, beside two sigmas.
  static let agreement = 40.0
  /// Points closer in time than this are one.
  static let spacing = 10.0
  /// How far beyond its edge the map still serves for a stay or a candidate that lies on it.
  static let mapSlack = 1_000.0
  /// How many points before a candidate or a stay are needed, if they are not all of the last minutes.
  static let neededFixes = 8
  /// How many points are remembered.
  static let trailLength = 128
}
