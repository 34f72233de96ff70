internal import Geodesy

/// Watches the fences for one device: on which side of each edge it is, and since when.
///
/// By which rule an edge counts as crossed is the fence's own decision: the geometry of the fixes
/// (``Decision/naive``), a cushion and a delay (``Decision/apple``), or the probability of being
/// inside (the others).
///
/// It is called in this order: ``ingest(_:_:rules:into:)`` with each accepted fix, `advance` before
/// it and whenever a deadline is due, `adopt` when the fences changed, `restartClock` or `breakOff`
/// at a break in the track. Its state has an entry for each fence that the device is inside or
/// near, and for each whose side is unknown.
struct FenceMonitor: Sendable, Hashable, Codable {
  /// A device being inside a fence.
  struct Stay: Sendable, Hashable, Codable {
    /// Index of the fence.
    var fence: Int
    /// When it came in, or was first seen inside.
    var since: Timestamp
    /// The time of its reported dwell.
    var dwelt: Timestamp?
  }

  /// A fence near which a device was seen and whose side was reported as unknown.
  struct Undecided: Sendable, Hashable, Codable {
    var fence: Int
    /// When it was first seen near; nil when it has not been seen since it fell silent.
    var since: Timestamp?
    /// The stay whose end is unknown; nil when the device was outside or never seen.
    var lost: LostStay?
  }

  /// A stay whose state was lost in a silence: it continues, or ended in the silence.
  struct LostStay: Sendable, Hashable, Codable {
    /// When the device came in, or was first seen inside.
    var since: Timestamp
    /// The time of its reported dwell.
    var dwelt: Timestamp?
    /// The last fix before the silence.
    var heard: Timestamp
    /// When its side was reported as unknown; what is reported of it later is not earlier.
    var forgotten: Timestamp
  }

  /// Stays that go on, by ascending fence.
  ///
  /// The device is outside of every other fence that is not pending.
  var stays: [Stay] = []
  /// Fences of which it is not known on which side the device is.
  var pending = PendingFences.all
  /// Pending fences that were reported as unknown, and since when the device has been near them.
  var undecided: [Undecided] = []
  /// When the first sides were resolved: no crossing is earlier.
  var resolved: Timestamp?
  /// The states of fences whose edge is near, by ascending fence.
  var edges: [EdgeState] = []
  /// Fractions of a way at which it crosses an edge: reused storage, not part of the state.
  var fractions = Scratch([Double]())
  /// The smoothed estimates of the last fixes; not part of the state.
  var path = Scratch(SmoothedPath())
  /// The cached fences around the device.
  var neighbourhood = Neighbourhood()
  /// The edges that were far away; not part of the state.
  var clearances = Clearances()

  // The keys of checkpoints stay as they were when a property has another name.
  private enum CodingKeys: String, CodingKey {
    case stays, undecided, resolved
    case pending = "fresh"
    case edges = "watches"
  }

  /// A new fix; its events are in no order.
  ///
  /// Changes of side come first, then initial states, then dwells that are full at the time of the
  /// fix. The caller sorts them.
  ///
  /// - Complexity: O(fences that are near), for a long way also O(its length).
  mutating func ingest(
    _ update: FilterUpdate, _ motion: inout Motion, rules: Rules, into events: inout [Event]
  ) {
    if update.previous == nil { resume(update, rules.fences, &events) }
    path.value.clear()
    follow(update, &motion, rules, &events)
    if !pending.isEmpty { reportInitialStates(update, rules.fences, &events) }
    for index in stays.indices {
      guard let full = stays[index].fullDwell(rules.fences), full <= update.time,
        !edges.areInDoubt(of: stays[index])
      else { continue }
      reportDwell(index, by: update.time, rules.fences, &events, at: update.moment)
    }
  }

  /// Judges every fence that is near, or in which the device was.
  private mutating func follow(
    _ update: FilterUpdate, _ motion: inout Motion, _ rules: Rules, _ events: inout [Event]
  ) {
    let set = rules.fences
    let near = update.reach
    var far = FarDistance()
    var place = stays.count - 1
    while place >= 0 {
      let index = stays[place].fence
      if !set.isNear(index, near) { judge(index, update, &far, &motion, rules, &events) }
      place -= 1
    }
    if neighbourhood.cover(near, set) {
      for place in neighbourhood.indices {
        guard let index = neighbourhood.fence(at: place, near: near) else { continue }
        if !pending.contains(index) { judge(index, update, &far, &motion, rules, &events) }
      }
    } else if Self.isLong(near) {
      for index in fencesOnLongWay(update, rules) where !pending.contains(index) {
        judge(index, update, &far, &motion, rules, &events)
      }
    } else {
      set.forEachFence(near: near) { index in
        if !pending.contains(index) { judge(index, update, &far, &motion, rules, &events) }
      }
    }
    if hasFarEdge(at: update.time) { forgetFarEdges(update, since: motion.windowStart) }
  }

