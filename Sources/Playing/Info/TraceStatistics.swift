package import Geodesy
package import Tracking

/// Statistics of a trace, gathered fix by fix in constant memory.
package struct TraceStatistics {
  /// A slower step between two fixes counts as standing still, metres per second: half of a slow walk
  /// (Bohannon 1997 gives 1.2 to 1.4 m/s as comfortable), above the noise of a fix a second.
  package static let movingSpeed = 0.5
  /// A longer silence is a gap, seconds: five times the slowest regular sampling of vehicles.
  package static let gapLength = 300.0

  /// Fixes of tracks, good or bad.
  package private(set) var points = 0
  package private(set) var devices: Set<String> = []
  /// The bounds of the fixes that the engine would use; when it would use none, as for a planned route
  /// without times, of all valid coordinates.
  package var box: Box? { usedBox ?? anyBox }
  private var usedBox: Box?
  private var anyBox: Box?
  package private(set) var first: Timestamp?
  package private(set) var last: Timestamp?
  /// Metres along the fixes that the engine would use.
  package private(set) var length = 0.0
  /// Seconds in steps faster than ``movingSpeed``.
  package private(set) var movingTime = 0.0
  package private(set) var gaps = 0
  package private(set) var longestGap = 0.0
  /// The number of steps by whole seconds; the last element counts all longer ones.
  private var intervals = [Int](repeating: 0, count: 3_602)
  package private(set) var withAccuracy = 0
  package private(set) var withSpeed = 0
  package private(set) var withAltitude = 0
  private var fleet = Fleet(rules: Rules())
  private var previous: [Fix?] = []
  private var events: [Event] = []

  package init() {}

  /// Adds a fix of a device.
  package mutating func add(_ fix: Fix, device: String) {
    points += 1
    devices.insert(device)
    if fix.horizontalAccuracy != nil { withAccuracy += 1 }
    if fix.speed != nil { withSpeed += 1 }
    if fix.altitude != nil { withAltitude += 1 }
    if fix.coordinate.isValid { Self.extend(&anyBox, to: fix.coordinate) }
    let index = fleet.index(of: device)
    if index == previous.count { previous.append(nil) }
    let before = fleet.counts(of: index).accepted
    fleet.ingest(fix, of: index, into: &events)
    guard fleet.counts(of: index).accepted > before, let time = fix.time else { return }
    Self.extend(&usedBox, to: fix.coordinate)
    // A late fix makes no step: the step across it is counted.
    if time == fleet.lastTime(of: index) {
      if let earlier = previous[index] { addStep(from: earlier, to: fix) }
      previous[index] = fix
    }
    first = min(first ?? time, time)
    last = max(last ?? time, time)
  }

  private static func extend(_ box: inout Box?, to coordinate: Coordinate) {
    box?.extend(coordinate)
    box = box ?? Box(coordinate)
  }

  private mutating func addStep(from earlier: Fix, to fix: Fix) {
    guard let start = earlier.time, let time = fix.time, time > start else { return }
    let seconds = time.seconds(since: start)
    let metres = earlier.coordinate.distance(to: fix.coordinate)
    length += metres
    if metres / seconds > Self.movingSpeed { movingTime += seconds }
    intervals[min(Int(min(seconds, 1e6).rounded()), intervals.count - 1)] += 1
    if seconds > Self.gapLength {
      gaps += 1
      longestGap = max(longestGap, seconds)
    }
  }

  /// Median time between two fixes, whole seconds; nil without steps or above an hour.
  package var medianInterval: Int? {
    let total = intervals.reduce(0, +)
    var below = 0
    for (seconds, count) in intervals.enumerated() where count > 0 {
      below += count
      if 2 * below >= total { return seconds < intervals.count - 1 ? seconds : nil }
    }
    return nil
  }

  /// The counts of the gate for the fixes.
  package var counts: GateCounts {
    var sum = GateCounts()
    for device in 0..<fleet.count { sum += fleet.counts(of: device) }
    return sum
  }
}
