import Geodesy
import TestSupport
import Testing

@testable import Estimation
@testable import Fences
@testable import Packing
@testable import Tracking

@Suite("Packed states")
struct PackingTests {
  /// Fixes of a device that walks about the fences of ``rules``, stands, is silent, and leaps.
  static func track(_ count: Int, using random: inout SeededGenerator) -> [Fix] {
    var (place, speed, seconds) = (Coordinate(latitude: 0.01, longitude: 0.01), 0.0, 0.0)
    return (0..<count).map { number in
      if Int.random(in: 0..<15, using: &random) == 0 {
        speed = [0, 0, 1.4, 12].randomElement(using: &random) ?? 0
      }
      let gap = Int.random(in: 0..<40, using: &random) == 0 ? 3_000 : 8.5
      seconds += gap
      let step = speed * gap / 111_000
      place.latitude +=
        (place.latitude > 0 ? -1 : 1) * Double.random(in: -0.5...1, using: &random) * step
      place.longitude +=
        (place.longitude > 0 ? -1 : 1) * Double.random(in: -0.5...1, using: &random) * step
      var shown = place
      if Int.random(in: 0..<50, using: &random) == 0 { shown.latitude += 1 }
      shown.latitude += Double.random(in: -3e-5...3e-5, using: &random)
      var fix = Fix(time: Timestamp(nanoseconds: Int64(seconds * 1e9)), coordinate: shown)
      fix.horizontalAccuracy = Double(Int.random(in: 3...40, using: &random)) + 0.1
      if number % 3 == 0 { (fix.speed, fix.course) = (speed, 12.5) }
      if number % 7 == 0 { fix.satellites = 9 }
      return fix
    }
  }

  static func rules() throws -> Rules {
    let decisions: [Decision] = [.balanced, .naive, .eager, .apple, .strict]
    var rules = Rules(
      fences: try FenceSet(
        decisions.enumerated().map { number, decision in
          let center = Coordinate(latitude: 0, longitude: 0.001 * Double(number))
          let circle = Circle(center: center, radius: 120 + 50 * Double(number))
          var fence = Fence(id: "\(decision)", area: .circle(circle))
          fence.decision = decision
          fence.dwell = 240_000_000_000
          fence.notifications.insert(.dwell)
          return fence
        }))
    rules.visits = VisitRules()
    rules.significantChanges = SignificantChangeRules()
    return rules
  }

  @Test("times come back, however far they are from each other")
  func times() {
    var random = SeededGenerator(seed: 41)
    var times: [Int64] = [0, .max, .min, -1, .max, 0, 1 << 60, .min, 1_000_000_000, 1_999_999_999]
    for _ in 0..<1_000 {
      let bits = Int64(truncatingIfNeeded: random.next() >> Int.random(in: 0..<64, using: &random))
      let next = Bool.random(using: &random) ? bits : (times.last ?? 0) &+ bits
      times.append(Bool.random(using: &random) ? next : next / 1_000_000_000 * 1_000_000_000)
    }
    var packer = Packer()
    packer.pack { writer in
      for time in times { writer.put(instant: time) }
      writer.putNoTime()
    }
    #expect(read(packer, count: times.count) == times)
    // One second after another takes a byte.
    let second: Int64 = 1_741_593_600_000_000_000
    packer.pack { $0.put(instant: second) }
    let count = packer.bytes.count
    packer.pack { writer in
      writer.put(instant: second)
      writer.put(instant: second + 1_000_000_000)
    }
    #expect(packer.bytes.count == count + 1)
  }

  @Test("codes that mean no time are refused")
  func noTimes() {
    // An unknown unit, and differences that lead out of all times.
    for code in [3, 7, Int.max - 2, 1 << 62 | 1] {
      var packer = Packer()
      packer.pack { writer in
        writer.put(instant: .max)
        writer.put(count: code)
        writer.putNoTime()
      }
      #expect(read(packer, count: 2) == nil, "code \(code)")
    }
  }

