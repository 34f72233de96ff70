package import Traces
package import Tracking

/// One trace as a stream of inputs: the device of each fix, and when the next fix is due.
///
/// It is a class, as a structure would be copied for each property that another module reads of it. All
/// that changes is one value, as Swift checks each access to a property of a class.
package final class TraceStream {
  package let feed: TraceFeed
  let source: Int
  private var state = State()

  package init(feed: TraceFeed, source: Int) {
    self.feed = feed
    self.source = source
  }

  /// The name of the device of fixes without a device name, once there is one.
  package var name: String? { state.name }

  /// Whether several devices share the recording: its order is theirs, and each has its clock.
  package var isShared: Bool { state.isShared }

  /// The number of the device that was new last; nil before the first fix.
  package var lastDevice: Int? { state.lastDevice }

  /// The number of the device of the last fix before the present run; nil before the first.
  package var lastPlayed: Int? { state.lastPlayed }

  /// How far the stream was before the next fix: the latest due time so far.
  package var place: Timestamp { state.place }

  /// When the next input is due, in trace time.
  package var due: Timestamp { state.clock.due }

  /// How far the trace has been played; nil before its first time.
  package var reached: Timestamp? { state.clock.reached }

  /// How far a device had been played before the next fix; nil before its first time.
  package func reached(of device: Int32?) -> Timestamp? { state.reached(of: device) }

  /// Whether all fixes played are of one device, whose inputs are in order.
  package var hasOneDevice: Bool { state.devicesPlayed <= 1 }

  /// How far the stream is with its next fix; it never decreases.
  package var turn: Timestamp { state.turn }

  /// Whether the feed must give more fixes, which may report errors of the trace.
  package var isUsedUp: Bool { state.isUsedUp }

  /// Whether the next fix must be read first.
  package var isDry: Bool { isUsedUp && feed.isDry }

  /// Whether the next fix must first be read from a pipe, which may have to be waited for.
  package var mayWait: Bool { isUsedUp && feed.mayWait }

  /// Whether the fix after the next one must first be read from a pipe.
  var mayWaitBehindNext: Bool { state.run.range.count == 1 && feed.mayWait }

  /// The next fix, with what a merge needs to know of it.
  package struct Head {
    package var point: TracePoint
    /// ``TraceStream/place`` and ``TraceStream/due``.
    package var place: Timestamp
    package var due: Timestamp
    /// ``TraceStream/quietDevice`` and ``TraceStream/isShared``.
    package var quietDevice: Int?
    package var isShared: Bool

    /// ``TraceStream/turn``.
    package var turn: Timestamp { max(place, due) }
  }

  /// The next fix; there is one unless the stream is used up.
  package var head: Head { state.head }

  /// The next fix alone.
  package var next: TracePoint { state.next }

  /// The time of the next fix.
  package var nextTime: Timestamp? { state.next.fix.time }

  /// Gets more fixes from the feed; false at the end of the trace.
  package func refill(clockJump: Double, names: inout DeviceNames) throws(TraceError) -> Bool {
    try state.refill(from: feed, clockJump: clockJump, names: &names)
  }

  /// Forgets how far a device was played: it was forgotten before the next fix.
  ///
  /// - Parameter device: Nil for that of a recording that is not shared.
  package func forget(_ device: Int32?, clockJump: Double) {
    state.forget(device, clockJump: clockJump)
  }

  /// Moves past the next fix, and returns the turn of the one behind it; nil when the stream is used up.
  package func advance(clockJump: Double) -> Timestamp? { state.advance(clockJump: clockJump) }

  /// The device of the next fix, when it has been seen before: only of that one it is known how
  /// long it is silent, as a table of several devices need not be in the order of time.
  package var quietDevice: Int? { state.quietDevice }

  /// The name of the device of the next fix.
  package var owner: String { state.next.device.map { feed.devices[Int($0)] } ?? name ?? "" }

  /// Takes note of the number of the device of the next fix, which was not seen before.
  package func note(device number: Int) { state.note(device: number) }
}

extension TraceStream {
  /// The fixes that are next, the clock, and the devices so far.
  private struct State {
    var name: String?
    var place = Timestamp(nanoseconds: .min)
    private var device: Int?
    /// Numbers of the devices that the trace names, by its own numbers; nil for one not played yet.
    private var named: [Int?] = []
    private(set) var run = TraceSlice()
    private(set) var clock = TraceClock()
    private(set) var isShared = false
    /// The device of the clock, and the clocks of the others, in a shared recording.
    private var clockDevice: Int32?
    private var otherClocks: [Int32: TraceClock] = [:]
    /// The number of the device without a name among them.
    private static let unnamed: Int32 = -1
    /// How far that device had been played before its next fix.
    private var reachedBefore: Timestamp?
    private(set) var devicesPlayed = 0
    private(set) var lastDevice: Int?
    private(set) var lastPlayed: Int?

    var turn: Timestamp { max(place, clock.due) }

    var isUsedUp: Bool { run.range.isEmpty }

    var head: Head {
      Head(
        point: next, place: place, due: clock.due, quietDevice: quietDevice, isShared: isShared)
    }

    var next: TracePoint { run.points[run.range.lowerBound] }

    var quietDevice: Int? {
      guard let index = next.device.map(Int.init) else { return device }
      return index < named.count ? named[index] : nil
    }

    func reached(of device: Int32?) -> Timestamp? {
      guard isShared else { return clock.reached }
      let device = device ?? Self.unnamed
      guard device != clockDevice else { return reachedBefore }
      return otherClocks[device]?.reached
    }

    mutating func refill(
      from feed: TraceFeed, clockJump: Double, names: inout DeviceNames
    ) throws(TraceError) -> Bool {
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

    private mutating func notePlayed() {
      guard isUsedUp, run.range.lowerBound > 0 else { return }
      if let index = run.points[run.range.lowerBound - 1].device.map(Int.init) {
        if index < named.count, let number = named[index] { lastPlayed = number }
      } else {
        lastPlayed = device ?? lastPlayed
      }
    }

    /// Computes when the next fix is due.
    private mutating func schedule(clockJump: Double) {
      place = max(place, clock.due)
      if isShared {
        changeClock()
        reachedBefore = clock.reached
      }
      clock.note(run.points[run.range.lowerBound].fix, clockJump: clockJump)
    }

    private mutating func changeClock() {
      let device = next.device ?? Self.unnamed
      guard device != clockDevice else { return }
      if let clockDevice { otherClocks[clockDevice] = clock }
      clock = otherClocks.removeValue(forKey: device) ?? TraceClock()
      clockDevice = device
    }

    mutating func forget(_ device: Int32?, clockJump: Double) {
      guard device == clockDevice else {
        if let device { otherClocks[device] = nil }
        return
      }
      clock = TraceClock()
      reachedBefore = nil
      if !isUsedUp { clock.note(run.points[run.range.lowerBound].fix, clockJump: clockJump) }
    }

    mutating func advance(clockJump: Double) -> Timestamp? {
      run.range = run.range.lowerBound + 1..<run.range.upperBound
      guard !isUsedUp else { return nil }
      schedule(clockJump: clockJump)
      return turn
    }

    mutating func note(device number: Int) {
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
}
