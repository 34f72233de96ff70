import Geodesy
import Glibc
import Locking
import Services
import TestSupport
import Testing
import Tracking

@Suite("State between launches")
struct StoreTests {
  private let folder: ScratchFolder
  private let said = Said()

  private final class Said: Sendable {
    let lines = Mutex<[String]>([])
    func say(_ line: String) { lines.withLock { $0.append(line) } }
    func take() -> [String] {
      lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
  }

  init() throws { folder = try ScratchFolder() }

  private func store(_ name: String = "state") throws -> ServiceStore {
    try ServiceStore(folder: folder.file(name), patience: .zero) { [said] in said.say($0) }
  }

  private static let noon = Timestamp(nanoseconds: 1_741_608_000_000_000_000)
  private static let place = Coordinate(latitude: 52.5, longitude: 13.4)

  /// A core with something of everything.
  private static func state() -> ServiceState {
    var core = ServiceCore(profile: .apple, grant: Authorization(.always))
    let manager = core.add(.manager)
    core.startMonitoring(Region(identifier: "home/../x", center: place, radius: 100), for: manager)
    core.startVisits()
    core.startSignificantChanges(manager)
    for name in ["One", "2"] {
      core.addCondition(
        .circle(center: place, radius: 50), identifier: "a", of: name, assuming: .satisfied)
    }
    var fix = Fix(time: noon, coordinate: place)
    fix.horizontalAccuracy = 5
    core.ingest(fix, from: .simulation)
    return ServiceState(
      core.registrations, engine: core.checkpoint, grant: core.grant, profile: core.profile)
  }

  @Test("7.3, 8.2 the saved state is restored after a restart, with the engine")
  func roundTrip() throws {
    let state = Self.state()
    do {
      let store = try store()
      #expect(store.load() == nil)
      #expect(store.save(state))
    }
    let found = try #require(try store().load())
    #expect(found.registrations == state.registrations)
    #expect(found.engine == state.engine)
    #expect(found.grant == Authorization(.always))
    #expect(found.profile == .apple)
    #expect(said.take() == [])
  }

  @Test("all of it is its owner's alone")
  func modes() throws {
    let store = try store("deep/state")
    store.save(Self.state())
    let names = try folder.names()
    #expect(
      names == [
        "deep", "deep/state", "deep/state/2.monitor", "deep/state/One.monitor", "deep/state/lock",
        "deep/state/services",
      ])
    for name in names {
      let isFolder = name == "deep" || name == "deep/state"
      #expect(try folder.mode(name) == (isFolder ? 0o700 : 0o600), "\(name)")
    }
  }

  @Test(
    "8.1 an empty name, one with an underscore in front and a long one are not kept",
    arguments: [
      "", "_", "_a", String(repeating: "a", count: 201), String(repeating: "é", count: 34),
    ])
  func badNames(_ name: String) throws {
    let store = try store()
    #expect(!MonitorName.isValid(name))
    var state = Self.state()
    state.registrations.monitors[name] = state.registrations.monitors["One"]
    store.save(state)
    #expect(try folder.names().filter { $0.hasSuffix(".monitor") }.count == 2)
    #expect(store.load()?.registrations.monitors.keys.sorted() == ["2", "One"])
  }

  @Test(
    "8.1 other names are kept, and are never a path",
    arguments: [
      "a", "A1", "my_custom_monitor", "a-b", "a b", "../a", "a/b", ".", "é", "a.monitor", "%2F",
      "a\u{0}", String(repeating: "a", count: 200), String(repeating: "é", count: 33),
    ])
  func goodNames(_ name: String) throws {
    let store = try store()
    #expect(MonitorName.isValid(name))
    var state = Self.state()
    state.registrations.monitors = [name: state.registrations.monitors["One"] ?? []]
    #expect(store.save(state))
    #expect(store.load()?.registrations.monitors == state.registrations.monitors)
    #expect(try folder.names().filter { $0.hasSuffix(".monitor") }.count == 1)
  }

  @Test(
    "a file with a name that no monitor has is left alone", arguments: ["a b", "%", "%2", "%61"])
  func foreignFiles(_ name: String) throws {
    let store = try store()
    store.save(Self.state())
    try folder.write("state/\(name).monitor", "x")
    #expect(store.load()?.registrations.monitors.keys.sorted() == ["2", "One"])
    store.save(Self.state())
    #expect(try folder.names().contains("state/\(name).monitor"))
  }

  @Test("a monitor whose conditions are gone leaves no file")
  func emptyMonitor() throws {
    let store = try store()
    var state = Self.state()
    store.save(state)
    state.registrations.monitors["One"] = []
    store.save(state)
    #expect(try folder.names().filter { $0.hasSuffix(".monitor") } == ["state/2.monitor"])
  }

