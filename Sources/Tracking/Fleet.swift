/// The engines of many devices under the same rules.
///
/// Each device has its own time: what one says never depends on another, so that a fleet gives the
/// same events as its devices one by one.
public struct Fleet: Sendable {
  /// What is watched, for every device; see ``Tracker/rules`` for what becomes of their states when it
  /// is changed.
  public var rules: Rules {
    didSet {
      let isSame = rules.fences == oldValue.fences
      let change = isSame ? nil : FenceSetChange(from: oldValue.fences, to: rules.fences)
      for index in trackers.indices { trackers[index].adopt(rules, change) }
    }
  }
  /// The devices' names, in the order in which they were first named.
  public private(set) var devices: [String] = []
  private var indexes: [String: Int] = [:]
  private var trackers: [Tracker] = []

  /// Makes a fleet without devices.
  public init(rules: Rules) {
    self.rules = rules
  }

  /// The number of a device, which is made when it is new.
  public mutating func index(of device: String) -> Int {
    if let index = indexes[device] { return index }
    let index = devices.count
    indexes[device] = index
    devices.append(device)
    trackers.append(Tracker(rules: rules))
    return index
  }

  /// The engine of a device: a copy, which is a checkpoint.
  public subscript(device: Int) -> Tracker { trackers[device] }

  /// Adds a device that goes on where `tracker` was, under the fleet's rules; one that is known
  /// already forgets what it was.
  public mutating func resume(_ device: String, from tracker: Tracker) -> Int {
    let index = index(of: device)
    trackers[index] = tracker
    trackers[index].rules = rules
    return index
  }

  /// Takes a fix of a device; see ``Tracker/ingest(_:into:)``.
  public mutating func ingest(_ fix: Fix, of device: Int, into events: inout [Event]) {
    trackers[device].ingest(fix, into: &events)
  }

  /// Lets time pass for a device; see ``Tracker/advance(to:into:)``.
  public mutating func advance(_ device: Int, to now: Timestamp, into events: inout [Event]) {
    trackers[device].advance(to: now, into: &events)
  }

  /// When a device would say something by itself.
  public func nextDeadline(of device: Int) -> Timestamp? {
    trackers[device].nextDeadline
  }

  /// The time of the last fix of a device that was used; nil before the first.
  public func lastTime(of device: Int) -> Timestamp? {
    trackers[device].lastTime
  }

  /// Why the fix that a device gave last was dropped; nil when it was not.
  public func lastDefect(of device: Int) -> Defect? {
    trackers[device].lastDefect
  }

  /// What became of a device's fixes.
  public func counts(of device: Int) -> GateCounts {
    trackers[device].counts
  }
}
