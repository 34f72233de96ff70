internal import Geodesy

/// Watches the fences for one device: on which side of each edge it is, and since when.
///
/// The rule is geometric: inside is where the last fix lies in the area or on its edge. Between two
/// fixes the device went along the geodesic at even speed, so a crossing has a place and a time,
/// and a fence that was passed between two fixes gives its enter and its exit.
struct FenceMonitor: Sendable, Hashable, Codable {
  /// A device being inside a fence.
  struct Stay: Sendable, Hashable, Codable {
    /// Index of the fence.
    var fence: Int
    /// When it came in, or was first seen inside.
    var since: Timestamp
    /// When its dwell was said to be complete.
    var dwelt: Timestamp?
  }

  /// Stays that go on, by ascending fence.
  ///
  /// Of every other fence that is not fresh the device is outside.
  private(set) var stays: [Stay] = []
  /// Fences for which the device has not been seen yet, ascending.
  private var fresh: [Int]
  /// Fractions of the way at which an edge is crossed; kept for its storage, empty between calls.
  private var fractions: [Double] = []

  init(fenceCount: Int) {
    fresh = Array(0..<fenceCount)
  }

  /// A new fix, of which `decided` is when the engine believed it; its events are in no order.
  ///
  /// - Parameter previous: the fix before, or nil when the way from it is not known.
  mutating func ingest(
    _ fix: Fix, after previous: Fix?, decided: Timestamp, rules: Rules,
    into events: inout [Event]
  ) {
    guard let time = fix.time else { return }
    let step = previous.map { Step(from: $0, to: fix, decided: decided) }
    if let step {
      follow(step, rules, &events)
    } else {
      resume(at: fix, time, decided, rules.fences, &events)
    }
    if !fresh.isEmpty { greet(fix, time, decided, rules.fences, &events) }
    for index in stays.indices {
      sayDwell(index, by: time, rules.fences, &events) { full in
        step.map { Way($0).moment(at: full) } ?? Moment(fix, time: full, decided: decided)
      }
    }
  }

  /// Time passed without a fix: says the dwells whose patience has run out.
  ///
  /// - Parameter believed: when the engine believed `last`, if that was after its own time; nothing
  ///   is decided before.
  mutating func advance(
    to now: Timestamp, last: Fix?, believed: Timestamp? = nil, rules: Rules,
    into events: inout [Event]
  ) {
    guard let last, !stays.isEmpty else { return }
    let first = events.count
    for index in stays.indices {
      guard let due = deadline(of: stays[index], last: last, rules), due <= now else { continue }
      sayDwell(index, by: due, rules.fences, &events) { full in
        Moment(last, time: full, decided: max(due, believed ?? due))
      }
    }
    events.sortTail(from: first)
  }

  /// When ``advance(to:last:rules:into:)`` would say something.
  func nextDeadline(last: Fix?, rules: Rules) -> Timestamp? {
    guard let last, !stays.isEmpty else { return nil }
    return stays.lazy.compactMap { deadline(of: $0, last: last, rules) }.min()
  }

  /// A dwell is due when its time is full and the device has been silent for the patience.
  private func deadline(of stay: Stay, last: Fix, _ rules: Rules) -> Timestamp? {
    guard let full = stay.fullDwell(rules.fences), let heard = last.time else { return nil }
    return max(full, heard.advanced(bySeconds: rules.dwellPatience))
  }

  /// Crossings on the way between two fixes.
  private mutating func follow(_ step: Step, _ rules: Rules, _ events: inout [Event]) {
    let set = rules.fences
    set.forEachFence(near: step.box) { index in
      let fence = set.fences[index]
      guard !isFresh(index) else { return }
      fence.area.crossings(
        from: step.from.coordinate, to: step.to.coordinate, into: &fractions)
      if step.duration > rules.passageGap { keepChangeOfSide(index) }
      guard !fractions.isEmpty else { return }
      cross(step, index, fence, set, &events)
      fractions.removeAll(keepingCapacity: true)
    }
  }

