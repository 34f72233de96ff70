package import Session
package import Traces
package import Tracking

/// The fixes of some traces in the order of their times, once or in a loop.
///
/// Time never goes back from one pass to the next: each pass is shifted by the span of the played
/// fixes plus the interval between them.
package struct Playback {
  /// A fix and when it is due.
  package typealias Step = (served: ServedFix, due: Timestamp)

  /// The time span that is played.
  package var span = TimeSpan()
  /// The time that the first fix gets, from which all times are shifted; nil for the times of the
  /// traces.
  package var begin: Timestamp?
  /// Whether it starts over at the end.
  package var loops = false
  /// Gets a line for every error in a trace, in the first pass only.
  package var warn: (String) -> Void = { _ in } {
    didSet { merge.warn = warn }
  }
  /// Errors found in the traces.
  package private(set) var issues = 0
  /// Fixes outside of ``span``, which were left out.
  package private(set) var outsideSpan = 0
  /// Passes started.
  package private(set) var passes = 1

  private var merge: TraceMerge
  private let reopen: () throws(TraceError) -> [TraceFeed]
  private var devices: [ServedDevice] = []
  private var announced = 0
  private var pass = Pass()
  private var shift: Int64 = 0
  private var isOver = false

  /// Makes a playback of open traces; `reopen` opens them again for the next pass.
  package init(
    _ feeds: [TraceFeed], reopen: @escaping () throws(TraceError) -> [TraceFeed]
  ) {
    merge = TraceMerge(feeds)
    self.reopen = reopen
  }

  /// Reads to the first fix of every trace, which makes the devices known.
  package mutating func start() throws(TraceError) {
    try merge.start()
    addNewDevices()
  }

  /// Whether reading the next fix may block.
  package var mayWait: Bool { merge.mayWait }

  /// The devices that became known since the last call.
  package mutating func takeNewDevices() -> [ServedDevice] {
    defer { announced = devices.count }
    return Array(devices[announced...])
  }

  /// The next fix, and when it is due; nil at the end.
  package mutating func next() throws(TraceError) -> Step? {
    while !isOver {
      guard let step = try merge.next() else {
        isOver = try !startNextPass()
        continue
      }
      addNewDevices()
      guard span.contains(step.fix.time) else {
        if passes == 1 { outsideSpan += 1 }
        continue
      }
      pass.note(step)
      if let begin, let time = step.fix.time {
        let (shift, overflow) = begin.nanoseconds.subtractingReportingOverflow(time.nanoseconds)
        if !overflow { self.shift = shift }
        self.begin = nil
      }
      var served = ServedFix(fix: step.fix, device: step.device, solution: step.solution)
      served.fix.time = step.fix.time?.advanced(byNanoseconds: shift)
      return (served, step.due.advanced(byNanoseconds: shift))
    }
    return nil
  }

  private mutating func addNewDevices() {
    while devices.count < merge.devices.count {
      let device = merge.devices[devices.count]
      devices.append(ServedDevice(name: device.name, activated: device.start, taken: devices))
    }
  }

  private mutating func startNextPass() throws(TraceError) -> Bool {
    if passes == 1 { issues = merge.issues }
    guard loops else { return false }
    guard let length = pass.length else {
      warn("cannot loop: no fix that is played has a time")
      return false
    }
    let (sum, overflow) = shift.addingReportingOverflow(length)
    guard !overflow, pass.fits(shiftedBy: sum) else {
      warn("cannot loop on: the times of the next pass would be beyond the year 2262")
      return false
    }
    shift = sum
    passes += 1
    pass = Pass()
    // The first pass has reported the errors.
    merge.warn = { _ in }
    try merge.restart(try reopen())
    return true
  }
}

/// The times of one pass, from which the shift of the next follows.
private struct Pass {
  private var first: Timestamp?
  private var last: Timestamp?
  /// The last time of each device.
  private var times: [Timestamp?] = []
  /// How often consecutive fixes of a device were a number of nanoseconds apart.
  private var steps: [Int64: Int] = [:]
  /// Most different steps that are counted; a track with more of them has no usual one.
  private static let mostSteps = 256
  /// The interval of a track whose time does not advance, nanoseconds.
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

  /// From the beginning of this pass to that of the next, nanoseconds: the span plus the most
  /// frequent step.
  var length: Int64? {
    guard let first, let last else { return nil }
    let usual = steps.max { a, b in (a.value, b.key) < (b.value, a.key) }?.key ?? Self.second
    let (sum, overflow) = last.nanoseconds(since: first).addingReportingOverflow(usual)
    return overflow ? .max : sum
  }

  /// Whether no time of the pass overflows when shifted.
  func fits(shiftedBy shift: Int64) -> Bool {
    guard let last else { return false }
    return !last.nanoseconds.addingReportingOverflow(shift).overflow
  }
}
