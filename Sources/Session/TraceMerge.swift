internal import Text
package import Traces
package import Tracking

/// The fixes of several traces in the order in which they are due, without an engine.
///
/// Traces are merged as ``Replay`` merges them, and devices have the same names.
package struct TraceMerge {
  /// A fix, its device and when it is due.
  package struct Step: Sendable {
    package var fix: Fix
    /// How the receiver found the position.
    package var solution: SolutionKind
    /// An index into ``TraceMerge/devices``.
    package var device: Int
    /// The fix's own time; the time reached before when it has none or one after a clock jump.
    package var due: Timestamp
    /// The trace, by its place among the given ones, and the line there, as of ``TracePoint``.
    package var source: Int
    package var line: Int
  }

  /// A device of a trace.
  package struct Device: Sendable, Hashable {
    package var name: String
    /// The time of its first fix.
    package var start: Timestamp?
  }

  /// The devices of all fixes so far and of the first fix of each trace; it only grows.
  package private(set) var devices: [Device] = []
  /// Called with a message for every error in a trace, unless ``report`` is, and with remarks.
  package var warn: (String) -> Void = { _ in }
  /// Called with every error in a trace; nil to get messages instead.
  package var report: ((TraceIssue, TraceFeed) -> Void)?
  /// Errors found so far.
  package var issues: Int { streams.reduce(0) { $0 + $1.feed.issueCount } }
  /// Whether the next fix must first be read from a pipe, which may have to be waited for.
  package var mayWait: Bool {
    last.map { streams[$0].mayWaitBehindNext } ?? false
  }

  private var streams: [TraceStream]
  private var queue = StreamQueue()
  private let device: String?
  private var names: DeviceNames
  private var duplicates = DuplicateFilter()
  /// How many fixes were left out so far because another trace had them.
  package private(set) var duplicateCount = 0
  private var hasReportedDuplicates = false
  private var indices: [ExactText: Int] = [:]
  /// The stream of the last step, whose next time is not known yet.
  private var last: Int?

  /// - Parameter device: The device of fixes that name none; nil for a device for each trace.
  package init(_ feeds: [TraceFeed], device: String? = nil) {
    self.device = device
    names = DeviceNames(given: device)
    streams = feeds.enumerated().map { TraceStream(feed: $1, source: $0) }
  }

  /// Reads on to the first fix of every trace.
  package mutating func start() throws(TraceError) {
    for index in streams.indices {
      guard let turn = try turn(of: index) else { continue }
      queue.add(index, at: turn)
      _ = device(of: index)
    }
  }

  /// Starts over with the same traces opened again; devices keep their indices.
  package mutating func restart(_ feeds: [TraceFeed]) throws(TraceError) {
    streams = feeds.enumerated().map { TraceStream(feed: $1, source: $0) }
    (queue, names, last) = (StreamQueue(), DeviceNames(given: device), nil)
    (duplicates, duplicateCount, hasReportedDuplicates) = (DuplicateFilter(), 0, false)
    try start()
  }

  /// The next fix; nil at the end of all traces, and before ``start()``.
  /// - Complexity: O(log n) in the number of traces.
  package mutating func next() throws(TraceError) -> Step? {
    while true {
      if let last {
        let jump = Pacer.longestStep
        let next = streams[last].isUsedUp ? nil : streams[last].advance(clockJump: jump)
        queue.moveFirst(to: next != nil ? next : try turn(of: last))
      }
      last = queue.first?.stream
      guard let index = last else {
        reportDuplicates()
        return nil
      }
      let head = streams[index].head
      let step = Step(
        fix: head.point.fix, solution: head.point.solution, device: device(of: index),
        due: head.due, source: index, line: head.point.line)
      guard streams.count > 1, isDuplicate(step, at: head.turn) else { return step }
      duplicateCount += 1
    }
  }

  private mutating func isDuplicate(_ step: Step, at turn: Timestamp) -> Bool {
    duplicates.isDuplicate(
      step.fix.time, step.fix.coordinate, of: step.device, from: step.source, at: turn)
  }

  /// Reports the duplicates, if there are any, once.
  private mutating func reportDuplicates() {
    guard !hasReportedDuplicates else { return }
    hasReportedDuplicates = true
    var remarks = Remarks()
    remarks.add(duplicates: duplicateCount)
    remarks.lines.forEach(warn)
  }

  private mutating func turn(of index: Int) throws(TraceError) -> Timestamp? {
    let goesOn = try streams[index].refill(clockJump: Pacer.longestStep, names: &names)
    let feed = streams[index].feed
    for issue in feed.takeIssues() {
      if let report { report(issue, feed) } else { warn(issue.described(in: feed.path)) }
    }
    guard !goesOn else { return streams[index].turn }
    if report == nil, let rest = feed.unreportedIssues { warn(rest) }
    return nil
  }

  private mutating func device(of index: Int) -> Int {
    let name = ExactText(streams[index].owner)
    if let known = indices[name] { return known }
    indices[name] = devices.count
    devices.append(Device(name: name.text, start: streams[index].nextTime))
    return devices.count - 1
  }
}