  /// Over a gap in which anything may have happened, the crossing that led to where the device is:
  /// the last way in or the first way out.
  private mutating func keepChangeOfSide(_ index: Int) {
    guard let first = fractions.first, let last = fractions.last else { return }
    let isChange = fractions.count % 2 == 1
    let wasInside = stay(of: index) != nil
    fractions.removeAll(keepingCapacity: true)
    if isChange { fractions.append(wasInside ? first : last) }
  }

  /// Turns the crossings of one fence into events.
  private mutating func cross(
    _ step: Step, _ index: Int, _ fence: Fence, _ set: FenceSet, _ events: inout [Event]
  ) {
    let way = Way(step)
    for position in firstCrossing(step, index)..<fractions.count {
      let fraction = fractions[position]
      let place = way.crossing(fractions, at: position, of: fence.area)
      if let stay = stay(of: index) {
        let time = max(step.time(at: fraction), stays[stay].dwelt ?? stays[stay].since)
        sayDwell(stay, by: time, set, &events, at: way.moment)
        leave(stay, fence, place, Moment(way, fraction, time: time), &events)
      } else {
        enter(index, fence, place, Moment(way, fraction, time: step.time(at: fraction)), &events)
      }
    }
  }

  /// The first crossing that can be said.
  ///
  /// A dwell that was said in silence stands: the device was inside until then. Of the crossings
  /// that lie before it, those out and in again are passed over; a last one out stands.
  private func firstCrossing(_ step: Step, _ index: Int) -> Int {
    guard let stay = stay(of: index), let dwelt = stays[stay].dwelt, dwelt > step.start else {
      return 0
    }
    let early = fractions.prefix { step.time(at: $0) < dwelt }.count
    return early - early % 2
  }

  /// The device has a new clock that says `time`; the old one was last heard at `heard`.
  ///
  /// Stays are as long as they were. If a dwell was said in silence, the old clock had come that far.
  mutating func restartClock(at time: Timestamp, heard: Timestamp) {
    let reached = stays.lazy.compactMap(\.dwelt).reduce(heard, max)
    func moved(_ old: Timestamp) -> Timestamp {
      time.advanced(byNanoseconds: -max(0, reached.nanoseconds(since: old)))
    }
    for index in stays.indices {
      stays[index].since = moved(stays[index].since)
      stays[index].dwelt = stays[index].dwelt.map(moved)
    }
  }

  /// The track broke off: the device is taken to have been where it was last seen until `time`, so
  /// that a stay that ends there was long enough for the dwells that were full by then.
  mutating func breakOff(
    at time: Timestamp, last: Fix, decided: Timestamp, _ set: FenceSet, _ events: inout [Event]
  ) {
    let first = events.count
    for index in stays.indices {
      sayDwell(index, by: time, set, &events) { Moment(last, time: $0, decided: decided) }
    }
    events.sortTail(from: first)
  }

  /// After a break in the track: only the sides that changed are known, not how.
  private mutating func resume(
    at fix: Fix, _ time: Timestamp, _ decided: Timestamp, _ set: FenceSet,
    _ events: inout [Event]
  ) {
    let moment = Moment(fix, time: time, decided: decided)
    var index = 0
    while index < stays.count {
      let fence = set.fences[stays[index].fence]
      if fence.area.contains(fix.coordinate) {
        index += 1
      } else {
        leave(index, fence, .unseen(fence.area, fix, inside: false), moment, &events)
      }
    }
    set.forEachFence(near: Box(fix.coordinate)) { index in
      let fence = set.fences[index]
      guard !isFresh(index), stay(of: index) == nil,
        fence.area.contains(fix.coordinate)
      else { return }
      enter(index, fence, .unseen(fence.area, fix, inside: true), moment, &events)
    }
  }