  @Test(
    "a broken file is reported in one line and renamed, and its contents start over",
    arguments: [
      "", "x", "waymark-services 1 0\n{}", "waymark-services 9 0\n{}", "waymark-state 1 0\n",
    ])
  func broken(_ text: String) throws {
    let store = try store()
    try folder.write("state/services", text)
    #expect(store.load() == nil)
    let lines = said.take()
    #expect(lines.count == 1)
    #expect(
      lines[0].hasSuffix(
        "; renamed it to \(folder.file("state/services")).broken and started over"))
    #expect(try folder.read("state/services.broken") == text)
    #expect(store.load() == nil)
    #expect(said.take() == [])
    #expect(store.save(Self.state()))
    #expect(store.load() != nil)
  }

  @Test("any byte that changed is seen, and cut files are too")
  func damaged() throws {
    let store = try store()
    store.save(Self.state())
    let whole = try folder.read("state/services")
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<50 {
      var bytes = Array(whole.utf8)
      let place = Int.random(in: bytes.indices, using: &generator)
      if Bool.random(using: &generator) {
        bytes[place] = bytes[place] == 0x20 ? 0x21 : 0x20
      } else {
        bytes.removeSubrange(place...)
      }
      try folder.write("state/services", String(decoding: bytes, as: UTF8.self))
      #expect(store.load() == nil, "seed 7, byte \(place)")
    }
    #expect(said.take().count == 50)
  }

  @Test("8.2 a broken file of one monitor costs that one only")
  func brokenMonitor() throws {
    let store = try store()
    store.save(Self.state())
    try folder.write("state/One.monitor", "x")
    #expect(store.load()?.registrations.monitors.keys.sorted() == ["2"])
    #expect(said.take().count == 1)
    #expect(try folder.names().contains("state/One.monitor.broken"))
  }

  @Test("one process at a time has the folder; it is free when that one has gone")
  func lock() throws {
    let path = folder.file("state")
    var first: ServiceStore? = try store()
    #expect(first?.load() == nil)
    #expect(throws: StoreError.inUse(path: path)) { try store() }
    // Whoever still has the lock's file open, such as a program that is being started just now.
    let copies = try Descriptors.copies(of: folder.file("state/lock"))
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1)
    first = nil
    #expect(try store().load() == nil)
  }

  @Test("an unavailable folder is reported with the reason")
  func refused() throws {
    try folder.write("file", "")
    #expect(throws: StoreError.refused(path: folder.file("file/a"), "not a directory")) {
      try store("file/a")
    }
    #expect(throws: StoreError.refused(path: folder.file("file"), "not a directory")) {
      try store("file")
    }
  }

  @Test("a failed write is reported, and the old file stays valid")
  func unwritable() throws {
    let store = try store()
    store.save(Self.state())
    // The place of the draft is taken.
    try PermissionFile(path: folder.file("state/services.new/x"), program: "x")
      .write(PermissionRecord())
    #expect(!store.save(Self.state()))
    #expect(
      said.take() == ["\(folder.file("state/services")): cannot be written: is a directory"])
    #expect(store.load() != nil)
  }

  @Test("events wait for the program, in order, until it takes them")
  func pending() throws {
    let path = folder.file("state")
    let waiting = ServiceFolder(path) { [said] in said.say($0) }
    let region = Region(identifier: "home", center: Self.place, radius: 100)
    let events: [PendingEvent] = [
      .state(.inside, region), .entered(region), .exited(region),
      .significantChange(Location(Fix(time: Self.noon, coordinate: Self.place), from: .receiver)),
      .visit(
        Stay(arrival: nil, departure: Self.noon, coordinate: Self.place, horizontalAccuracy: 20)),
      .condition(monitor: "One", identifier: "a", .satisfied, Self.noon),
    ]
    let store = try store()
    #expect(store.pending() == [])
    waiting.add(Array(events[..<2]))
    waiting.add(Array(events[2...]))
    #expect(store.pending() == events)
    #expect(store.pending() == events)
    store.takePending()
    #expect(store.pending() == [])
    #expect(!waiting.hasPending)
    #expect(said.take() == [])
  }

  @Test("of too many events the oldest are dropped, which is reported")
  func tooManyPending() throws {
    let waiting = ServiceFolder(folder.file("state")) { [said] in said.say($0) }
    let store = try store()
    let events = (0..<1_002).map { number in
      PendingEvent.condition(monitor: "a", identifier: "\(number)", .satisfied, Self.noon)
    }
    waiting.add(events)
    #expect(store.pending() == Array(events.suffix(1_000)))
    #expect(
      said.take().map { $0.hasSuffix(": dropped 2 events that the program did not take") } == [
        true
      ])
  }

  @Test("the permission is kept there too")
  func permission() throws {
    let store = try store()
    try store.permissionFile.write(PermissionRecord(.always))
    #expect(try folder.mode("state/permission") == 0o600)
  }
}
