internal import Geodesy

/// Where the fixes of a stay were, beside where the estimate was.
///
/// The estimate accounts for offsets and slow errors, and is most often better than the fixes. But no
/// offset outlasts a long stay, and an estimate that hardly any fix of a stay agrees with stayed behind
/// when the device came. The place is that of the majority, by time (the vote of Boyer
/// and Moore, 1981): fixes near it vote for it and move it to their mean, others against it, until
/// it has no votes left and another takes its place.
struct StayFixes: Sendable, Hashable, Codable {
  /// The mean of the fixes that voted for this place, metres on the map of the visits, and for how
  /// long they stood, seconds.
  var place: Vector
  var weight: Double
  /// How much longer than all others, seconds.
  var votes: Double
  /// For how long all fixes stood, and those that the estimate does not agree with, seconds.
  var time = 0.0
  var apart = 0.0

  /// Of no fix yet.
  init(place: Vector) { (self.place, weight, votes) = (place, 0, 0) }

  /// Whether the place of the fixes is that of a stay around a centre of the estimate.
  ///
  /// It is when the estimate stayed behind; when the fixes are known for longer than any offset
  /// lasts and most of them agree; or when nearly all were at one place, 25 m and more from the
  /// centre.
  func decide(center: Vector) -> Bool {
    if isLed { return true }
    if time >= MotionModel.longestOffset { return votes > time / 2 }
    // An estimate between two places, while nearly all fixes are at one.
    return votes > VisitModel.allVotes * time && Trail.distance(place, center) > VisitModel.apart
  }

  /// Whether the estimate stayed behind, so the fixes also give arrival and departure.
  var isLed: Bool { apart > VisitModel.mostApart * time }

  /// Whether a fix is at the place of most fixes.
  func isHere(_ point: Trail.Point) -> Bool {
    votes > time / 2
      && point.fixDistance(to: place) <= VisitModel.arrivalRadius + min(point.fixSigma, 40)
  }

  /// Whether a fix is so far from that place that it can't be there, by a reach in metres.
  func isElsewhere(_ point: Trail.Point, _ reach: Double) -> Bool {
    point.fixDistance(to: place) > reach + VisitModel.fixSigmas * point.fixSigma
  }

  /// Adds a fix with its time in seconds.
  mutating func take(_ point: Trail.Point, center: Vector, stood: Double) {
    time += stood
    if point.isApart(from: center) { apart += stood }
    if !point.isApart(from: place) {
      votes += stood
    } else if votes > stood {
      votes -= stood
      return
    } else {
      (place, weight, votes) = (point.fix, 0, stood)
    }
    weight += stood
    place.x += stood / weight * (point.fix.x - place.x)
    place.y += stood / weight * (point.fix.y - place.y)
  }
}

extension Trail {
  /// The fixes of the points from `first` on, of a stay around a centre of the estimate.
  func fixes(from first: Int, center: Vector) -> StayFixes {
    var fixes = StayFixes(place: center)
    for number in first..<end {
      fixes.take(self[number], center: center, stood: stand(of: number))
    }
    return fixes
  }
}

extension Trail.Point {
  /// Whether the fix is not at a place.
  fileprivate func isApart(from center: Vector) -> Bool {
    fixDistance(to: center) > VisitModel.apart + fixSigma
  }
}
