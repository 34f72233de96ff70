package import Geodesy
internal import Text
package import Traces
package import Tracking

/// Statistics of a trace, gathered fix by fix in memory that does not grow with its length.
package struct TraceStatistics {
  /// A position at a time.
  package struct TimedPosition: Sendable, Hashable {
    package let time: Timestamp
    package let coordinate: Coordinate
  }

  /// Fixes of tracks, good or bad.
  package private(set) var points = 0
  /// The names of the devices, in the order of their numbers.
  package private(set) var devices: [String] = []
  /// The bounds of the fixes that the engine would use; when it would use none, as for a planned route
  /// without times, of all valid coordinates.
  package var box: Box? { usedBox ?? anyBox }
  private var usedBox: Box?
  private var anyBox: Box?
  /// The first and the last fix by time, of those that the engine would use.
  package private(set) var first: TimedPosition?
  package private(set) var last: TimedPosition?
  private var intervals = StepIntervals()
  package private(set) var withAccuracy = 0
  package private(set) var withSpeed = 0
  package private(set) var withAltitude = 0
  /// How receivers found the positions.
  package private(set) var solutions: [SolutionKind: Int] = [:]
  /// The line of the first fix that was dropped for a reason.
  package private(set) var firstDefects: [Defect: Int] = [:]

  private let limits: GateLimits
  private var states: [DeviceWay] = []
  private var numbers: [ExactText: Int] = [:]
  private var segment = 0

  /// Statistics of no fixes.
  package init(limits: GateLimits = GateLimits()) {
    self.limits = limits
  }

  /// The number of a device; a new device gets the next number.
  package mutating func number(of device: String) -> Int {
    let name = ExactText(device)
    if let number = numbers[name] { return number }
    numbers[name] = states.count
    devices.append(device)
    states.append(DeviceWay())
    return states.count - 1
  }

  /// A track or a segment begins: the fixes before it and after it are not joined.
  package mutating func beginSegment() { segment += 1 }

  /// Adds a fix of a device.
  package mutating func add(
    _ fix: Fix, of device: Int, line: Int, _ solution: SolutionKind = .plain
  ) {
    var fix = fix
    points += 1
    if solution != .plain { solutions[solution, default: 0] += 1 }
    if fix.horizontalAccuracy != nil { withAccuracy += 1 }
    if fix.speed != nil { withSpeed += 1 }
    if fix.altitude != nil { withAltitude += 1 }
    if usedBox == nil, fix.coordinate.isValid { Self.extend(&anyBox, to: fix.coordinate) }
    switch states[device].validator.validate(&fix, limits: limits) {
    case .dropped(let defect):
      if firstDefects[defect] == nil { firstDefects[defect] = line }
    case .waits: break
    case .late:
      guard let time = use(fix) else { return }
      states[device].insert(
        fix.coordinate, at: time, in: segment, limits: limits, counting: &intervals)
    case .accepted: advance(device, to: fix)
    case .acceptedAfterGap(let waiting):
      advance(device, to: waiting)
      advance(device, to: fix)
    case .acceptedAfterBreak(let waiting, let hasNewClock):
      // A jump may end a silence.
      states[device].breakOff(hasNewClock: hasNewClock, counting: &intervals)
      advance(device, to: waiting)
      advance(device, to: fix)
    case .acceptedOnEarlierClock:
      states[device].breakOff(hasNewClock: true, counting: &intervals)
      advance(device, to: fix)
    }
  }

  private mutating func advance(_ device: Int, to fix: Fix) {
    guard let time = use(fix) else { return }
    states[device].move(to: fix.coordinate, at: time, in: segment, counting: &intervals)
  }

  /// Notes the place of a fix, and returns its time.
  private mutating func use(_ fix: Fix) -> Timestamp? {
    guard let time = fix.time else { return nil }
    let position = TimedPosition(time: time, coordinate: fix.coordinate)
    Self.extend(&usedBox, to: fix.coordinate)
    if first.map({ time < $0.time }) ?? true { first = position }
    if last.map({ time >= $0.time }) ?? true { last = position }
    return time
  }

  private static func extend(_ box: inout Box?, to coordinate: Coordinate) {
    box?.extend(coordinate)
    box = box ?? Box(coordinate)
  }

  /// Median time between two fixes in seconds, above an hour in whole minutes; nil without steps.
  package var medianInterval: Int? {
    var intervals = intervals
    for state in states { state.countOpen(into: &intervals) }
    return intervals.median
  }

  /// The steps of all devices.
  package var steps: StepTotals { StepTotals(states.map(\.steps.totals)) }

  /// The counts of the gate for the fixes.
  package var counts: GateCounts {
    states.reduce(into: GateCounts()) { $0 += $1.validator.gate.counts }
  }
}