  /// So many times, and one that is missing; nil when that is not what was packed.
  private func read(_ packer: Packer, count: Int) -> [Int64]? {
    packer.bytes.withUnsafeBytes { bytes in
      var unpacker = Unpacker(bytes)
      let times = (0..<count).map { _ in unpacker.takeInstant() }
      var last: Timestamp?
      unpacker.code(optional: &last)
      return last == nil && unpacker.isComplete ? times : nil
    }
  }

  private func packed(_ tracker: Tracker, keepsHistory: Bool = true) -> [UInt8] {
    var (packer, tracker) = (Packer(), tracker)
    tracker.pack(into: &packer, keepsHistory: keepsHistory)
    return Array(packer.bytes)
  }

  private func unpack(_ bytes: [UInt8], into tracker: inout Tracker) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var unpacker = Unpacker(bytes)
      do {
        try tracker.unpack(from: &unpacker)
        return true
      } catch {
        return false
      }
    }
  }

  @Test("numbers that no state has are refused", arguments: [Double.nan, .infinity, -.infinity])
  func noNumbers(number: Double) {
    /// Zeros are read instead, and whatever follows.
    func isRefused(
      _ put: (inout StateWriter) -> Void, _ takesZero: (inout Unpacker) -> Bool
    ) -> Bool {
      var packer = Packer()
      packer.pack { writer in
        put(&writer)
        writer.put(count: 7)
      }
      return packer.bytes.withUnsafeBytes { bytes in
        var unpacker = Unpacker(bytes)
        let isZero = takesZero(&unpacker)
        return isZero && unpacker.takeCount() == 0 && !unpacker.isValid && !unpacker.isComplete
      }
    }
    #expect(isRefused({ $0.put(number) }, { $0.take(Double.self) == 0 }))
    #expect(isRefused({ $0.put(Float(number)) }, { $0.take(Float.self) == 0 }))
    let lanes = SIMD4(1, 2, Float(number), 4)
    #expect(isRefused({ $0.put(lanes) }, { $0.take(SIMD4<Float>.self) == SIMD4() }))
    #expect(isRefused({ $0.put(count: 1 << 60) }, { $0.takeCount() == 0 }))
    // A number that is cut.
    let cut: [UInt8] = [0x85]
    cut.withUnsafeBytes { bytes in
      var unpacker = Unpacker(bytes)
      #expect(unpacker.takeCount() == 0 && !unpacker.isValid)
    }
    #expect(isRefused({ $0.put(count: 9) }, { $0.takeLength() == 0 }))
    #expect(isRefused({ $0.put(8 as UInt8) }, { $0.takeFlags(3) == 0 }))
    #expect(!isRefused({ $0.put(count: 1 << 60 - 1) }, { $0.takeCount() == 0 }))
  }

  @Test("a damaged state with a length of a million elements makes few of them")
  func manyElements() {
    var packer = Packer()
    packer.pack { writer in
      writer.put(count: 1_000_000)
      for _ in 0..<1_000_000 { writer.put(0xFF as UInt8) }
    }
    packer.bytes.withUnsafeBytes { bytes in
      var (unpacker, edges) = (Unpacker(bytes), [EdgeState]())
      unpacker.code(&edges)
      #expect(edges.isEmpty && !unpacker.isValid)
    }
  }

  @Test("what is longer than the memory of a packer is written whole")
  func longStates() {
    var packer = Packer()
    for count in [10, 5_000, 3] {
      packer.pack { writer in for number in 0..<count { writer.put(number) } }
      let numbers = packer.bytes.withUnsafeBytes { bytes in
        var unpacker = Unpacker(bytes)
        let numbers = (0..<count).map { _ in unpacker.take(Int.self) }
        return unpacker.isComplete ? numbers : []
      }
      #expect(numbers == Array(0..<count))
    }
  }

  @Test("of the active devices few are replaced in turn, and in time each")
  func replacement() {
    var replacement = Replacement()
    #expect((0..<3).map { _ in replacement.next(of: 1) } == [0, 0, 0])
    let places = (0..<16 * 100).map { _ in replacement.next(of: 100) }
    #expect(Set(places) == Set(0..<100))
    #expect(places.count { $0 >= 32 } == 100)
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 != $1 })
  }

  @Test("a device whose state is refused has seen nothing")
  func refused() throws {
    let rules = try Self.rules()
    var random = SeededGenerator(seed: 9)
    var (tracker, events) = (Tracker(rules: rules), [Event]())
    for fix in Self.track(50, using: &random) { tracker.ingest(fix, into: &events) }
    let bytes = packed(tracker).dropLast()
    var fleet = Fleet(rules: rules)
    let isState = bytes.withUnsafeBytes { fleet.resume("van", from: $0) }
    #expect(!isState)
    #expect(fleet.counts(of: fleet.index(of: "van")) == GateCounts())
  }

  @Test("a device that is packed after every fix says what it says", arguments: [true, false])
  func lossless(keepsHistory: Bool) throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let rules = try Self.rules()
      var (plain, other) = (Tracker(rules: rules), Tracker(rules: rules))
      var (said, saidToo) = ([Event](), [Event]())
      for (number, fix) in Self.track(700, using: &random).enumerated() {
        var fix = fix
        // A late one now and then.
        if keepsHistory, number % 20 == 19 { fix.time = fix.time?.advanced(bySeconds: -12) }
        plain.ingest(fix, into: &said)
        other.ingest(fix, into: &saidToo)
        let bytes = packed(other, keepsHistory: keepsHistory)
        // Into one that has another state, as a fleet does.
        var next = number % 2 == 0 ? Tracker(rules: rules) : plain
        try #require(unpack(bytes, into: &next), "seed \(seed), fix \(number)")
        #expect(packed(next, keepsHistory: keepsHistory) == bytes)
        other = next
        try #require(said == saidToo, "seed \(seed), fix \(number)")
        #expect(other.counts == plain.counts && other.lastFix == plain.lastFix)
        #expect(other.lastDefect == plain.lastDefect)
        #expect(other.nextDeadline == plain.nextDeadline)
      }
      #expect(said.count > 20, "seed \(seed)")
    }
  }

  @Test("bytes that are cut, or longer, are no state")
  func damage() throws {
    var random = SeededGenerator(seed: 8)
    let rules = try Self.rules()
    var (tracker, events) = (Tracker(rules: rules), [Event]())
    for fix in Self.track(200, using: &random) { tracker.ingest(fix, into: &events) }
    let bytes = packed(tracker)
    for count in 0..<bytes.count {
      var other = Tracker(rules: rules)
      #expect(!unpack(Array(bytes[..<count]), into: &other), "\(count) bytes")
    }
    var other = Tracker(rules: rules)
    #expect(!unpack(bytes + [0], into: &other))
    // Of a fence that there is not nothing can be said.
    var inside = Tracker(rules: rules)
    for second in 0..<20 {
      var fix = Fix(
        time: Timestamp(nanoseconds: Int64(second) * 10_000_000_000),
        coordinate: Coordinate(latitude: 0.0001, longitude: 0))
      fix.horizontalAccuracy = 5
      inside.ingest(fix, into: &events)
    }
    other = Tracker(rules: Rules())
    #expect(!unpack(packed(inside), into: &other))
  }

  @Test("a fleet that packs almost all of its devices says what it says")
  func fleet() throws {
    var random = SeededGenerator(seed: 9)
    let rules = try Self.rules()
    let tracks = (0..<9).map { _ in Self.track(300, using: &random) }
    for limit in [1, 2, 5] {
      var fleet = Fleet(rules: rules, activeLimit: limit, keepsHistory: true)
      var alone = tracks.map { _ in Tracker(rules: rules) }
      for number in 0..<300 {
        for device in (0..<9).shuffled(using: &random) {
          let index = fleet.index(of: "device \(device)")
          var (said, expected) = ([Event](), [Event]())
          fleet.ingest(tracks[device][number], of: index, into: &said)
          alone[device].ingest(tracks[device][number], into: &expected)
          #expect(said == expected, "device \(device), fix \(number), \(limit) active")
        }
      }
      for device in 0..<9 {
        let index = fleet.index(of: "device \(device)")
        #expect(fleet.name(of: index) == "device \(device)")
        #expect(fleet.counts(of: index) == alone[device].counts)
        #expect(fleet.nextDeadline(of: index) == alone[device].nextDeadline)
        #expect(fleet.lastTime(of: index) == alone[device].lastTime)
      }
      #expect(fleet.count == 9)
    }
  }

  @Test("a device goes on in another fleet from its packed state", arguments: [1, 9])
  func movedStates(limit: Int) throws {
    var random = SeededGenerator(seed: 14)
    let rules = try Self.rules()
    let tracks = (0..<3).map { _ in Self.track(200, using: &random) }
    func fleet() -> Fleet { Fleet(rules: rules, activeLimit: limit, keepsHistory: true) }
    var (first, whole) = (fleet(), fleet())
    func feed(_ fleet: inout Fleet, _ range: Range<Int>) -> [Event] {
      var events: [Event] = []
      for number in range {
        for (device, track) in tracks.enumerated() {
          fleet.ingest(track[number], of: fleet.index(of: "\(device)"), into: &events)
        }
      }
      return events
    }
    let expected = feed(&whole, 0..<200)
    var events = feed(&first, 0..<100)
    var (second, names) = (fleet(), [String]())
    first.forEachName { names.append(String(decoding: $0, as: UTF8.self)) }
    #expect(names == first.devices)
    for (number, name) in names.enumerated() {
      let bytes = first.withPackedState(of: number, Array.init)
      let isValid = bytes.withUnsafeBytes { second.resume(name, from: $0) }
      #expect(isValid)
    }
    events += feed(&second, 100..<200)
    #expect(events == expected)
  }

  @Test("bytes that are no state give a device that has seen nothing")
  func noStates() throws {
    let rules = try Self.rules()
    var fleet = Fleet(rules: rules, activeLimit: 2, keepsHistory: true)
    let isValid = [UInt8](repeating: 0xFF, count: 9).withUnsafeBytes {
      fleet.resume("van", from: $0)
    }
    #expect(!isValid)
    #expect(fleet[0] == Tracker(rules: rules))
    var states = PackedStates()
    let place = states.insert([UInt8](repeating: 0xFF, count: 9)[...])
    var tracker = Tracker(rules: rules)
    tracker.lastDefect = .duplicate
    states.unpack(place, into: &tracker)
    #expect(tracker == Tracker(rules: rules))
  }

  @Test("states of this version and of 0.2.0 can be read, and no others")
  func versions() {
    #expect(Fleet.canUnpack(size: UInt64(Fleet.packingSize)))
    #expect(Fleet.canUnpack(size: 0x0199_1A86))
    #expect(!Fleet.canUnpack(size: UInt64(Fleet.packingSize) + 1))
  }

  @Test("rules that change hold for packed devices, too")
  func newRules() throws {
    var random = SeededGenerator(seed: 10)
    var rules = try Self.rules()
    let tracks = (0..<4).map { _ in Self.track(240, using: &random) }
    var fleet = Fleet(rules: rules, activeLimit: 1, keepsHistory: true)
    var alone = tracks.map { _ in Tracker(rules: rules) }
    for number in 0..<240 {
      if number % 80 == 79 {
        rules.fences = try FenceSet(Array(rules.fences.dropFirst()))
        fleet.rules = rules
        for device in alone.indices { alone[device].rules = rules }
      }
      for device in 0..<4 {
        var (said, expected) = ([Event](), [Event]())
        fleet.ingest(
          tracks[device][number], of: fleet.index(of: "\(device)"), into: &said)
        alone[device].ingest(tracks[device][number], into: &expected)
        #expect(said == expected, "device \(device), fix \(number)")
      }
    }
  }

  @Test(
    "no address of packed memory is taken for an active device",
    arguments: [0, 1, 1 << 31 - 1, 1 << 31, 1 << 32 - 1, 1 << 32, 1 << 40])
  func addresses(_ number: Int) {
    let packed = DevicePlace.packed(PackedStates.Place(address: number))
    #expect(packed.activePlace == nil)
    #expect(packed.packedPlace.address == number)
    #expect(DevicePlace.active(number).activePlace == number)
    #expect(DevicePlace.active(number) != packed)
  }

  @Test("slots of every size are used again")
  func slots() {
    var (states, random) = (PackedStates(), SeededGenerator(seed: 11))
    var kept: [(place: PackedStates.Place, bytes: [UInt8])] = []
    for step in 0..<4_000 {
      let length = Int.random(in: 1...(step % 100 == 0 ? 1 << 21 : 3_000), using: &random)
      let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: step), count: length)
      if kept.count > 20 {
        let victim = kept.remove(at: Int.random(in: 0..<kept.count, using: &random))
        states.withBytes(of: victim.place) { #expect(Array($0) == victim.bytes) }
        states.remove(victim.place)
      }
      kept.append((states.insert(bytes[...]), bytes))
    }
    for (place, bytes) in kept {
      states.withBytes(of: place) { #expect(Array($0) == bytes) }
    }
    #expect(Set(kept.map(\.place)).count == kept.count)
  }

  @Test("states that all grow take the memory of those that are there", arguments: [false, true])
  func growth(isShuffled: Bool) {
    var (states, random) = (PackedStates(), SeededGenerator(seed: 13))
    var places = (0..<10_000).map { _ in states.insert(Self.record(400)) }
    // A state is taken out, and comes back later, after some others were taken out.
    for length in stride(from: 416, through: 1_400, by: 16) {
      let order = isShuffled ? places.indices.shuffled(using: &random) : Array(places.indices)
      var waiting: [Int] = []
      for device in order + Array(repeating: -1, count: 100) {
        if device >= 0 {
          states.remove(places[device])
          waiting.insert(device, at: 0)
        }
        if waiting.count > 99 || device < 0, let next = waiting.popLast() {
          places[next] = states.insert(Self.record(length))
        }
      }
      // Where the order is another one every time, some slots have no free neighbour for long.
      let share = Double(states.capacity) / Double(places.count * (length + 4))
      #expect(share < (isShuffled ? 1.5 : 1.25), "states of \(length) bytes")
    }
    // And then all are short.
    for device in places.indices {
      places[device] = states.replace(places[device], with: Self.record(40))
    }
    let capacity = states.capacity
    for _ in 0..<100_000 { places.append(states.insert(Self.record(40))) }
    #expect(states.capacity == capacity)
  }

  private static func record(_ length: Int) -> ArraySlice<UInt8> {
    [UInt8](repeating: 7, count: length)[...]
  }

  @Test("names have the numbers of the order in which they came")
  func names() {
    var (table, random) = (NameTable(), SeededGenerator(seed: 12))
    let names =
      ["", "a", "ä", "van 1", String(repeating: "x", count: 300)]
      + (0..<5_000).map { _ in "\(UInt32.random(in: .min ... .max, using: &random))" }
    var seen: [String: Int] = [:]
    for name in names + names {
      let (number, isNew) = table.number(of: name)
      #expect(number == seen[name] ?? seen.count && isNew == (seen[name] == nil))
      seen[name] = number
      #expect(table[number] == name)
    }
    #expect(table.count == seen.count)
  }

  @Test("names chosen to collide under a hash that everybody knows lie apart")
  func chosenNames() throws {
    var (table, number) = (NameTable(), 0)
    while table.count < 1_000 {
      number += 1
      // FNV-1a with its upper bits on the lower ones.
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in "\(number)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      if (hash ^ hash >> 32) & 0x7FF == 7 { _ = table.number(of: "\(number)") }
    }
    // Of 2,048 places; a run of full ones is searched to its end.
    let places = try #require(Mirror(reflecting: table).descendant("slots") as? [UInt32])
    let longest = places.split(separator: 0).map(\.count).max() ?? 0
    #expect(longest < 200, "a run of \(longest) in \(places.count) places")
  }
}

extension StateWriter {
  fileprivate mutating func putNoTime() {
    var time: Timestamp?
    code(optional: &time)
  }
}
