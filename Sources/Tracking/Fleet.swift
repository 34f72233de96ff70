internal import Packing

/// The engines of many devices under the same rules.
///
/// Each device has its own time and its events never depend on another, so a fleet gives the same
/// events as its devices one by one. Some devices are kept unpacked, mostly the same ones; the states
/// of all others are packed, so a million of them fit in memory. A device without a fence nearby and
/// without visits takes less than 400 bytes, including its name of 14 and its share of all tables, if
/// no fix may come late. With late fixes, for which the last fixes are kept, it takes some 1,900.
///
/// Call ``index(of:)`` once for the name of a device, and the other functions with the number that
/// it returned; any other number traps. For each device the order of calls is that of ``Tracker``.
/// A fleet is used by one task at a time.
public struct Fleet: Sendable {
  /// What is watched, for every device; see ``Tracker/rules`` for what becomes of their states when it
  /// is changed.
  /// - Complexity: O(devices) to change it.
  public var rules: Rules {
    didSet { adoptRules(instead: oldValue) }
  }

  private var names = NameTable()
  /// Where each device's state is.
  private var states: [DevicePlace] = []
  private var packed = PackedStates()
  /// The devices that are kept as they are, and their numbers.
  private var active: [Tracker] = []
  private var activeDevices: [Int] = []
  /// The slots in which their packed states were and will be again; nil for a device that had none.
  private var activeSlots: [PackedStates.Place?] = []
  private var replacement = Replacement()
  private let activeLimit: Int
  private let keepsHistory: Bool
  private var packer = Packer()

  /// Makes a fleet without devices.
  public init(rules: Rules) {
    self.init(rules: rules, activeLimit: 1_024, keepsHistory: true)
  }

  /// Makes a fleet without devices.
  ///
  /// - Parameters:
  ///   - activeLimit: How many devices are not packed, at least 1.
  ///   - keepsHistory: Whether fixes may come late and are put in their place. Without that, which
  ///     takes less memory, the fixes of a device must come in the order of their times.
  package init(rules: Rules, activeLimit: Int, keepsHistory: Bool) {
    self.rules = rules
    self.activeLimit = max(activeLimit, 1)
    self.keepsHistory = keepsHistory
  }

  /// How many devices there are; their numbers are those below.
  public var count: Int { names.count }

  /// The devices' names, in the order in which they were first named.
  /// - Complexity: O(devices).
  public var devices: [String] { (0..<count).map { names[$0] } }

  /// The name of a device.
  public func name(of device: Int) -> String { names[device] }

  /// Calls `body` with the bytes of all names, in the order of the devices' numbers.
  package func forEachName(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    names.forEach(body)
  }

  /// The number of a device; a new device is added.
  ///
  /// - Returns: 0 for the first device, then 1, 2 and so on; a number never changes.
  /// - Complexity: O(length of the name) on average. A new device may pack the state of another
  ///   one.
  public mutating func index(of device: String) -> Int {
    let (number, isNew) = names.number(of: device)
    if isNew {
      let place = makeRoom()
      active[place] = Tracker(rules: rules)
      (activeDevices[place], activeSlots[place]) = (number, nil)
      states.append(.active(place))
    }
    return number
  }

  /// The engine of a device: a copy, which is a checkpoint.
  public subscript(device: Int) -> Tracker {
    if let place = states[device].activePlace { return active[place] }
    var tracker = Tracker(rules: rules)
    packed.unpack(states[device].packedPlace, into: &tracker)
    return tracker
  }

  /// Adds a device that continues from `tracker`, under the fleet's rules; it replaces the state of a
  /// known device.
  ///
  /// - Returns: the number of the device.
  public mutating func resume(_ device: String, from tracker: Tracker) -> Int {
    let index = index(of: device)
    let place = activate(index)
    active[place] = tracker
    active[place].rules = rules
    return index
  }

  /// Processes a fix of a device; see ``Tracker/ingest(_:into:)``.
  ///
  /// - Complexity: that of the tracker; a device that has been idle is unpacked first, and another
  ///   one packed.
  public mutating func ingest(_ fix: Fix, of device: Int, into events: inout [Event]) {
    active[activate(device)].ingest(fix, into: &events)
  }

  /// Advances the clock of a device; see ``Tracker/advance(to:into:)``.
  public mutating func advance(_ device: Int, to now: Timestamp, into events: inout [Event]) {
    active[activate(device)].advance(to: now, into: &events)
  }

