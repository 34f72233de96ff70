internal import Geodesy

/// What the engine knew of one fence when it judged a fix, and what the fence's rule required.
package struct FenceView: Sendable, Hashable {
  /// The side that was reported, or known without a report, before the fix.
  package var side: Containment
  /// Metres to the edge, negative inside: from the estimate, or from the fix if the rule takes fixes
  /// as they are.
  package var distance: Double
  /// One sigma of the estimate along one axis, metres.
  package var sigma: Double
  /// Probability of being inside; that of the fix alone if the rule takes fixes as they are.
  package var inside: Double
  /// The probability of a side that the rule requires; nil for rules without evidence.
  package var needed: Double?
  /// Seconds for which the evidence must last; 0 when this fix needs no further one.
  package var hold: Double
  /// Since when the evidence has been enough; nil while it is not.
  package var since: Timestamp?
  /// Whether the rule was met at this fix.
  package var isMet = false
  /// The passage that is over at this fix; nil when none is.
  package var passage: Passage?

  /// A device that was on the other side for a while, and is back.
  package struct Passage: Sendable, Hashable {
    /// The largest probability of having been there.
    package var probability: Double
    /// The one that is required.
    package var needed: Double
  }

  init(side: Containment, distance: Double, sigma: Double, inside: Double, hold: Double) {
    (self.side, self.distance, self.sigma) = (side, distance, sigma)
    (self.inside, self.hold) = (inside, hold)
  }

  /// Probability that the device is not on the side that was reported.
  package var evidence: Double { side == .inside ? 1 - inside : inside }
}

extension Judgement {
  /// What the engine knew of a fence; nil when the fix was not used at once.
  ///
  /// It repeats the judgement on a copy of the engine's state, so nothing changes. Of a fence whose
  /// side was unknown it has what the initial state requires.
  package func view(of fence: Int) -> FenceView? {
    guard let update else { return nil }
    let member = rules.fences.member(fence)
    let side = side(of: fence)
    guard let thresholds = member.decision.thresholds else {
      return plainView(of: fence, member, side, update)
    }
    var monitor = before.fences
    var edge = monitor.edge(of: fence, seen: update.time)
    let (estimate, area) = (update.estimate, member.area)
    let distance = area.signedDistance(to: estimate.coordinate)
    let inside = update.positions.probability(inside: area, middle: distance)
    var view = FenceView(
      side: side, distance: distance, sigma: estimate.sigma, inside: inside,
      hold: thresholds.hold)
    guard side != .unknown else {
      view.needed = thresholds.resting
      view.hold = 0
      view.isMet = monitor.side(of: member, fence, update, isNear: isNear(fence)).isInside != nil
      return view
    }
    let evidence = monitor.gather(member, thresholds, update, distance, &edge)
    view.needed = evidence.threshold
    guard isJudged(fence) else { return view }
    if evidence.isEnough {
      let since = edge.sure ?? update.time
      view.since = since
      view.isMet = thresholds.suffices(since: since, update)
      if view.isMet, update.time.seconds(since: since) < thresholds.hold { view.hold = 0 }
    } else if evidence.probability <= 1 - evidence.threshold, edge.isPassage(thresholds),
      let least = thresholds.passage ?? thresholds.way
    {
      view.passage = FenceView.Passage(probability: edge.peak, needed: least)
    }
    return view
  }

  /// The same for the rules that take fixes as they are.
  private func plainView(
    of fence: Int, _ member: FenceSet.Member, _ side: Containment, _ update: FilterUpdate
  ) -> FenceView {
    let (fix, area) = (update.fix, member.area)
    let distance = area.signedDistance(to: fix.coordinate)
    let inside = area.probability(of: true, at: fix) ?? (distance <= 0 ? 1 : 0)
    let sigma = (fix.horizontalAccuracy ?? 0) / AccuracyRadius.engineSigmas
    var view = FenceView(
      side: side, distance: distance, sigma: sigma, inside: inside, hold: 0)
    guard side != .unknown else {
      view.isMet = true
      return view
    }
    if member.decision == .apple {
      view.hold = FenceMonitor.cushionTime
      let stay = before.fences.stay(of: fence)
      let isBeyond = FenceMonitor.isBeyond(distance, area, isInside: stay != nil)
      view.since = isBeyond ? before.fences.edge(of: fence)?.beyond ?? update.time : nil
      view.isMet =
        isJudged(fence)
        && view.since.map { update.time.seconds(since: $0) >= FenceMonitor.cushionTime } ?? false
    } else {
      view.isMet = (distance <= 0) != (side == .inside)
    }
    return view
  }

  /// Whether the fence is within the reach of the update.
  private func isNear(_ fence: Int) -> Bool {
    update.map { rules.fences.isNear(fence, $0.reach) } ?? false
  }

  /// Whether the engine judges the fence at this fix: it is near, or the device was inside.
  private func isJudged(_ fence: Int) -> Bool {
    isNear(fence) || before.fences.stay(of: fence) != nil
  }

  /// The side of a fence before the fix, when the silence before it was over.
  package func side(of fence: Int) -> Containment { before.side(of: fence) }

  /// When the device came in, or was first seen inside; nil when it was not inside before the fix.
  package func insideSince(_ fence: Int) -> Timestamp? {
    before.fences.stay(of: fence).map { before.fences.stays[$0].since }
  }

  /// Since when a crossing was probable enough when the device fell silent; nil when none was.
  package func sureSince(_ fence: Int) -> Timestamp? { start.fences.edge(of: fence)?.sure }

  /// The stay that was lost in a silence before: when the device came in; nil when there was none.
  package func lostSince(_ fence: Int) -> Timestamp? { before.fences.undecided(fence)?.lost?.since }
}

extension Tracker {
  /// The side of a fence on which the device is, as far as it is known.
  package func side(of fence: Int) -> Containment {
    if fences.stay(of: fence) != nil { return .inside }
    return fences.pending.contains(fence) ? .unknown : .outside
  }
}

extension Decision {
  /// Seconds that ``apple`` requires a device to stay past the cushion.
  package static var cushionTime: Double { FenceMonitor.cushionTime }
}