  /// Whether an edge that is kept was not near at the last fix, of a time.
  @inline(__always)
  private func hasFarEdge(at time: Timestamp) -> Bool {
    for edge in edges.indices where edges[edge].seen != time { return true }
    return false
  }

  /// Whether an edge was near at the last fix, of a time.
  @inline(__always)
  func hasNearEdge(at time: Timestamp) -> Bool {
    for edge in edges.indices where edges[edge].seen == time { return true }
    return false
  }

  /// Forgets the edges that are no longer near.
  ///
  /// One is kept, without evidence, while a crossing of it may yet be dated before what was last reported
  /// of its fence.
  /// - Parameter start: the first fix from which a crossing may be dated; nil for this one.
  @inline(never)
  private mutating func forgetFarEdges(_ update: FilterUpdate, since start: Timestamp?) {
    let time = update.time
    var earliest = start ?? time
    if let contradiction = update.contradiction {
      earliest = min(earliest, contradiction.start.time)
    }
    if let wake = update.wake { earliest = min(earliest, wake.silence) }
    edges.removeAll { edge in
      edge.seen != time && edge.turned.map { $0 <= earliest } ?? true
    }
    for edge in edges.indices where edges[edge].seen != time { edges[edge].forget() }
  }

  /// Judges a fence by its own rule: by evidence, by the cushion, or by the geometry of two fixes.
  ///
  /// The last one needs the fix before; without it, as after a break, ``resume(_:_:_:)`` has done
  /// the work.
  private mutating func judge(
    _ index: Int, _ update: FilterUpdate, _ far: inout FarDistance, _ motion: inout Motion,
    _ rules: Rules, _ events: inout [Event]
  ) {
    let far = far.value(for: update)
    if let far, passOver(index, update, far) { return }
    let fence = neighbourhood.member(index, of: rules.fences)
    if let thresholds = fence.decision.thresholds(inHindsight: path.value.isRecorded) {
      weigh(index, fence, thresholds, update, far, &motion, rules.fences, &events)
    } else if fence.decision == .apple {
      cushion(index, fence, update, rules.fences, &events)
    } else if let step = update.step {
      follow(step, index, fence, rules, &events)
    }
  }

  /// Leaves a fence as it is whose edge is known to be so far away that it does not matter.
  ///
  /// - Returns: whether that is known; what it leaves is what judging the fence would leave.
  @inline(__always)
  private mutating func passOver(_ index: Int, _ update: FilterUpdate, _ far: Double) -> Bool {
    let isInside = stay(of: index) != nil
    guard
      let distance = clearances.distance(
        toEdgeOf: index, isInside: isInside, from: update.estimate.coordinate),
      distance.least >= far, !hasEvidence(of: index)
    else { return false }
    if distance.least >= far + Motion.windowReach { return true }
    guard distance.most < far + Motion.windowReach else { return false }
    keepBlank(index, update.time)
    return true
  }

  /// The same for an edge that was measured.
  ///
  /// - Parameter distance: metres, negative inside.
  @inline(__always)
  mutating func passOver(
    _ index: Int, _ update: FilterUpdate, _ far: Double, edgeAt distance: Double
  ) -> Bool {
    let isInside = stay(of: index) != nil
    guard
      Clearances.leastDistance(distance) >= far, (distance < 0) == isInside,
      Self.isMeasured(at: update.estimate.coordinate), !hasEvidence(of: index)
    else { return false }
    if abs(distance) < far + Motion.windowReach { keepBlank(index, update.time) }
    return true
  }

  /// The device came in: its stay begins, and the event is reported if the fence wants enters.
  mutating func enter(
    _ index: Int, _ fence: FenceSet.Member, _ crossing: Crossing, _ moment: Moment,
    _ events: inout [Event]
  ) {
    begin(index, at: moment.time)
    guard fence.notifications.contains(.enter) else { return }
    events.append(moment.event(.enter(fence: fence.id, crossing)))
  }

  /// The device left: its stay ends, and the event is reported if the fence wants exits.
  ///
  /// - Parameter stay: Its place in ``stays``.
  mutating func leave(
    _ stay: Int, _ fence: FenceSet.Member, _ crossing: Crossing, _ moment: Moment,
    _ events: inout [Event]
  ) {
    let inside = max(0, moment.time.seconds(since: stays.remove(at: stay).since))
    guard fence.notifications.contains(.exit) else { return }
    events.append(moment.event(.exit(fence: fence.id, crossing, inside: inside)))
  }

