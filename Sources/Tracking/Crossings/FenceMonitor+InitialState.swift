internal import Geodesy

/// The initial state of a device, and of fences whose side was not known.
extension FenceMonitor {
  /// With more fences than this, "outside" is not reported initially for fences that are not near:
  /// otherwise most events of a device would be about places where it is not.
  static let mostInitialReports = 1_000

  /// So few pending fences are looked at one by one: after a long way many others are near.
  private static let fewPending = 64

  /// Reports on which side of the pending fences the device is, by the settings of each fence.
  ///
  /// A fence stays pending while its side is not sure; it was then reported as unknown once. A
  /// fence whose stay was lost in a silence goes on with it, or gets its exit in that silence.
  ///
  /// - Complexity: O(fences) for the first fix with up to ``mostInitialReports`` fences, else
  ///   O(pending fences that are near).
  mutating func reportInitialStates(
    _ update: FilterUpdate, _ set: FenceSet, _ events: inout [Event]
  ) {
    let moment = update.moment(update.time)
    let reach = update.reach
    var kept: [Int] = []
    func resolve(_ index: Int, isNear: Bool) {
      let fence = set.member(index)
      let known = side(of: fence, index, update, isNear: isNear)
      if let isInside = known.isInside {
        if pending.areAll { resolved = update.time }
        if let entry = undecided(index), let lost = entry.lost {
          resume(lost, of: index)
          if !isInside {
            leaveUnseen(entry, lost, fence, known.probability, update, set, &events)
          }
          holdBack(index, update.time)
          // It was reported as unknown, which an exit resolves too.
          if fence.initial == .state, isInside || !fence.notifications.contains(.exit) {
            report(isInside, known.probability, of: fence, update, moment, &events)
          }
        } else {
          report(isInside, known.probability, of: fence, update, moment, &events)
          if isInside {
            begin(index, at: update.time)
          } else if isNear || undecided(index) != nil {
            holdBack(index, update.time)
          }
        }
      } else {
        kept.append(index)
        reportUnknown(index, fence, moment, &events)
      }
    }
    if set.count > Self.mostInitialReports {
      for index in unresolved(set, reach) { resolve(index, isNear: set.isNear(index, reach)) }
    } else if pending.areAll {
      for index in set.indices { resolve(index, isNear: set.isNear(index, reach)) }
    } else {
      for index in pending.list { resolve(index, isNear: set.isNear(index, reach)) }
    }
    pending = PendingFences(kept)
    if !undecided.isEmpty { undecided = undecided.filter { kept.holds($0.fence) } }
  }

  /// No crossing of a fence is dated before its initial state.
  private mutating func holdBack(_ index: Int, _ time: Timestamp) {
    var edge = edge(of: index, seen: time)
    edge.turned = time
    keep(&edge)
  }

  /// A stay ended at an unknown time of the silence in which it was lost (uniform distribution).
  private mutating func leaveUnseen(
    _ entry: Undecided, _ lost: LostStay, _ fence: FenceSet.Member, _ probability: Double?,
    _ update: FilterUpdate, _ set: FenceSet, _ events: inout [Event]
  ) {
    guard let place = stay(of: entry.fence) else { return }
    let start = max(lost.heard, lost.dwelt ?? lost.since)
    let span = max(0, (entry.since ?? update.time).seconds(since: start))
    let time = max(start.advanced(bySeconds: span / 2), lost.forgotten)
    let crossing = Crossing(
      timeUncertainty: span / 12.0.squareRoot(), isInterpolated: true, confidence: probability)
    leave(place, fence, crossing, update.moment(time), &events)
  }

  /// Of many fences, the pending ones to be reported: those that are near or were reported before,
  /// ascending.
  private func unresolved(_ set: FenceSet, _ reach: Box) -> [Int] {
    var found = undecided.map(\.fence)
    func note(_ index: Int) {
      if undecided(index) == nil { found.append(index) }
    }
    if !pending.areAll && pending.list.count <= Self.fewPending {
      for index in pending.list where set.isNear(index, reach) { note(index) }
    } else {
      set.forEachFence(near: reach) { index in
        if pending.contains(index) { note(index) }
      }
    }
    found.sort()
    return found
  }

  /// For how long more fixes may decide on which side a device is that was first seen near an edge,
  /// seconds; then the likelier one is reported.
  static let patience = 120.0

  /// On which side the device is, nil when that is not clear, and the probability of it.
  ///
  /// Rules of evidence require the probability of a device at rest, and take the likelier side
  /// after ``patience``. For them a fence that is not near is outside, with certainty. The other
  /// rules take the fix as it is.
  func side(
    of fence: FenceSet.Member, _ index: Int, _ update: FilterUpdate, isNear: Bool
  ) -> (isInside: Bool?, probability: Double?) {
    guard let threshold = fence.decision.thresholds?.resting else {
      let isInside = fence.area.contains(update.fix.coordinate)
      return (isInside, fence.area.probability(of: isInside, at: update.fix))
    }
    guard isNear else { return (false, 1) }
    let inside = update.positions.probability(
      inside: fence.area, middle: fence.area.signedDistance(to: update.estimate.coordinate))
    let isSure = inside >= threshold || inside <= 1 - threshold
    guard isSure || isOverdue(index, update.time) else { return (nil, nil) }
    return inside > 0.5 ? (true, inside) : (false, 1 - inside)
  }

  /// Whether the side of a fence has been unknown for longer than more fixes are waited for.
  private func isOverdue(_ index: Int, _ time: Timestamp) -> Bool {
    guard let since = undecided(index)?.since else { return false }
    return time.seconds(since: since) > Self.patience
  }

  /// Reports the side as the fence wants it.
  ///
  /// That is a state, an enter when the device is inside, or nothing.
  private func report(
    _ isInside: Bool, _ probability: Double?, of fence: FenceSet.Member, _ update: FilterUpdate,
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

  /// Reports once that the side of the device is unknown.
  private mutating func reportUnknown(
    _ index: Int, _ fence: FenceSet.Member, _ moment: Moment, _ events: inout [Event]
  ) {
    let entry = undecided(index)
    if entry?.since == nil {
      keep(Undecided(fence: index, since: moment.time, lost: entry?.lost))
    }
    guard entry == nil, fence.initial == .state else { return }
    events.append(moment.event(.state(fence: fence.id, .unknown, confidence: nil)))
  }
}
