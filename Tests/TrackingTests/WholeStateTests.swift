import Geodesy
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

/// A packed state holds the whole state.
///
/// States are compared as whole values, and every stored property of every type in them must have
/// been seen with two values at least: so a field that is forgotten in `code` is found.
@Suite("Whole states")
struct WholeStateTests {
  @Test(
    "a state that is packed and unpacked is the same value", arguments: 1...4 as ClosedRange<UInt64>
  )
  func wholeStates(seed: UInt64) throws {
    var used = Tracker(rules: try StateWalk.rules())
    try Self.forEachState(seed: seed) { number, tracker in
      let before = tracker
      var packer = Packer()
      tracker.pack(into: &packer, keepsHistory: true)
      // Not inside #expect, which would print two whole engines.
      let isUnchanged = tracker == before
      try #require(isUnchanged, "packing changed the state \(number)")
      // Into one that has seen nothing, and into one with another state, as a fleet does.
      for var read in [Tracker(rules: tracker.rules), used] {
        try packer.bytes.withUnsafeBytes { bytes in
          var unpacker = Unpacker(bytes)
          try read.unpack(from: &unpacker)
        }
        let isSame = read == Self.trimmed(tracker)
        try #require(isSame, "state \(number)")
      }
      if number % 5 == 0 { used = tracker }
    }
  }

  @Test("the walks give every stored property two values at least")
  func everyProperty() throws {
    var seen = SeenProperties()
    try Self.forEachState(seed: 1) { number, tracker in
      // Mirrors are slow: of the usual states only some.
      let isRare =
        tracker.gate.waiting != nil || tracker.gate.retreat != nil || tracker.visits.takesFixes
        || !tracker.fences.undecided.isEmpty || tracker.visits.silent != nil
        || tracker.visits.seen?.absence != nil || tracker.wake != nil
        || tracker.motion.filter?.mixture.velocities.contradicts == true
        || tracker.fences.edges.contains { $0.back != nil || $0.crossing?.isLate == true }
      if isRare || number % 5 == 0 { seen.add(tracker) }
    }
    // The estimate has neither, so no moment that is kept has them.
    #expect(seen.constant == ["Tracking.Moment.course", "Tracking.Moment.speed"])
    #expect(seen.count > 100)
  }

  /// The states of a tracker on a walk, from before the first fix on, with silences now and then.
  private static func forEachState(
    seed: UInt64, _ body: (Int, inout Tracker) throws -> Void
  ) throws {
    var (tracker, events) = (Tracker(rules: try StateWalk.rules()), [Event]())
    try body(0, &tracker)
    for (number, fix) in StateWalk(seed: seed, phases: 36).fixes.enumerated() {
      tracker.ingest(fix, into: &events)
      try body(number, &tracker)
      guard number % 50 == 49, let time = tracker.lastTime else { continue }
      tracker.advance(to: time.advanced(bySeconds: 90_000), into: &events)
      try body(number, &tracker)
    }
    #expect(events.count > 50)
  }

  /// Without the points of the trail that are not looked at any more: they are not packed.
  private static func trimmed(_ tracker: Tracker) -> Tracker {
    var tracker = tracker
    let visits = tracker.visits
    guard visits.map != nil else { return tracker }
    var trail = Trail()
    let needed = visits.trail.needed(from: min(visits.first, visits.stay?.last ?? visits.first))
    trail.begin(at: needed)
    for number in needed..<visits.trail.end { trail.restore(visits.trail[number]) }
    tracker.visits.trail = trail
    return tracker
  }
}

/// The values of all stored properties, by type and name.
private struct SeenProperties {
  private var values: [String: Set<String>] = [:]

  var count: Int { values.count }

  /// Those of which all values were alike.
  var constant: [String] { values.filter { $0.value.count < 2 }.map(\.key).sorted() }

  mutating func add(_ value: Any) {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle != nil, !Self.isLeaf(value) else { return }
    for child in mirror.children {
      if mirror.displayStyle == .struct, let label = child.label {
        note("\(String(reflecting: mirror.subjectType)).\(label)", child.value)
      }
      add(child.value)
    }
  }

  private mutating func note(_ name: String, _ value: Any) {
    guard !Self.isLeaf(value) || Self.isVector(value), (values[name]?.count ?? 0) < 2,
      let text = Self.text(value)
    else { return }
    values[name, default: []].insert(text)
  }

  /// Nil for a value whose own properties are noted by themselves.
  private static func text(_ value: Any) -> String? {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .struct where !isLeaf(value) && mirror.children.count > 1: return nil
    case .optional: return mirror.children.first.map { text($0.value) ?? "a value" } ?? "nil"
    case .collection:
      return mirror.children.map { text($0.value) ?? "an element" }.joined(separator: ", ")
    default: return "\(value)"
    }
  }

  /// What is one value; and what is not packed: the rules, which are the fleet's, and what is no
  /// part of the state.
  private static func isLeaf(_ value: Any) -> Bool {
    isVector(value) || value is Rules || value is Neighbourhood || value is Scratch<[Double]>
  }

  private static func isVector(_ value: Any) -> Bool {
    value is SIMD4<Float> || value is SIMD2<Float> || value is SIMD2<UInt8>
  }
}