  /// First sight of a device: what is said is the fence's choice.
  private mutating func greet(
    _ fix: Fix, _ time: Timestamp, _ decided: Timestamp, _ set: FenceSet, _ events: inout [Event]
  ) {
    let moment = Moment(fix, time: time, decided: decided)
    for index in fresh {
      let fence = set.fences[index]
      let isInside = fence.area.contains(fix.coordinate)
      switch fence.initial {
      case .none: break
      case .state:
        let confidence = fence.area.probability(of: isInside, at: fix)
        events.append(
          moment.event(
            .state(
              fence: fence.id, isInside ? .inside : .outside, confidence: confidence)))
      case .enter where isInside:
        let crossing = Crossing.unseen(fence.area, fix, inside: true)
        events.append(moment.event(.enter(fence: fence.id, crossing)))
      case .enter: break
      }
      if isInside { begin(index, at: time) }
    }
    fresh = []
  }

  private mutating func enter(
    _ index: Int, _ fence: Fence, _ crossing: Crossing, _ moment: Moment,
    _ events: inout [Event]
  ) {
    begin(index, at: moment.time)
    guard fence.notifications.contains(.enter) else { return }
    events.append(moment.event(.enter(fence: fence.id, crossing)))
  }

  private mutating func leave(
    _ stay: Int, _ fence: Fence, _ crossing: Crossing, _ moment: Moment,
    _ events: inout [Event]
  ) {
    let inside = max(0, moment.time.seconds(since: stays.remove(at: stay).since))
    guard fence.notifications.contains(.exit) else { return }
    events.append(moment.event(.exit(fence: fence.id, crossing, inside: inside)))
  }

  private mutating func begin(_ fence: Int, at time: Timestamp) {
    let place = stays.start(where: { $0.fence > fence })
    stays.insert(Stay(fence: fence, since: time), at: place)
  }

  /// Where in ``stays`` that of a fence is; nil when the device is outside.
  private func stay(of fence: Int) -> Int? {
    let place = stays.start(where: { $0.fence >= fence })
    return place < stays.count && stays[place].fence == fence ? place : nil
  }

  /// Says the dwell of a stay if it was full at `time` and has not been said.
  private mutating func sayDwell(
    _ index: Int, by time: Timestamp, _ set: FenceSet, _ events: inout [Event],
    at moment: (Timestamp) -> Moment
  ) {
    guard let full = stays[index].fullDwell(set), full <= time else { return }
    stays[index].dwelt = full
    let stay = stays[index]
    events.append(
      moment(full).event(
        .dwell(fence: set.fences[stay.fence].id, inside: full.seconds(since: stay.since))))
  }

  private func isFresh(_ index: Int) -> Bool {
    let place = fresh.start(where: { $0 >= index })
    return place < fresh.count && fresh[place] == index
  }

  /// Whether this can be the state for so many fences.
  func isValid(forFences count: Int) -> Bool {
    let known = stays.map(\.fence)
    return known.isAscending(within: 0..<count) && fresh.isAscending(within: 0..<count)
      && !known.contains(where: isFresh) && fractions.isEmpty
  }

  /// The fences changed: what is known of those that stay as they are is kept, by id.
  mutating func adopt(_ new: FenceSet, instead old: FenceSet) {
    var places: [String: Int] = [:]
    for (index, fence) in old.fences.enumerated() where !isFresh(index) { places[fence.id] = index }
    var kept: [Stay] = []
    fresh = []
    for (index, fence) in new.fences.enumerated() {
      guard let before = places[fence.id], old.fences[before].area == fence.area else {
        fresh.append(index)
        continue
      }
      guard let place = stay(of: before) else { continue }
      kept.append(stays[place])
      kept[kept.count - 1].fence = index
    }
    stays = kept
  }
}

extension [Int] {
  fileprivate func isAscending(within range: Range<Int>) -> Bool {
    allSatisfy(range.contains) && zip(self, dropFirst()).allSatisfy(<)
  }
}

extension Array {
  /// The first place whose element, as all behind it, `isBehind`; those before it are not.
  /// - Complexity: O(log n).
  fileprivate func start(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension FenceMonitor.Stay {
  /// When the fence's dwell time is full; nil when none is to be said (any more).
  fileprivate func fullDwell(_ set: FenceSet) -> Timestamp? {
    let fence = set.fences[fence]
    guard dwelt == nil, fence.notifications.contains(.dwell), let dwell = fence.dwell else {
      return nil
    }
    return since.advanced(byNanoseconds: dwell)
  }
}