  /// Begins a stay without an event.
  ///
  /// - Precondition: The device is not inside the fence.
  mutating func begin(_ fence: Int, at time: Timestamp) {
    let place = stays.start(where: { $0.fence > fence })
    stays.insert(Stay(fence: fence, since: time), at: place)
  }

  /// From `time` on it is unknown whether the device, with its last fix at `heard`, is inside.
  mutating func lose(_ stay: Int, at time: Timestamp, heard: Timestamp) {
    let stay = stays.remove(at: stay)
    pending.insert(stay.fence)
    let lost = LostStay(since: stay.since, dwelt: stay.dwelt, heard: heard, forgotten: time)
    keep(Undecided(fence: stay.fence, lost: lost))
  }

  /// A lost stay continues: its enter is not reported again.
  mutating func resume(_ lost: LostStay, of fence: Int) {
    let place = stays.start(where: { $0.fence > fence })
    stays.insert(Stay(fence: fence, since: lost.since, dwelt: lost.dwelt), at: place)
  }

  /// Where in ``stays`` that of a fence is; nil when the device is outside.
  @inline(__always)
  func stay(of fence: Int) -> Int? {
    let place = stays.start(where: { $0.fence >= fence })
    return place < stays.count && stays[place].fence == fence ? place : nil
  }

  /// The entry of a fence whose side was reported as unknown; nil when there is none.
  func undecided(_ fence: Int) -> Undecided? {
    let place = undecided.start(where: { $0.fence >= fence })
    return place < undecided.count && undecided[place].fence == fence ? undecided[place] : nil
  }

  /// Stores since when a side is unknown.
  mutating func keep(_ entry: Undecided) {
    let place = undecided.start(where: { $0.fence >= entry.fence })
    if place < undecided.count, undecided[place].fence == entry.fence {
      undecided[place] = entry
    } else {
      undecided.insert(entry, at: place)
    }
  }

  /// Reports the dwell of a stay if it was full at `time` and has not been reported.
  mutating func reportDwell(
    _ index: Int, by time: Timestamp, _ set: FenceSet, _ events: inout [Event],
    at moment: (Timestamp) -> Moment
  ) {
    guard let full = stays[index].fullDwell(set), full <= time else { return }
    stays[index].dwelt = full
    let stay = stays[index]
    events.append(
      moment(full).event(
        .dwell(fence: set.id(at: stay.fence), inside: full.seconds(since: stay.since))))
  }

  /// Moves all times of stays by what a new clock is ahead of the old one.
  mutating func shift(_ moved: (Timestamp) -> Timestamp) {
    for index in stays.indices {
      stays[index].since = moved(stays[index].since)
      stays[index].dwelt = stays[index].dwelt.map(moved)
    }
    for index in undecided.indices {
      // It is seen for the first time on the new clock.
      undecided[index].since = nil
      if let lost = undecided[index].lost {
        undecided[index].lost = LostStay(
          since: moved(lost.since), dwelt: lost.dwelt.map(moved), heard: moved(lost.heard),
          forgotten: moved(lost.forgotten))
      }
    }
  }

  /// Whether this is a valid state for this number of fences.
  ///
  /// A state that was read from outside may not be: indices must ascend, be those of fences, and no
  /// fence be inside and pending.
  func isValid(forFences count: Int) -> Bool {
    stays.isAscending(below: count, \.fence) && pending.list.isAscending(below: count, \.self)
      && (!pending.areAll || pending.list.isEmpty)
      && !stays.contains { pending.contains($0.fence) }
      && undecided.isAscending(below: count, \.fence)
      && undecided.allSatisfy { pending.contains($0.fence) }
      && edges.isAscending(below: count, \.fence)
  }
}

extension [Int] {
  /// Whether the number is among these, which ascend.
  func holds(_ number: Int) -> Bool {
    let place = start(where: { $0 >= number })
    return place < count && self[place] == number
  }
}

extension Array {
  /// Whether the numbers of the elements ascend, from 0 on, and are all below another.
  @inline(__always)
  fileprivate func isAscending(below end: Int, _ number: (Element) -> Int) -> Bool {
    var last = -1
    for element in self {
      let next = number(element)
      guard next > last, next < end else { return false }
      last = next
    }
    return true
  }

  /// The first place whose element, as all behind it, `isBehind`; those before it are not.
  /// - Complexity: O(log n).
  func start(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension FenceMonitor.Stay {
  /// When the fence's dwell time is complete; nil when no dwell is due or it was reported.
  func fullDwell(_ set: FenceSet) -> Timestamp? {
    let fence = set.settings(fence)
    guard dwelt == nil, fence.notifications.contains(.dwell), let dwell = fence.dwell else {
      return nil
    }
    return since.advanced(byNanoseconds: dwell)
  }
}
