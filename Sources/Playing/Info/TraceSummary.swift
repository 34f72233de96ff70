internal import Formats
package import Geodesy
package import Session
internal import Text
package import Traces
package import Tracking

/// The contents of a trace, as `waymark info` reports them.
package struct TraceSummary {
  /// Errors found in the trace.
  package private(set) var issues = 0
  package let path: String
  package private(set) var notes: [String] = []
  /// The names of where it starts and ends, when they were looked up.
  package var startPlace: String?
  package var endPlace: String?

  private(set) var format: String?
  /// Whether a place in it is a byte, not a line.
  private(set) var isBinary = false
  private(set) var producer: String?
  private(set) var statistics: TraceStatistics
  private(set) var others = TraceFeed.Others()
  private(set) var counts = GateCounts()
  private(set) var steps = StepTotals()

  /// Reads a trace to its end.
  ///
  /// - Parameters:
  ///   - limits: Those of the gate, which decides which fixes the engine would use.
  ///   - warn: Is called with a message for each of the first errors.
  package init(
    of feed: TraceFeed, limits: GateLimits = GateLimits(), warn: (String) -> Void
  ) throws(TraceError) {
    path = feed.path
    statistics = TraceStatistics(limits: limits)
    try read(feed, warn)
    format = feed.format?.name
    isBinary = feed.isBinary
    producer = feed.producer
    others = feed.others
    issues = feed.issueCount
    counts = statistics.counts
    notes = feed.remarks(late: counts[.outOfOrder])
    steps = statistics.steps
  }

  private mutating func read(
    _ feed: TraceFeed, _ warn: (String) -> Void
  ) throws(TraceError) {
    var names = DeviceNames(given: nil)
    // The numbers of the devices that the trace names, and of the one without a name.
    var named: [Int] = []
    var unnamed: Int?
    var slice = TraceSlice()
    var segments = 0
    while true {
      let goesOn = try feed.take(&slice)
      for issue in feed.takeIssues() { warn(issue.described(in: path)) }
      guard goesOn else { return }
      if feed.others.tracks + feed.others.segments != segments {
        segments = feed.others.tracks + feed.others.segments
        statistics.beginSegment()
      }
      for index in slice.range {
        let device: Int
        if let number = slice.points[index].device.map(Int.init) {
          while named.count <= number {
            named.append(statistics.number(of: feed.devices[named.count]))
          }
          device = named[number]
        } else {
          device = unnamed ?? statistics.number(of: names.name(of: feed))
          unnamed = device
        }
        let point = slice.points[index]
        statistics.add(point.fix, of: device, line: point.line, point.solution)
      }
    }
  }

  /// The position of the first fix by time; nil when no fix would be used.
  package var start: Coordinate? { statistics.first?.coordinate }
  /// The position of the last fix by time.
  package var end: Coordinate? { statistics.last?.coordinate }

  /// The names of the devices, in the order of their bytes.
  var sortedDevices: [String] { statistics.devices.map(ExactText.init).sorted().map(\.text) }

  /// Seconds from the first fix to the last.
  var span: Double? {
    guard let first = statistics.first, let last = statistics.last else { return nil }
    return last.time.seconds(since: first.time)
  }

  /// The fixes that the engine would drop, by reason.
  var drops: [(defect: Defect, count: Int)] {
    Defect.allCases.compactMap { counts[$0] > 0 ? ($0, counts[$0]) : nil }
  }
}