  /// When a device would emit an event by itself.
  ///
  /// Nil when only a fix can make it do so; see ``Tracker/nextDeadline``.
  public func nextDeadline(of device: Int) -> Timestamp? {
    guard let place = states[device].activePlace else { return self[device].nextDeadline }
    // By stored properties, mostly: a computed one of the tracker or its gate would copy all of it.
    var heard = active[place].gate.last?.time
    if case .some = active[place].gate.waiting { heard = active[place].gate.heard }
    guard let heard else { return nil }
    return FenceMonitor.nextDeadline(
      active[place].fences.stays, active[place].fences.edges,
      heard: active[place].gate.waiting?.doubt ?? heard, rules)
  }

  /// The time of the last fix of a device that was used; nil before the first.
  public func lastTime(of device: Int) -> Timestamp? {
    guard let place = states[device].activePlace else { return self[device].lastTime }
    return active[place].gate.last?.time
  }

  /// Why the last fix of a device was dropped; nil when it was not.
  public func lastDefect(of device: Int) -> Defect? {
    guard let place = states[device].activePlace else { return self[device].lastDefect }
    return active[place].lastDefect
  }

  /// How many fixes of a device were accepted, held or dropped.
  public func counts(of device: Int) -> GateCounts {
    if let place = states[device].activePlace { return active[place].gate.counts }
    return packed.counts(states[device].packedPlace)
  }
}

// MARK: - Packed states

extension Fleet {
  /// Differs between versions that pack states differently; raise it with every change of the format
  /// that keeps the sizes.
  package static var packingSize: Int {
    MemoryLayout<Mixture>.size << 16 | MemoryLayout<MotionFilter>.size << 4 | 6
  }

  /// Whether states with this ``packingSize`` can be unpacked: those of 0.2.0 too, which lack what has
  /// been added since.
  package static func canUnpack(size: UInt64) -> Bool {
    size == UInt64(packingSize) || size == 0x0199_1A86
  }

  /// Unpacks a device before a fix.
  @discardableResult
  package mutating func activate(_ device: Int) -> Int {
    if let place = states[device].activePlace { return place }
    let place = makeRoom()
    let slot = states[device].packedPlace
    packed.unpack(slot, into: &active[place])
    (activeDevices[place], activeSlots[place]) = (device, slot)
    states[device] = .active(place)
    return place
  }

  /// The packed state of a device, from which another fleet can continue.
  package mutating func withPackedState<Result>(
    of device: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    guard let place = states[device].activePlace else {
      return packed.withBytes(of: states[device].packedPlace, body)
    }
    active[place].pack(into: &packer, keepsHistory: keepsHistory)
    return packer.bytes.withUnsafeBytes(body)
  }

  /// Adds a device, which must be new, that continues from the packed state of a fleet under the same
  /// rules.
  ///
  /// - Returns: whether the bytes were a valid state; an invalid one resets the device.
  package mutating func resume(_ device: String, from state: UnsafeRawBufferPointer) -> Bool {
    let place = activate(index(of: device))
    var unpacker = Unpacker(state)
    do throws(PackedStateError) {
      try active[place].unpack(from: &unpacker)
      if active[place].motion.isValid(at: active[place].lastTime) { return true }
    } catch {}
    active[place] = Tracker(rules: rules)
    return false
  }

  /// A place among the active devices: a new one, or that of a device that is packed for it.
  private mutating func makeRoom() -> Int {
    if active.count < activeLimit {
      active.append(Tracker(rules: rules))
      activeDevices.append(-1)
      activeSlots.append(nil)
      return active.count - 1
    }
    let place = replacement.next(of: active.count)
    active[place].pack(into: &packer, keepsHistory: keepsHistory)
    let slot = activeSlots[place].map { packed.replace($0, with: packer.bytes) }
    states[activeDevices[place]] = .packed(slot ?? packed.insert(packer.bytes))
    return place
  }

  /// Gives new rules to all devices.
  ///
  /// Each packed one is unpacked and packed again.
  private mutating func adoptRules(instead oldRules: Rules) {
    // Made once for all devices.
    let isSame = rules.fences == oldRules.fences
    let change = isSame ? nil : FenceSetChange(from: oldRules.fences, to: rules.fences)
    for place in active.indices { active[place].adopt(rules, change) }
    for device in states.indices where states[device].activePlace == nil {
      let place = states[device].packedPlace
      var tracker = Tracker(rules: oldRules)
      packed.unpack(place, into: &tracker)
      tracker.adopt(rules, change)
      tracker.pack(into: &packer, keepsHistory: keepsHistory)
      states[device] = .packed(packed.replace(place, with: packer.bytes))
    }
  }
}
