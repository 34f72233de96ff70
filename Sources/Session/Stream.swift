internal import Tracking
internal import Traces

/// One trace as a stream of inputs: which device each fix is of, and when the next one is due.
struct Stream {
  let feed: TraceFeed
  let source: Int
  /// What the device is called whose fixes the trace does not name, once it has one.
  private(set) var name: String?
  private var device: Int?
  /// Numbers of the devices that the trace names, by its own numbers; nil for one not played yet.
  private var named: [Int?] = []
  /// The next fix; nil at the end of the trace.
  private(set) var next: TracePoint?
  /// The device of the next fix, when it has been seen before: only of that one it is known how
  /// long it is silent, as a table of several devices need not be in the order of time.
  private(set) var quietDevice: Int?
  private var clock = TraceClock()
  private var devicesPlayed = 0

  init(feed: TraceFeed, source: Int) {
    self.feed = feed
    self.source = source
  }

  /// When the next input is due, in trace time.
  var due: Timestamp { clock.due }

  /// How far the trace has been played; nil before its first time.
  var reached: Timestamp? { clock.reached }

  /// Whether all that was played is of one device, whose inputs are in order.
  var hasOneDevice: Bool { devicesPlayed <= 1 }

  /// Finds out what the next fix is and when it is due; false at the end of the trace.
  mutating func schedule(
    leap: Double, names: inout DeviceNames
  ) throws(TraceError) -> Bool {
    next = try feed.peek()
    guard let next else { return false }
    if next.device == nil, name == nil { name = names.name(of: feed) }
    quietDevice = knownDevice(of: next)
    clock.note(next.fix, leap: leap)
    return true
  }

  /// The device of the next fix, when it has been seen before.
  private func knownDevice(of point: TracePoint) -> Int? {
    guard let index = point.device.map(Int.init) else { return device }
    return index < named.count ? named[index] : nil
  }

  /// The device of the next fix, which is made when it is new; nil at the end of the trace.
  mutating func device(in session: inout Session) -> Int? {
    if let quietDevice { return quietDevice }
    guard let next, let owner = next.device.map({ feed.devices[Int($0)] }) ?? name else {
      return nil
    }
    let made = session.index(of: owner)
    devicesPlayed += 1
    if let index = next.device.map(Int.init) {
      while named.count <= index { named.append(nil) }
      named[index] = made
    } else {
      device = made
    }
    return made
  }
}
