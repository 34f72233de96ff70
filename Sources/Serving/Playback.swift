package import Session
package import Tracking
package import Traces

/// The fixes of some traces as they go to the clients, once or round after round.
///
/// Time never goes back from one round to the next: each is shifted by the span of the fixes that
/// are played, and by the interval between them.
package struct Playback {
  /// A fix on its way, and when it is due.
  package typealias Step = (served: ServedFix, due: Timestamp)

  /// What is played.
  package var span = TimeSpan()
  /// Whether it begins anew at the end.
  package var loops = false
  /// Is told of every fault in a trace, in words; once, not in every round.
  package var warn: (String) -> Void = { _ in } {
    didSet { merge.warn = warn }
  }
  /// Faults found in the traces.
  package private(set) var issues = 0
  /// Fixes that were left out, as `span` says.
  package private(set) var outsideSpan = 0
  /// Rounds that were begun.
  package private(set) var rounds = 1

  private var merge: TraceMerge
  private let reopen: () throws(TraceError) -> [TraceFeed]
  private var devices: [ServedDevice] = []
  private var announced = 0
  private var round = Round()
  private var shift: Int64 = 0
  private var isOver = false

  /// Makes a playback of opened traces; `reopen` opens them again for the next round.
  package init(
    _ feeds: [TraceFeed], reopen: @escaping () throws(TraceError) -> [TraceFeed]
  ) {
    merge = TraceMerge(feeds)
    self.reopen = reopen
  }

  /// Reads on to the first fix of every trace, so that its devices are known.
  package mutating func start() throws(TraceError) {
    try merge.start()
    noteDevices()
  }

  /// Whether the next fix must be read first, from something that may make one wait.
  package var mayWait: Bool { merge.mayWait }

  /// The devices that have become known since this was asked last.
  package mutating func takeNewDevices() -> [ServedDevice] {
    defer { announced = devices.count }
    return Array(devices[announced...])
  }

  /// The next fix, and when it is due; nil at the end.
  package mutating func next() throws(TraceError) -> Step? {
    while !isOver {
      guard let step = try merge.next() else {
        isOver = try !startNextRound()
        continue
      }
      noteDevices()
      guard span.contains(step.fix.time) else {
        if rounds == 1 { outsideSpan += 1 }
        continue
      }
      round.note(step)
      var served = ServedFix(fix: step.fix, device: step.device)
      served.fix.time = step.fix.time?.advanced(byNanoseconds: shift)
      return (served, step.due.advanced(byNanoseconds: shift))
    }
    return nil
  }

  private mutating func noteDevices() {
    while devices.count < merge.devices.count {
      let device = merge.devices[devices.count]
      devices.append(ServedDevice(name: device.name, activated: device.start, taken: devices))
    }
  }

  private mutating func startNextRound() throws(TraceError) -> Bool {
    if rounds == 1 { issues = merge.issues }
    guard loops else { return false }
    guard let length = round.length else {
      warn("no fix that is played has a time, so there is no second round")
      return false
    }
    let (sum, overflow) = shift.addingReportingOverflow(length)
    guard !overflow, round.fits(shiftedBy: sum) else {
      warn("the times of another round would be beyond the year 2262; it ends here")
      return false
    }
    shift = sum
    rounds += 1
    round = Round()
    merge.warn = { _ in }
    try merge.restart(try reopen())
    return true
  }
}

/// What one round needs to know for the next to go on from it.
private struct Round {
  private var first: Timestamp?
  private var last: Timestamp?
  /// The last time of each device.
  private var times: [Timestamp?] = []
  /// How often two fixes of a device were so many nanoseconds apart.
  private var steps: [Int64: Int] = [:]
  /// So many different steps are counted; a track with more of them has no usual one anyway.
  private static let mostSteps = 256
  /// The interval of a track in which time never goes on, nanoseconds.
  private static let second: Int64 = 1_000_000_000

  mutating func note(_ step: TraceMerge.Step) {
    guard let time = step.fix.time else { return }
    first = min(first ?? time, time)
    last = max(last ?? time, time)
    while times.count <= step.device { times.append(nil) }
    defer { times[step.device] = time }
    guard let before = times[step.device], before < time else { return }
    let step = time.nanoseconds(since: before)
    guard steps[step] != nil || steps.count < Self.mostSteps else { return }
    steps[step, default: 0] += 1
  }

  /// From the beginning of this round to that of the next, nanoseconds: the span, and the step
  /// that was the most frequent.
  var length: Int64? {
    guard let first, let last else { return nil }
    let usual = steps.max { a, b in (a.value, b.key) < (b.value, a.key) }?.key ?? Self.second
    let (sum, overflow) = last.nanoseconds(since: first).addingReportingOverflow(usual)
    return overflow ? .max : sum
  }

  /// Whether all times of the round can be told when they are so much later.
  func fits(shiftedBy shift: Int64) -> Bool {
    guard let last else { return false }
    return !last.nanoseconds.addingReportingOverflow(shift).overflow
  }
}
