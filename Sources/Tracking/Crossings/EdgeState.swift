internal import Geodesy

/// The state of a fence whose edge is near: evidence that the device is not on the side that was
/// reported.
///
/// It is kept while the edge is near, and after a report for as long as a crossing may still be
/// dated before it. A few hundred bytes for each such fence; a fence that is far away has none.
struct EdgeState: Sendable, Hashable, Codable {
  /// When and where the edge may have been crossed.
  struct Candidate: Sendable, Hashable, Codable {
    /// At the edge, on the way of the estimate or of the fixes.
    var moment: Moment
    /// One sigma, seconds.
    var timeUncertainty: Double
    /// Whether it lies between fixes that contradicted the estimate (`Contradiction`).
    var isLate = false
  }

  /// Index of the fence.
  var fence: Int
  /// Time of the fix at which it was last near.
  var seen: Timestamp
  /// Where the estimate came to the other side; nil while it is on the reported side.
  var crossing: Candidate?
  /// Where it came back from there.
  var back: Candidate?
  /// Largest probability since then that the device is on the other side and moves.
  var peak = 0.0
  /// Since when the probability that the device is on the other side is large enough to report it.
  var sure: Timestamp?
  /// How often reports with the evidence since then are right.
  var confidence = 0.0
  /// When the last change of side that was reported happened; no later one is earlier.
  var turned: Timestamp?
  /// Since when the fixes lie beyond the cushion (``Decision/apple``).
  var beyond: Timestamp?

  init(fence: Int, seen: Timestamp) {
    self.fence = fence
    self.seen = seen
  }

  /// Whether there is no evidence.
  @inline(__always)
  var isBlank: Bool {
    crossing == nil && back == nil && peak == 0 && sure == nil && beyond == nil
  }

  /// Forgets the evidence, as a change of side was reported or did not happen.
  mutating func clear() {
    (crossing, back, peak, sure, confidence) = (nil, nil, 0, nil, 0)
  }

  /// The estimate came to the other side.
  ///
  /// Where the fixes did so before, and it only catches up with them, theirs is the crossing.
  mutating func pass(_ candidate: Candidate) {
    let catchesUp = crossing?.isLate == true && back?.isLate != false
    if !catchesUp { crossing = candidate }
    back = nil
  }

  /// Keeps only when the side was last reported.
  mutating func forget() {
    clear()
    beyond = nil
  }

  /// When and where the change of side happened, now that it is sure.
  ///
  /// A candidate that is missing makes the crossing one of an unknown way, at the fix that decided
  /// it.
  ///
  /// - Parameters:
  ///   - crossing: Where the estimate or the fixes crossed the edge; nil when they did not.
  ///   - confidence: How often such reports are right, 0 to 1.
  func change(
    _ crossing: Candidate?, _ update: FilterUpdate, confidence: Double
  ) -> (moment: Moment, crossing: Crossing) {
    guard let crossing else {
      return (
        Moment(update.fix, time: update.time, decided: update.decided),
        Crossing(timeUncertainty: nil, isInterpolated: false, confidence: confidence)
      )
    }
    var moment = crossing.moment
    moment.decided = update.decided
    return (
      moment,
      Crossing(
        timeUncertainty: crossing.timeUncertainty, isInterpolated: true, confidence: confidence)
    )
  }
}

extension FenceMonitor {
  /// The state of a fence; nil when it has none.
  func edge(of fence: Int) -> EdgeState? {
    let place = edges.start(where: { $0.fence >= fence })
    return place < edges.count && edges[place].fence == fence ? edges[place] : nil
  }

  /// The state of a fence, new if it has none.
  ///
  /// An optional one would be copied several times at every fix.
  @inline(__always)
  func edge(of fence: Int, seen time: Timestamp) -> EdgeState {
    let place = edges.start(where: { $0.fence >= fence })
    guard place < edges.count, edges[place].fence == fence else {
      return EdgeState(fence: fence, seen: time)
    }
    return edges[place]
  }

  /// Whether something suggests that the device is not on the reported side of a fence.
  @inline(__always)
  func hasEvidence(of fence: Int) -> Bool {
    let place = edges.start(where: { $0.fence >= fence })
    return place < edges.count && edges[place].fence == fence && !edges[place].isBlank
  }

  /// Stores that a fence without evidence was near.
  @inline(__always)
  mutating func keepBlank(_ fence: Int, _ time: Timestamp) {
    let place = edges.start(where: { $0.fence >= fence })
    if place < edges.count && edges[place].fence == fence {
      edges[place].seen = time
    } else {
      edges.insert(EdgeState(fence: fence, seen: time), at: place)
    }
  }

  /// Stores the state of a fence.
  ///
  /// It is not changed; it is inout only so that it is not copied.
  mutating func keep(_ edge: inout EdgeState) {
    let place = edges.start(where: { $0.fence >= edge.fence })
    if place < edges.count && edges[place].fence == edge.fence {
      edges[place] = edge
    } else {
      edges.insert(edge, at: place)
    }
  }
}

extension [EdgeState] {
  /// Whether the estimate is on the other side of the edge than was reported of a stay.
  func areInDoubt(of stay: FenceMonitor.Stay) -> Bool {
    let place = start(where: { $0.fence >= stay.fence })
    guard place < count, self[place].fence == stay.fence else { return false }
    return self[place].crossing != nil && self[place].back == nil
  }
}
