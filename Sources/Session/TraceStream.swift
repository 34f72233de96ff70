package import Tracking
package import Traces

/// One trace as a stream of inputs: which device each fix is of, and when the next one is due.
package struct TraceStream {
  package let feed: TraceFeed
  let source: Int
  /// What the device is called whose fixes the trace does not name, once it has one.
  package private(set) var name: String?
  /// How far the stream was before the next fix: the latest time at which one was due.
  package private(set) var place = Timestamp(nanoseconds: .min)
  private var device: Int?
  /// Numbers of the devices that the trace names, by its own numbers; nil for one not played yet.
  private var named: [Int?] = []
  private var run = TraceSlice()
  private var clock = TraceClock()
  private var devicesPlayed = 0

  package init(feed: TraceFeed, source: Int) {
    self.feed = feed
    self.source = source
  }

  /// When the next input is due, in trace time.
  package var due: Timestamp { clock.due }

  /// How far the trace has been played; nil before its first time.
  package var reached: Timestamp? { clock.reached }

  /// Whether all that was played is of one device, whose inputs are in order.
  package var hasOneDevice: Bool { devicesPlayed <= 1 }

  /// How far the stream is with its next fix: it never goes back.
  package var turn: Timestamp { max(place, clock.due) }

  /// Whether the feed must be asked what comes next, which may tell of faults.
  package var isUsedUp: Bool { run.range.isEmpty }

  /// Whether the next fix must be read first.
  package var isDry: Bool { isUsedUp && feed.isDry }

  /// Whether the next fix must be read first, from something that may make one wait: a pipe.
  package var mayWait: Bool { isUsedUp && feed.mayWait }

  /// Whether it may make one wait to go on behind the next fix.
  var mayWaitBehindNext: Bool { run.range.count == 1 && feed.mayWait }

  /// The next fix; there is one unless the stream is used up.
  package var next: TracePoint { run.points[run.range.lowerBound] }

  /// The time of the next fix.
  package var nextTime: Timestamp? { run.points[run.range.lowerBound].fix.time }

  /// Asks the feed for what comes next; false at the end of the trace.
  package mutating func refill(leap: Double, names: inout DeviceNames) throws(TraceError) -> Bool {
    guard try feed.take(&run) else { return false }
    if name == nil, next.device == nil { name = names.name(of: feed) }
    schedule(leap: leap)
    return true
  }

  /// Finds out when the next fix is due.
  private mutating func schedule(leap: Double) {
    place = max(place, clock.due)
    clock.note(run.points[run.range.lowerBound].fix, leap: leap)
  }

  /// Goes on behind the next fix; false when the stream is used up then.
  package mutating func advance(leap: Double) -> Bool {
    run.range = run.range.lowerBound + 1..<run.range.upperBound
    guard !isUsedUp else { return false }
    schedule(leap: leap)
    return true
  }

  /// The device of the next fix, when it has been seen before: only of that one it is known how
  /// long it is silent, as a table of several devices need not be in the order of time.
  package var quietDevice: Int? {
    guard let index = next.device.map(Int.init) else { return device }
    return index < named.count ? named[index] : nil
  }

  /// The name of the device of the next fix.
  package var owner: String { next.device.map { feed.devices[Int($0)] } ?? name ?? "" }

  /// Takes note of the number of the device of the next fix, which was not seen before.
  package mutating func note(device number: Int) {
    devicesPlayed += 1
    if let index = next.device.map(Int.init) {
      while named.count <= index { named.append(nil) }
      named[index] = number
    } else {
      device = number
    }
  }
}
