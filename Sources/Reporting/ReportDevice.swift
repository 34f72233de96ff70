internal import Geodesy
internal import Text
internal import Tracking

/// One device of a report: its fixes, and what the engine made of them.
struct ReportDevice {
  let name: String
  private var tracker: Tracker
  private(set) var fixes: [ReportFix] = []
  private var estimates: [ReportEstimate] = []
  private var events: [Event] = []
  private var recorder: ReasonRecorder
  /// The index of a suspect fix that waits for the next one.
  private var waiting: Int?

  init(name: String, rules: Rules) {
    self.name = name
    tracker = Tracker(rules: rules)
    recorder = ReasonRecorder(device: name)
  }

  /// What explains the last events, which are in no window yet.
  var window: ReasonWindow? { recorder.window }

  /// Adds the next fix; one without a time or a position cannot be shown.
  ///
  /// Gives what explains the events before it, when a window of them is full.
  mutating func add(_ fix: Fix) -> ReasonWindow? {
    let window = recorder.prepare(tracker)
    let before = tracker.counts.accepted
    tracker.ingest(fix, into: &events)
    recorder.add(fix, eventCount: events.count)
    events.removeAll(keepingCapacity: true)
    guard let time = fix.time, fix.coordinate.isValid else { return window }
    fixes.append(ReportFix(fix, at: time))
    note(accepted: tracker.counts.accepted - before)
    guard tracker.lastTime == time, tracker.lastDefect == nil,
      let observation = tracker.observation, observation.estimate.time == time
    else { return window }
    estimates.append(ReportEstimate(observation))
    return window
  }

  /// Marks the fixes that the engine dropped.
  private mutating func note(accepted: Int) {
    let last = fixes.count - 1
    if tracker.lastDefect != nil {
      fixes[last].isDropped = true
    } else if accepted == 0 {
      if let waiting { fixes[waiting].isDropped = true }
      waiting = last
    } else {
      if accepted == 1, let waiting { fixes[waiting].isDropped = true }
      waiting = nil
    }
  }

  /// Writes the device as an object of JSON.
  func write(to json: inout JSONBuilder) {
    json.object {
      $0.text("name", name)
      let fixes = fixes.sortedByTime(\.time)
      $0.number("count", fixes.count)
      $0.column("time", fixes) { $0.append(regular: $1.time) }
      $0.column("latitude", fixes) { $0.append($1.latitude) }
      $0.column("longitude", fixes) { $0.append($1.longitude) }
      $0.column("accuracy", fixes) { $0.append($1.accuracy) }
      $0.column("speed", fixes) { $0.append($1.speed) }
      $0.column("dropped", fixes.indices.filter { fixes[$0].isDropped }) { $0.append(Int64($1)) }
      let estimates = estimates.sortedByTime(\.time)
      $0.number("estimates", estimates.count)
      $0.column("estimateTime", estimates) { $0.append(regular: $1.time) }
      $0.column("estimateLatitude", estimates) { $0.append($1.latitude) }
      $0.column("estimateLongitude", estimates) { $0.append($1.longitude) }
      $0.column("estimateAccuracy", estimates) { $0.append($1.accuracy) }
      Self.writeInside(estimates, to: &$0)
    }
  }

  /// The probability of being inside, by fence: where it changes, and to what.
  private static func writeInside(_ estimates: [ReportEstimate], to json: inout JSONBuilder) {
    var columns: [Int: (index: ColumnWriter, share: ColumnWriter, last: UInt8)] = [:]
    var near: Set<Int> = []
    for (index, estimate) in estimates.enumerated() {
      var shares = estimate.inside
      for fence in near.sorted() where !shares.contains(where: { $0.fence == fence }) {
        shares.append((fence, 0))
      }
      for (fence, share) in shares {
        var column = columns[fence] ?? (ColumnWriter(), ColumnWriter(), 0)
        guard share != column.last else { continue }
        column.index.append(Int64(index))
        column.share.append(Int64(share))
        column.last = share
        columns[fence] = column
        if share == 0 { near.remove(fence) } else { near.insert(fence) }
      }
    }
    json.array("inside", columns.sorted { $0.key < $1.key }) { json, column in
      json.object {
        $0.number("fence", column.key)
        $0.column("index", column.value.index)
        $0.column("share", column.value.share)
      }
    }
  }
}

/// A fix in the units of a page: milliseconds, 1e-7 degrees, decimetres, cm/s; 0 is unknown, and a known
/// length or speed is one more than its value.
struct ReportFix {
  let time: Int64
  let latitude: Int64
  let longitude: Int64
  let accuracy: Int64
  let speed: Int64
  var isDropped = false

  init(_ fix: Fix, at time: Timestamp) {
    self.time = time.milliseconds
    latitude = Int64((fix.coordinate.latitude * 1e7).rounded())
    longitude = Int64((fix.coordinate.longitude * 1e7).rounded())
    accuracy = fix.horizontalAccuracy.map { Self.whole($0 * 10) + 1 } ?? 0
    speed = fix.speed.map { Self.whole($0 * 100) + 1 } ?? 0
  }

  var coordinate: Coordinate {
    Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7)
  }

  /// The speed as reported, else that of the step from another fix.
  func metresPerSecond(since before: ReportFix) -> Double {
    if speed > 0 { return Double(speed - 1) / 100 }
    let seconds = Double(time - before.time) / 1_000
    return seconds > 0 ? before.coordinate.distance(to: coordinate) / seconds : 0
  }

  /// Rounded, and limited to what a receiver can mean.
  static func whole(_ value: Double) -> Int64 { Int64(min(max(value, 0), 1e9).rounded()) }
}

/// An estimate in the units of a page: milliseconds, 1e-6 degrees, decimetres, 1/200 of a probability.
private struct ReportEstimate {
  let time: Int64
  let latitude: Int64
  let longitude: Int64
  let accuracy: Int64
  let inside: [(fence: Int, share: UInt8)]

  init(_ observation: Observation) {
    let estimate = observation.estimate
    time = estimate.time.milliseconds
    latitude = Int64((estimate.coordinate.latitude * 1e6).rounded())
    longitude = Int64((estimate.coordinate.longitude * 1e6).rounded())
    accuracy = ReportFix.whole(estimate.horizontalAccuracy * 10)
    inside = observation.inside.compactMap { fence, probability in
      let share = UInt8((min(max(probability, 0), 1) * 200).rounded())
      return share > 0 ? (fence, share) : nil
    }
  }
}

extension Timestamp {
  fileprivate var milliseconds: Int64 {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return rest < 0 ? whole - 1 : whole
  }
}

extension Array {
  /// In the order of time; elements of the same time keep theirs.
  fileprivate func sortedByTime(_ time: (Element) -> Int64) -> [Element] {
    let isSorted = zip(self, dropFirst()).allSatisfy { time($0) <= time($1) }
    return isSorted ? self : sorted { time($0) < time($1) }
  }
}
