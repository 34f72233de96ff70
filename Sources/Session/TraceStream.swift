package import Geodesy
package import Traces
package import Tracking

/// One trace as a stream of inputs: the device of each fix, and when the next fix is due.
///
/// It is a class, as a structure would be copied for each property that another module reads of it.
package final class TraceStream {
  package let feed: TraceFeed
  let source: Int
  /// The name of the device of fixes without a device name, once there is one.
  package private(set) var name: String?
  /// How far the stream was before the next fix: the latest due time so far.
  package private(set) var place = Timestamp(nanoseconds: .min)
  private var device: Int?
  /// Numbers of the devices that the trace names, by its own numbers; nil for one not played yet.
  private var named: [Int?] = []
  private var run = TraceSlice()
  private var clock = TraceClock()
  /// Whether several devices share the recording: its order is theirs, and each has its clock.
  package private(set) var isShared = false
  /// The device of the clock, and the clocks of the others, in such a recording.
  private var clockDevice: Int32?
  private var otherClocks: [Int32: TraceClock] = [:]
  /// The number of the device without a name among them.
  private static let unnamed: Int32 = -1
  /// How far that device had been played before its next fix.
  private var reachedBefore: Timestamp?
  private var devicesPlayed = 0
  /// The number of the device that was new last; nil before the first fix.
  package private(set) var lastDevice: Int?
  /// The number of the device of the last fix before the present run; nil before the first.
  package private(set) var lastPlayed: Int?

  package init(feed: TraceFeed, source: Int) {
    self.feed = feed
    self.source = source
  }

  /// When the next input is due, in trace time.
  package var due: Timestamp { clock.due }

  /// How far the trace has been played; nil before its first time.
  package var reached: Timestamp? { clock.reached }

  /// How far a device had been played before the next fix; nil before its first time.
  package func reached(of device: Int32?) -> Timestamp? {
    guard isShared else { return reached }
    let device = device ?? Self.unnamed
    guard device != clockDevice else { return reachedBefore }
    return otherClocks[device]?.reached
  }

  /// Whether all fixes played are of one device, whose inputs are in order.
  package var hasOneDevice: Bool { devicesPlayed <= 1 }

  /// How far the stream is with its next fix; it never decreases.
  package var turn: Timestamp { max(place, clock.due) }

  /// Whether the feed must give more fixes, which may report errors of the trace.
  package var isUsedUp: Bool { run.range.isEmpty }

  /// Whether the next fix must be read first.
  package var isDry: Bool { isUsedUp && feed.isDry }

  /// Whether the next fix must first be read from a pipe, which may have to be waited for.
  package var mayWait: Bool { isUsedUp && feed.mayWait }

  /// Whether the fix after the next one must first be read from a pipe.
  var mayWaitBehindNext: Bool { run.range.count == 1 && feed.mayWait }

  /// The next fix; there is one unless the stream is used up.
  package var next: TracePoint { run.points[run.range.lowerBound] }

  /// The time of the next fix.
  package var nextTime: Timestamp? { run.points[run.range.lowerBound].fix.time }

  /// The position of the next fix.
  package var nextCoordinate: Coordinate { run.points[run.range.lowerBound].fix.coordinate }

  /// Gets more fixes from the feed; false at the end of the trace.
  package func refill(clockJump: Double, names: inout DeviceNames) throws(TraceError)
    -> Bool
  {
    notePlayed()
    guard try feed.take(&run) else {
      reachedBefore = clock.reached
      return false
    }
    if name == nil, next.device == nil { name = names.name(of: feed) }
    isShared = feed.isShared
    schedule(clockJump: clockJump)
    return true
  }

  private func notePlayed() {
    guard isUsedUp, run.range.lowerBound > 0 else { return }
    if let index = run.points[run.range.lowerBound - 1].device.map(Int.init) {
      if index < named.count, let number = named[index] { lastPlayed = number }
    } else {
      lastPlayed = device ?? lastPlayed
    }
  }

  /// Computes when the next fix is due.
  private func schedule(clockJump: Double) {
    place = max(place, clock.due)
    if isShared {
      changeClock()
      reachedBefore = clock.reached
    }
    clock.note(run.points[run.range.lowerBound].fix, clockJump: clockJump)
  }

  private func changeClock() {
    let device = next.device ?? Self.unnamed
    guard device != clockDevice else { return }
    if let clockDevice { otherClocks[clockDevice] = clock }
    clock = otherClocks.removeValue(forKey: device) ?? TraceClock()
    clockDevice = device
  }

  /// Forgets how far a device was played: it was forgotten before the next fix.
  ///
  /// - Parameter device: Nil for that of a recording that is not shared.
  package func forget(_ device: Int32?, clockJump: Double) {
    guard device == clockDevice else {
      if let device { otherClocks[device] = nil }
      return
    }
    clock = TraceClock()
    reachedBefore = nil
    if !isUsedUp { clock.note(run.points[run.range.lowerBound].fix, clockJump: clockJump) }
  }

  /// Moves past the next fix; false when the stream is then used up.
  package func advance(clockJump: Double) -> Bool {
    run.range = run.range.lowerBound + 1..<run.range.upperBound
    guard !isUsedUp else { return false }
    schedule(clockJump: clockJump)
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
  package func note(device number: Int) {
    devicesPlayed += 1
    lastDevice = number
    if let index = next.device.map(Int.init) {
      while named.count <= index { named.append(nil) }
      named[index] = number
    } else {
      device = number
    }
  }
}
