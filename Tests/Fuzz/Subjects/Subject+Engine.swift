import EventLog
import Foundation
import Geodesy

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

extension Subject {
  /// The engine, which is given a recipe of fixes and rules.
  static let engine = [
    Subject(name: "engine", decodes: "fixes, wake-ups, other rules, restarts", effort: 5) { bytes in
      var run = EngineRun(bytes)
      try run.go()
      return run.isUsed
    },
    Subject(
      name: "sensor-lies", decodes: "the same with a wrong speed and course in every fix", effort: 5
    ) {
      var run = EngineRun($0, lies: true)
      try run.go()
      try run.settle()
      return run.isUsed
    },
    Subject(name: "packed-state", decodes: "states of devices as a fleet packs them", effort: 5) {
      try PackedStateRun.check($0)
    },
  ]
}

/// An engine at work, and the same one that is interrupted wherever that can be.
private struct EngineRun {
  private var world: World
  private var plain: Tracker
  private var broken: Tracker
  private var ledger = FenceLedger()
  /// The fences, which a set makes anew whenever it is asked.
  private var fences: [Fence] = []
  private var said: [Event] = []
  private var saidByBroken: [Event] = []
  private var checked = 0

  init(_ bytes: [UInt8], lies: Bool = false) {
    world = World(bytes, lies: lies)
    plain = Tracker(rules: world.rules)
    broken = plain
    adoptFences()
  }

  /// Whether there was a fix at least.
  var isUsed: Bool { plain.lastFix != nil }

  private mutating func adoptFences() {
    fences = Array(world.rules.fences)
    ledger.adopt(fences)
  }

  mutating func go() throws {
    while let step = world.next() {
      switch step {
      case .fix(let fix):
        plain.ingest(fix, into: &said)
        broken.ingest(fix, into: &saidByBroken)
        try checkCounts()
        try hold("the estimate is a place", plain.estimate?.isPlace ?? true, "after \(fix)")
      case .wait(let now):
        plain.advance(to: now, into: &said)
        broken.advance(to: now, into: &saidByBroken)
      case .rules:
        plain.rules = world.rules
        broken.rules = world.rules
        try checkEvents()
        adoptFences()
      case .pack: try pack()
      case .checkpoint: try checkpoint()
      }
      try checkEvents()
      try checkPlaces()
    }
    try hold("an interrupted engine says the same", said == saidByBroken)
  }

  /// The device stays where it is: whatever the receiver says of its speed, it is known on which side of
  /// each edge it is that is not near.
  mutating func settle() throws {
    guard world.isCalm, isUsed else { return }
    for _ in 0..<Self.settling { plain.ingest(world.rest(10), into: &said) }
    try checkEvents()
    guard let place = plain.lastFix?.coordinate, plain.lastTime == plain.lastFix?.time else {
      return
    }
    for fence in fences where ledger.isFullyTold(fence.id) {
      let distance = fence.area.signedDistance(to: place)
      guard abs(distance) > Self.clear, let side = ledger.sides[fence.id], side != .unknown else {
        continue
      }
      try hold(
        "positions count for more than a speed and a course that contradict them",
        (side == .inside) == (distance < 0), "\(fence) \(place) \(side)")
    }
  }

  /// Fixes of an hour, and the distance of an edge that is not near, metres.
  private static let (settling, clear) = (360, 200.0)

  // MARK: Restarts

  private mutating func pack() throws {
    var packer = Packer()
    broken.pack(into: &packer, keepsHistory: true)
    var next = Tracker(rules: world.rules)
    let isState = packer.bytes.withUnsafeBytes { bytes in
      var unpacker = Unpacker(bytes)
      return (try? next.unpack(from: &unpacker)) != nil
    }
    try hold("a packed state is one", isState)
    var again = Packer()
    next.pack(into: &again, keepsHistory: true)
    try hold("a state is packed again as it was", again.bytes == packer.bytes)
    broken = next
  }

  private mutating func checkpoint() throws {
    let bytes = try JSONEncoder().encode(broken)
    let next = try JSONDecoder().decode(Tracker.self, from: bytes)
    try hold("a checkpoint is read as it was written", next == broken)
    broken = next
  }

  // MARK: Laws

  private func checkCounts() throws {
    let counts = plain.counts
    try hold(
      "every fix is accepted, dropped or waits",
      counts.received == counts.accepted + counts.dropped + counts.waiting, "\(counts)")
  }

