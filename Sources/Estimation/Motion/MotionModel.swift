package import Geodesy
internal import Glibc

/// How devices move and how receivers err: the constants of the filter, in metres and seconds.
///
/// They were found by search on simulated journeys with known truth, within what the physics
/// allows, and rounded; Docs/Accuracy.md describes each, the data and of what they gave on
/// journeys that took no part in the search.
package enum MotionModel {
  // MARK: How devices move

  /// How a device moves: its velocity is an Ornstein-Uhlenbeck process along each axis.
  struct VelocityModel {
    /// Correlation time of the velocity.
    let time: Double
    /// Sigma of the velocity along one axis.
    let sigma: Double

    /// Variance of the velocity along one axis.
    var variance: Double { sigma * sigma }
  }

  /// On foot.
  static var walk: VelocityModel { VelocityModel(time: 60, sigma: 1.1) }
  /// On wheels.
  static var ride: VelocityModel { VelocityModel(time: 100, sigma: 13) }
  /// How far the place of a device at rest wanders: variance a second (a person in a room).
  static let restWander = 0.0015
  /// From how many seconds on a rest is of the next age.
  static var restAges: SIMD4<Double> { SIMD4(0, 100, 300, 1_000) }
  /// No rest is of a greater age, and how fast motion wears it off.
  static let longestRestAge = 1_500.0
  static let restWear = 10.0
  /// Mean time until a rest of each age ends.
  ///
  /// Short stops are many, stays are few and last for hours: a rest that has lasted for long lasts long.
  static var restTimes: SIMD4<Double> { SIMD4(400, 1_200, 3_600, 12_000) }
  /// Mean time until the fixes of a rest of each age go astray (``offsetSpell``).
  ///
  /// Fixes that jump right after a device came to rest are of one that moves on.
  static var offsetTimes: SIMD4<Double> { SIMD4(333_000, 33_000, 13_000, 10_000) }
  /// Mean time of a motion without a rest.
  ///
  /// Trips of the phones of MobilityNet take 5 to 40 minutes; a boat that drifts never stops.
  static let moveTime = 1_500.0
  /// Share of motions that begin on foot.
  static let walkShare = 0.36
  /// Mean time on foot before a ride.
  static let walkTime = 1_200.0
  /// Mean time of a ride before going on on foot.
  static let rideTime = 240.0
  /// Probability that a device that moved moves, and that one that rode and still moves rides, however long
  /// ago it was: their shares of the time of a phone.
  static let leastMoving = 0.2
  static let leastRiding = rideTime / (rideTime + walkTime)
  /// Mean time between two corners or stops of a ride, after which the velocity is a new one.
  static let turnTime = 80.0
  /// Mean time of a trip that begins and ends between two fixes.
  static let tripTime = 220.0
  /// Mean speed of such a trip along one axis.
  static let tripSpeed = 3.0
  /// Longest such trip.
  static let longestTrip = 600.0
  /// Above this speed (trains, aircraft) the velocity may vary by the share below of the excess.
  static let fastSpeed = 20.0
  static let fastShare = 0.3

  // MARK: How receivers err

  /// The 68 % radius that is assumed of a fix without one, metres.
  ///
  /// Not that of open sky: most files without accuracies are of phones, which are indoors for most of
  /// the time. Docs/Accuracy.md has what 11.7 m (HDOP 1), 25 m and 45 m give.
  package static let unknownAccuracy = 25.0
  /// Least claim of accuracy that is used for a device that may be at rest: what open sky
  /// gives.
  package static let leastAccuracy = 3.0
  /// The same for one that surely moves: RTK, and tracks that were made up.
  static let leastMovingAccuracy = 0.1
  /// A worse claim carries no more information: a mobile network's cell is 35 km.
  static let mostAccuracy = 100_000.0
  /// Reported speeds above this are ignored: no aircraft is that fast.
  static let mostSpeed = 1_000.0
  /// Error as a share of the claim when an iPhone reports 65 m (.57) or 165 m (.40 to .65) twice in a
  /// row: MobilityNet, Docs/Accuracy.md.
  static let classScale = 0.35
  /// The same of positions of wifi, whatever the device.
  ///
  /// MobilityNet has .62 of the claim at 30 to 100 m. Beyond, iPhones err by .4 to .6 of it and Androids
  /// by .8 to 1.4, so such claims are believed.
  static let coarseScale = 0.6
  /// From which claim on the scale falls from 1, where it is that, and beyond which it is 1 again.
  static let coarseClaims = (first: 40.0, last: 80.0, end: 130.0)
  /// A fix that claims so many times less than those before is of another source (the receiver found
  /// its satellites), so its error has nothing to do with theirs.
  static let sourceFactor = 3.7
  /// The same of the logarithm of the claim.
  static let sourceChange = -log(sourceFactor)
  /// Time constant of smoothing claims of accuracy: they change faster than the real accuracy.
  static let accuracyTime = 30.0
  /// No single claim moves the smooth one by more than this share of its logarithm.
  static let accuracyStep = 0.7
  /// Least variance of the part of the error that is new with every fix, in sigmas squared; the rest
  /// is the slow bias.
  static let leastWhiteness = 0.0169
  /// Most of it: no receiver is worse than its claim by that alone.
  static let mostWhiteness = 1.0
  /// How long it takes to learn a receiver's whiteness, while the device rests.
  static let whitenessTime = 1_800.0
  /// No single fix counts for more than this many times its expected squared error in that.
  static let whitenessClip = 2.5
  /// Fixes further apart do not count.
  static let whitenessGap = 90.0
  /// How long the slow bias (satellite geometry, multipath, the walls around) is correlated.
  static let biasTime = 75.0
  /// No smaller bias of a device that rests, in sigmas squared, is taken for a drift.
  static let leastDriftBias: Float = 2
  /// A bias of more than so many sigmas squared, of a device that rests, is probably a drift of the
  /// device: the place of rest follows it, by a variance of this share of what is beyond.
  ///
  /// The clearer the sky that a receiver sees, the sooner it shows a drift; nil for a sigma that is too
  /// large to show one.
  @inline(__always)
  static func drift(ofSigma sigma: Double) -> (bias: Float, share: Float)? {
    sigma < 4
      ? (leastDriftBias, 1.6) : sigma < 5.2 ? (3, 1.2) : sigma < 20 ? (9, 0.6) : nil
  }
  /// How long the slow bias of a device on foot and of one on wheels is correlated: what surrounds it
  /// changes on the way.
  static let walkBiasTime = 50.0
  static let rideBiasTime = 15.0
  /// Sigma of the first fix after a gap beyond its claim, and how fast that passes.
  static let coldSigma = 5.0
  static let coldTime = 16.0
  /// A silence as long as this is a gap.
  package static let gap = 60.0
  /// Sigma of a fix that repeats the last place to the last digit: receivers that lost their signal
  /// do so, but not with the place at which they came back from a gap.
  static let frozenSigma = 50.0
  /// For how long such a fix is no measurement, seconds: of a device of which nothing is learnt, and at most.
  static let firstHold = 60.0
  static let longestHold = 300.0
  /// Of the devices that move, 1/e repeat their position for longer, seconds.
  static let holdTime = 150.0
  /// How much of the time for which a device repeats a position on the way is kept with each new one, and
  /// by how much a repetition may be longer.
  static let refreshKept: Float = 0.9
  static let refreshSlack = 1.5
  /// Mean time of a spell in which fixes are off by a constant (wifi positioning that takes one access
  /// point for another), and of one offset in it.
  static let offsetSpell = 200.0
  static let offsetHop = 20_000.0
  /// No spell begins before a device has been seen for so long.
  static let leastKnown = 60.0
  /// No spell lasts longer.
  package static let longestOffset = 1_800.0
  /// Sigma of the offset along one axis, least sigma of a fix around it, and its variance as a share of
  /// that of the claim.
  static let offsetSigma = 250.0
  static let offsetNoise = 4.0
  static let offsetShare: Float = 0.4
  /// The same of fixes that are farther apart than the second time, seconds, and claim so much or more, metres.
  ///
  /// What they have in common, as the access points are the same, is less. It falls from the first time on.
  static let distinctFixes = 15.0...30
  static let distinctShare: Float = 0.2
  static let distinctAccuracy = 25.0
  /// Positions of wifi claim as much as this or more, metres; fixes that claim less seldom go astray.
  static let strayAccuracy = 20.0
  /// How long it takes to learn how far such fixes of a device lie from where it rests, seconds, by what
  /// factor their variance may be larger elsewhere, and below which variance, in sigmas squared that are
  /// claimed, fixes err so much less than they claim that their scatter shows nothing.
  static let scatterTime = 900.0
  static let scatterMargin: Float = 1.5
  static let quietScatter: Float = 0.6
  /// Satellites seldom claim as much as this, metres; wifi and cells seldom claim less.
  static let coarseAccuracy = 30.0
  /// Of fixes further apart, seconds, how far they scatter is no evidence that they are off, whatever they
  /// claim: a trip may begin and end between two of them.
  static let sparseFixes = 90.0
  /// Probability that a fix is wrong beyond its claim, for fixes 10 s apart.
  static let outlierRate = 0.0003
  /// The same for the fix after a wrong one, if it follows at once; bursts of wrong fixes last about
  /// this time.
  static let outlierPersistence = 0.6
  static let outlierTime = 120.0
  /// A fix below this probability of being an outlier is used fully: over long intervals even a share of
  /// what would be without it makes the estimate vague.
  static let leastOutlier = 0.01
  /// Sigma of the place of a wrong fix along one axis.
  static let outlierSigma = 60_000.0
  /// Sigma of the speed that receivers report at rest.
  static let restSpeedSigma = 0.35
  /// How long the error of a slow reported speed lasts: receivers smooth it.
  static let speedTime = 20.0
  /// Sigma of the reported velocity along one axis.
  package static let velocityNoise = 0.5
  /// Below this speed the reported course is ignored.
  package static let leastCourseSpeed = 0.8
  /// For how long fixes that contradict the estimate must agree with each other before they replace
  /// it: longer than bursts of wrong fixes last.
  static let challengePatience = 180.0
  /// The same when the device was hardly seen before: twice as long as that, and at least this.
  static let stalePatience = 30.0
  /// A silence of this length before them halves it.
  static let challengeGap = 300.0
  /// For how long fixes that are off must surely move, seconds, and three of them in any case.
  static let movingPatience = 30.0
  /// A fix is on course when it is where the velocity leads, but for this share of the way.
  ///
  /// Fixes that are on course agree with each other, too, however far apart they are.
  static let courseShare = 0.5
  /// How much less probable a fix on course is to be wrong.
  ///
  /// One that would be wrong with a probability of more than ``leastOutlier`` all the same is where the
  /// device is.
  static let courseChance = 1e-5

  // MARK: The filter itself

  /// A hypothesis that is less probable is not followed.
  static let leastWeight: Float = 1e-7
  /// The device may always be at rest with this probability.
  static let leastRest: Float = 1e-9
  /// How many of the last fixes are kept so that a late one can be inserted: between
  /// half of this and this.
  package static let recentCount = 32
  /// How far from the origin of the flat map the device may go: a straight line of 20 km that passes
  /// the origin at 10 km is a geodesic to 0.1 m, and single precision resolves 0.5 mm.
  package static let mapRadius = 8_000.0

  /// Whether a place is beyond the part of its map on which straight lines are straight.
  package static func isFar(_ place: Vector) -> Bool { place.squaredLength > mapRadius * mapRadius }
}
