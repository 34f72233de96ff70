internal import Geodesy
internal import Tracking

/// The way of one device: which of its fixes are used, and the steps between them.
///
/// The last fixes are kept in the order of time, as a late one may belong between them.
struct DeviceWay: Sendable {
  /// A fix that is used.
  private struct Stop: Sendable {
    let time: Timestamp
    let coordinate: Coordinate
    /// Something joins two stops of the same segment alone, when nothing broke off between them.
    let segment: Int
    let breaks: Int

    func isJoined(to other: Stop) -> Bool { segment == other.segment && breaks == other.breaks }
  }

  /// A step from one stop to the next.
  private struct Step: Sendable {
    let seconds: Double
    /// Nil when nothing joins the stops.
    let metres: Double?
  }

  /// Goes from stop to stop.
  private struct Walk: Sendable {
    private var odometer: Odometer?
    private(set) var last: Stop?

    /// Moves on; returns nil for the first stop.
    mutating func move(to stop: Stop) -> Step? {
      defer { last = stop }
      guard let start = last, let metres = odometer?.move(to: stop.coordinate) else {
        odometer = Odometer(at: stop.coordinate)
        return nil
      }
      let seconds = stop.time.seconds(since: start.time)
      guard seconds > 0 else { return nil }
      return Step(seconds: seconds, metres: stop.isJoined(to: start) ? metres : nil)
    }
  }

  var validator = TrackValidator()
  /// The steps before those of `recent`, and where they ended.
  private var settled = DeviceSteps()
  private var walk = Walk()
  private var recent: [Stop] = []
  private var breakCount = 0

  /// So many stops are settled at a time.
  private static let settledAtOnce = 8

  /// Moves to the next fix that is used.
  mutating func move(
    to coordinate: Coordinate, at time: Timestamp, in segment: Int,
    counting intervals: inout StepIntervals
  ) {
    recent.append(
      Stop(time: time, coordinate: coordinate, segment: segment, breaks: breakCount))
    settleSome(&intervals)
  }

  /// Puts a late fix in its place among the last ones, if the device can have been there.
  mutating func insert(
    _ coordinate: Coordinate, at time: Timestamp, in segment: Int, limits: GateLimits,
    counting intervals: inout StepIntervals
  ) {
    let place = recent.firstIndex { $0.time > time } ?? recent.count
    let (start, end) = (recent[..<place].last ?? walk.last, recent[place...].first)
    if let start {
      let seconds = time.seconds(since: start.time)
      guard limits.allow(start.coordinate, to: coordinate, in: seconds) else { return }
    }
    if let end {
      let seconds = end.time.seconds(since: time)
      guard limits.allow(coordinate, to: end.coordinate, in: seconds) else { return }
    }
    var breaks = breakCount
    // What was broken off since then was not broken off there.
    if let start, let end, start.isJoined(to: end), start.segment == segment {
      breaks = start.breaks
    }
    let stop = Stop(time: time, coordinate: coordinate, segment: segment, breaks: breaks)
    recent.insert(stop, at: place)
    settleSome(&intervals)
  }

  /// Nothing joins the fixes so far to those that follow.
  ///
  /// - Parameter hasNewClock: Whether there is no step between them either.
  mutating func breakOff(hasNewClock: Bool, counting intervals: inout StepIntervals) {
    breakCount += 1
    guard hasNewClock else { return }
    settle(recent.count, &intervals)
    walk = Walk()
  }

  /// Settles what no late fix comes before.
  ///
  /// The engine inserts it among ``MotionModel/recentCount`` fixes at most.
  private mutating func settleSome(_ intervals: inout StepIntervals) {
    guard recent.count >= MotionModel.recentCount + Self.settledAtOnce else { return }
    settle(Self.settledAtOnce, &intervals)
  }

  private mutating func settle(_ count: Int, _ intervals: inout StepIntervals) {
    for stop in recent[..<count] {
      guard let step = walk.move(to: stop) else { continue }
      settled.add(seconds: step.seconds, metres: step.metres)
      intervals.add(step.seconds)
    }
    recent.removeFirst(count)
  }

  /// All steps so far.
  var steps: DeviceSteps {
    var steps = settled
    for step in open { steps.add(seconds: step.seconds, metres: step.metres) }
    return steps
  }

  /// Counts the steps that were not counted yet.
  func countOpen(into intervals: inout StepIntervals) {
    for step in open { intervals.add(step.seconds) }
  }

  /// The steps of the last fixes.
  private var open: [Step] {
    var walk = walk
    return recent.compactMap { walk.move(to: $0) }
  }
}
