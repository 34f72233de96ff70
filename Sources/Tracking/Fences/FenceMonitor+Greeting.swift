internal import Geodesy

/// First sight of a device, and sight of one whose side was not known.
extension FenceMonitor {
  /// Of more fences than that it is not said that a device which is first seen is outside of those
  /// that are not near: a device would say more about places where it is not than about its own.
  static let mostGreeted = 1_000

  /// Says on which side of the fresh fences the device is: what is said is the fence's choice.
  mutating func greet(_ sight: Sight, _ set: FenceSet, _ events: inout [Event]) {
    let moment = sight.moment(sight.time)
    let reach = sight.reach
    var kept: [Int] = []
    func greet(_ index: Int, isNear: Bool) {
      let fence = set.member(index)
      let view = view(of: fence, index, sight, isNear: isNear)
      if let isInside = view.isInside {
        say(isInside, view.probability, of: fence, sight, moment, &events)
        if isInside { begin(index, at: sight.time) }
      } else {
        kept.append(index)
        sayUndecided(index, fence, moment, &events)
      }
    }
    if set.count > Self.mostGreeted {
      for index in greeted(set, reach) { greet(index, isNear: set.isNear(index, reach)) }
    } else if fresh.areAll {
      for index in set.indices { greet(index, isNear: set.isNear(index, reach)) }
    } else {
      for index in fresh.list { greet(index, isNear: set.isNear(index, reach)) }
    }
    fresh = FreshFences(kept)
    if !undecided.isEmpty { undecided = undecided.filter { kept.holds($0.fence) } }
  }

  /// Of many fences, those fresh ones of which something is to be said: that are near, or of which
  /// it was said before; ascending.
  private func greeted(_ set: FenceSet, _ reach: Box) -> [Int] {
    var greeted = undecided.map(\.fence)
    set.forEachFence(near: reach) { index in
      if fresh.contains(index) && undecided(index) == nil { greeted.append(index) }
    }
    greeted.sort()
    return greeted
  }

  /// For how long more fixes may decide on which side a device is that was first seen near an edge,
  /// seconds; then the likelier one is said.
  private static let patience = 120.0

  /// On which side the device is, nil when that is not clear, and the probability of it.
  private func view(
    of fence: FenceSet.Member, _ index: Int, _ sight: Sight, isNear: Bool
  ) -> (isInside: Bool?, probability: Double?) {
    guard let threshold = fence.decision.demands?.resting else {
      let isInside = fence.area.contains(sight.fix.coordinate)
      return (isInside, fence.area.probability(of: isInside, at: sight.fix))
    }
    guard isNear else { return (false, 1) }
    let inside = sight.spots.probability(
      inside: fence.area, middle: fence.area.signedDistance(to: sight.estimate.coordinate))
    let isSure = inside >= threshold || inside <= 1 - threshold
    guard isSure || isOverdue(index, sight.time) else { return (nil, nil) }
    return inside > 0.5 ? (true, inside) : (false, 1 - inside)
  }

  private func isOverdue(_ index: Int, _ time: Timestamp) -> Bool {
    guard let since = undecided(index)?.since else { return false }
    return time.seconds(since: since) > Self.patience
  }

  private func say(
    _ isInside: Bool, _ probability: Double?, of fence: FenceSet.Member, _ sight: Sight,
    _ moment: Moment,
    _ events: inout [Event]
  ) {
    switch fence.initial {
    case .none: break
    case .state:
      let side = isInside ? Containment.inside : .outside
      events.append(
        moment.event(.state(fence: fence.id, side, confidence: probability)))
    case .enter:
      guard isInside else { break }
      let crossing = Crossing(
        timeUncertainty: nil, isInterpolated: false, confidence: probability)
      events.append(moment.event(.enter(fence: fence.id, crossing)))
    }
  }

  /// Says once that it is not known on which side the device is.
  private mutating func sayUndecided(
    _ index: Int, _ fence: FenceSet.Member, _ moment: Moment, _ events: inout [Event]
  ) {
    let entry = undecided(index)
    if entry?.since == nil { keep(Undecided(fence: index, since: moment.time)) }
    guard entry == nil, fence.initial == .state else { return }
    events.append(moment.event(.state(fence: fence.id, .unknown, confidence: nil)))
  }
}
