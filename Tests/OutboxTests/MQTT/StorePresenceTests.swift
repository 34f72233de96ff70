import Geodesy
import Storing
import TestSupport
import Testing
import Tracking

@testable import Outbox

@Suite("Where devices are, by the store") struct StorePresenceTests {
  private let fixture: OutboxFixture

  init() throws { fixture = try OutboxFixture() }

  private static func set(_ ids: [String]) throws -> FenceSet {
    try FenceSet(
      ids.map {
        Fence(
          id: $0,
          area: .circle(Circle(center: Coordinate(latitude: 1, longitude: 2), radius: 50)))
      })
  }

  private func presence(
    _ fences: CurrentFences, devices: [String]? = nil, wanted: Set<String>? = nil
  ) throws -> StorePresence {
    StorePresence(
      try OutboxFixture.receiver(fences: wanted, devices: devices),
      store: fixture.scratch.file("events.gpkg"), fences)
  }

  @Test("is the state that was decided last, also when an old track is stored later")
  func states() throws {
    let fences = CurrentFences(try Self.set(["depot", "home"]))
    let presence = try presence(fences)
    #expect(try presence.presences() == [])
    try fixture.keep(hour: 2)
    var van = try presence.presence(of: "van")
    #expect(van.states == ["depot": .inside] && van.state(in: "home") == .unknown)
    #expect(van.lastEvent?.time == "2025-03-10T10:00:00.000Z")
    try fixture.keep(hour: 1, fence: "home")
    try fixture.keep(hour: 3, fence: "elsewhere", device: "boat")
    van = try presence.presence(of: "van")
    #expect(van.states == ["depot": .inside, "home": .inside])
    #expect(van.lastEvent?.time == "2025-03-10T10:00:00.000Z")
    #expect(try presence.presences().map(\.device) == ["boat", "van"])
    #expect(try presence.presence(of: "boat").states.isEmpty)
    #expect(try presence.presence(of: "none") == DevicePresence(device: "none"))
  }

  @Test("is what a live run stored last, whatever its date, and so after the next start")
  func live() throws {
    let fences = CurrentFences(try Self.set(["depot"]))
    let presence = try presence(fences)
    let (hour, wrong) = (3_600.0, 1_024.0 * 7 * 24)
    var present = OutboxFixture.start
    let settings = StoreSettings(path: fixture.scratch.file("events.gpkg"))
    let store = try EventStore(settings, isLive: true) { present }
    // 2044, 2025, 2005.
    for (number, date) in [wrong, 1, 2 - wrong].enumerated() {
      present = OutboxFixture.start.advanced(bySeconds: Double(number) * hour)
      let entry =
        number == 1
        ? OutboxFixture.exit(hour: date, fence: "depot", device: "van")
        : OutboxFixture.enter(hour: date, fence: "depot", device: "van")
      try store.keep([entry])
      // An old track at the same time.
      try fixture.store.keep([
        OutboxFixture.enter(hour: -9 - Double(number), fence: "depot", device: "van")
      ])
      for presence in [presence, try self.presence(fences)] {
        let van = try presence.presence(of: "van")
        #expect(van.state(in: "depot") == (number == 1 ? .outside : .inside))
        let year = van.lastEvent?.time?.prefix(4)
        #expect(year.map(String.init) == ["2044", "2025", "2005"][number])
      }
    }
  }

  @Test("has the fences and devices of the receiver, and forgets what left the config")
  func filters() throws {
    let fences = CurrentFences(try Self.set(["depot", "home"]))
    let presence = try presence(fences, devices: ["van"], wanted: ["depot"])
    try fixture.store.keep(fences.current.set)
    try fixture.keep(hour: 1)
    try fixture.keep(hour: 1, device: "boat")
    #expect(presence.fences().map(\.id) == ["depot"])
    #expect(try presence.presences().map(\.device) == ["van"])
    #expect(try presence.formerFences().isEmpty)
    fences.replace(with: try Self.set(["home"]))
    #expect(presence.fences().isEmpty)
    #expect(try presence.formerFences() == ["depot"])
    #expect(try presence.presence(of: "van").states.isEmpty)
  }

  @Test("knows devices by the bytes of their names") func forms() throws {
    let forms = ["caf\u{E9}", "cafe\u{301}"]
    let fences = CurrentFences(try Self.set(["depot"]))
    for device in forms { try fixture.keep(hour: 1, device: device) }
    for form in forms {
      let devices = try presence(fences, devices: [form]).presences().map(\.device)
      #expect(devices.map { Array($0.utf8) } == [Array(form.utf8)])
    }
  }

  @Test("a polygon is a circle around it, over the antimeridian too")
  func polygon() throws {
    let corners = [(-1.0, 179.0), (1.0, 179.0), (1.0, -179.0), (-1.0, -179.0)]
    let polygon = try Polygon(
      exterior: corners.map { Coordinate(latitude: $0.0, longitude: $0.1) })
    let set = try FenceSet([Fence(id: "sea", area: .polygons([polygon]))])
    let fence = try #require(try presence(CurrentFences(set)).fences().first)
    #expect(abs(fence.latitude) < 1e-9 && abs(abs(fence.longitude) - 180) < 1e-9)
    #expect(abs(fence.radius - 156_900) < 1_000)
  }
}