  private mutating func checkEvents() throws {
    for index in checked..<said.count {
      let event = said[index]
      try ledger.add(event)
      try hold("an event is somewhere", event.coordinate.isValid, "\(event)")
      try hold(
        "an accuracy is a length", event.horizontalAccuracy.map { $0 >= 0 && $0.isFinite } ?? true,
        "\(event)")
      try hold("nothing happens after it was decided", event.time <= event.decided, "\(event)")
      if world.isCalm, index > 0 {
        let before = said[index - 1]
        let isOrdered =
          before.decided < event.decided
          || (before.decided == event.decided && before.time <= event.time)
        try hold("events come by decision, then by occurrence", isOrdered, "\(before)\n\(event)")
      }
      write(event)
    }
    checked = said.count
  }

  private func write(_ event: Event) {
    var buffer: [UInt8] = []
    let entry = LogEntry(device: "device", .event(event))
    for format in EventFormat.allCases {
      var writer = EventWriter(format: format, fences: fences.map(\.id))
      writer.append(entry, to: &buffer)
    }
  }

  /// Brute force with the exact geodesic: where the device is, and which fences are there.
  private func checkPlaces() throws {
    guard let place = plain.lastFix?.coordinate else { return }
    var found: Set<Int> = []
    world.rules.fences.forEachFence(containing: place) { found.insert($0) }
    for (index, fence) in fences.enumerated() {
      let contains = Self.contains(fence.area, place)
      try hold(
        "the index finds the fences of a place", found.contains(index) == contains,
        "\(fence) \(place)")
      let side = ledger.sides[fence.id]
      guard fence.decision == .naive, ledger.isFullyTold(fence.id), let side, side != .unknown
      else { continue }
      try hold(
        "an exact fix says where the device is", (side == .inside) == contains,
        "\(fence) \(place) \(side)")
    }
  }

  private static func contains(_ area: Area, _ place: Coordinate) -> Bool {
    guard case .circle(let circle) = area else { return area.contains(place) }
    return circle.center.distance(to: place) <= circle.radius
  }
}

extension Estimate {
  /// Whether it says where something is, and how fast it is there.
  fileprivate var isPlace: Bool {
    coordinate.isValid && sigma.isFinite && sigma > 0 && velocity.x.isFinite && velocity.y.isFinite
  }
}

/// A state of unknown origin: refused, or as good as any other.
private enum PackedStateRun {
  /// What a state is read under, the same for every input.
  private static let rules: Rules = {
    var rules = Rules()
    let center = Coordinate(latitude: 52.5, longitude: 13.4)
    let fences = Decision.allCases.enumerated().map { index, decision in
      var fence = Fence(
        id: "\(decision)",
        area: .circle(Circle(center: center, radius: 60 * Double(index + 1))))
      fence.decision = decision
      fence.dwell = 60_000_000_000
      fence.notifications = [.enter, .exit, .dwell]
      return fence
    }
    rules.fences = (try? FenceSet(fences)) ?? FenceSet()
    (rules.visits, rules.significantChanges) = (VisitRules(), SignificantChangeRules())
    return rules
  }()

  static func check(_ bytes: [UInt8]) throws -> Bool {
    // The first byte says how many fixes come before, so that a good state is near every input.
    var reader = ByteReader(bytes)
    let state = reader.below(4) > 0 ? made(reader.below(64), changed: &reader) : reader.rest
    var fleet = Fleet(rules: rules, activeLimit: 1, keepsHistory: true)
    guard state.withUnsafeBytes({ fleet.resume("a", from: $0) }) else { return false }
    let device = fleet.index(of: "a")
    var events: [Event] = []
    for number in 0..<12 {
      // Another device has the only place, so that the state is packed and unpacked again.
      fleet.ingest(fix(number), of: fleet.index(of: "b"), into: &events)
      fleet.ingest(fix(number), of: device, into: &events)
    }
    fleet.advance(device, to: Timestamp(nanoseconds: .max), into: &events)
    _ = fleet.nextDeadline(of: device)
    _ = fleet.counts(of: device)
    return true
  }

  /// The state after some fixes, with bytes changed as the input says: a place and a byte each.
  private static func made(_ count: Int, changed reader: inout ByteReader) -> [UInt8] {
    var tracker = Tracker(rules: rules)
    var events: [Event] = []
    for number in 0..<count { tracker.ingest(fix(number - 64), into: &events) }
    var packer = Packer()
    tracker.pack(into: &packer, keepsHistory: true)
    return reader.changed(Array(packer.bytes))
  }

  private static func fix(_ number: Int) -> Fix {
    var fix = Fix(
      time: Timestamp(nanoseconds: 1_741_593_600_000_000_000 + Int64(number) * 20_000_000_000),
      coordinate: Coordinate(
        latitude: 52.5 + Double(number % 7) * 0.000_4, longitude: 13.4 + Double(number % 5) * 0.0003
      ))
    fix.horizontalAccuracy = 8
    return fix
  }
}
