import Geodesy
import Services
import Testing
import Tracking

@Suite("region monitoring")
struct RegionTests {
  private static func region(_ id: String, east: Double = 0, radius: Double = 100) -> Region {
    Region(identifier: id, center: Stand.place(east: east), radius: radius)
  }

  /// Walks at 10 m/s.
  private func walk(_ stand: inout Stand, from: Double, to: Double, at second: Double) -> [String] {
    let steps = Int(abs(to - from) / 10)
    return (0...steps).flatMap { step in
      let east = from + (to > from ? 10 : -10) * Double(step)
      return stand.fix(second + Double(step), east: east).words
    }
  }

  @Test("2.6 7.7 started, determined, and no entry for a device that is already inside")
  func order() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startMonitoring(Self.region("home"), for: manager)
    #expect(stand.core.takeNotices().words == ["monitoring home"])
    #expect(stand.fix(0, east: 0).words == ["inside home"])
    #expect(
      walk(&stand, from: 10, to: 400, at: 1) == ["outside home", "exited home"])
    #expect(
      walk(&stand, from: 390, to: 0, at: 60) == ["inside home", "entered home"])
  }

  @Test("2.5 every manager is notified, whichever registered")
  func everyManager() {
    var stand = Stand()
    let (first, second) = (stand.manager(), stand.manager())
    stand.core.startMonitoring(Self.region("home"), for: first)
    #expect(stand.core.takeNotices().map(\.to) == [first])
    stand.core.ingest(Stand.fix(0, east: 0), from: .simulation)
    #expect(stand.core.takeNotices().map(\.to) == [first, second])
  }

  @Test("7.2 7.3 the same identifier replaces; the old region is silent without an exit")
  func replaced() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startMonitoring(Self.region("a"), for: manager)
    stand.fix(0, east: 0)
    stand.core.startMonitoring(Self.region("a", east: 5_000), for: manager)
    #expect(stand.core.monitoredRegions == [Self.region("a", east: 5_000)])
    #expect(stand.core.takeNotices().words == ["monitoring a"])
    #expect(walk(&stand, from: 10, to: 4_800, at: 1) == ["outside a"])
    #expect(
      walk(&stand, from: 4_810, to: 5_000, at: 600) == ["inside a", "entered a"])
  }

  @Test("registered again unchanged, its known state is reported")
  func again() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startMonitoring(Self.region("a"), for: manager)
    stand.fix(0, east: 0)
    stand.core.startMonitoring(Self.region("a"), for: manager)
    #expect(stand.core.takeNotices().words == ["monitoring a", "inside a"])
  }

  @Test("7.1 the apple profile has 20 regions, the precise one any number")
  func limit() {
    for (profile, count) in [(Profile.apple, 20), (.precise, 30)] {
      var stand = Stand(profile: profile)
      let manager = stand.manager()
      for number in 0..<30 { stand.core.startMonitoring(Self.region("\(number)"), for: manager) }
      #expect(stand.core.monitoredRegions.count == count)
      let failed = stand.core.takeNotices().words.filter { $0.hasPrefix("not") }
      #expect(failed.count == 30 - count)
      #expect(failed.first.map { $0 == "not monitoring 20: regionMonitoringFailure" } ?? true)
      // One that is there already may be replaced.
      stand.core.startMonitoring(Self.region("3", east: 9), for: manager)
      #expect(stand.core.takeNotices().words == ["monitoring 3"])
    }
  }

  @Test(
    "7.4 an invalid radius or centre is rejected",
    arguments: [0, -5, .nan, .infinity, 1e9])
  func refused(radius: Double) {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startMonitoring(Self.region("a", radius: radius), for: manager)
    var nowhere = Self.region("b")
    nowhere.center.latitude = 91
    stand.core.startMonitoring(nowhere, for: manager)
    #expect(
      stand.core.takeNotices().words == [
        "not monitoring a: regionMonitoringFailure", "not monitoring b: regionMonitoringFailure",
      ])
    #expect(stand.core.monitoredRegions.isEmpty)
  }

  @Test("7.5 7.15 the apple profile waits for 20 s past a cushion")
  func hysteresis() {
    var stand = Stand(profile: .apple)
    let manager = stand.manager()
    stand.core.startMonitoring(Self.region("a"), for: manager)
    stand.fix(0, east: 0)
    // 120 m from the centre is past the edge, but not past the cushion.
    #expect(walk(&stand, from: 10, to: 120, at: 1).isEmpty)
    #expect((0..<60).flatMap { stand.fix(20 + Double($0), east: 120).words }.isEmpty)
    var words: [Int: [String]] = [:]
    for second in 0..<40 { words[second] = stand.fix(100 + Double(second), east: 400).words }
    #expect(words.values.flatMap { $0 } == ["outside a", "exited a"])
    #expect((0..<20).allSatisfy { words[$0] == [] })
  }

  @Test("7.6 7.15 going out and in within 20 s is no crossing in the apple profile, else two")
  func toAndFro() {
    for (profile, crossings) in [(Profile.apple, []), (.precise, ["exited a", "entered a"])] {
      var stand = Stand(profile: profile)
      let manager = stand.manager()
      stand.core.startMonitoring(Self.region("a"), for: manager)
      stand.fix(0, east: 0)
      var words = walk(&stand, from: 10, to: 170, at: 1)
      words += walk(&stand, from: 160, to: 0, at: 18)
      words += (0..<60).flatMap { stand.fix(40 + Double($0), east: 0).words }
      #expect(words.filter { !$0.hasSuffix("side a") } == crossings)
    }
  }

  @Test("7.8 7.14 a request is answered with the known state, to the requesting manager")
  func requestState() {
    var stand = Stand()
    let (asker, _) = (stand.manager(), stand.manager())
    stand.core.startMonitoring(Self.region("a"), for: asker)
    _ = stand.core.takeNotices()
    stand.core.requestState(Self.region("a"), for: asker)
    #expect(
      stand.core.takeNotices() == [AddressedNotice(to: asker, .state(.unknown, Self.region("a")))])
    stand.fix(0, east: 0)
    stand.core.requestState(Self.region("a"), for: asker)
    stand.core.requestState(Self.region("other"), for: asker)
    #expect(
      stand.core.takeNotices() == [
        AddressedNotice(to: asker, .state(.inside, Self.region("a"))),
        AddressedNotice(to: asker, .state(.unknown, Self.region("other"))),
      ])
  }

  @Test("7.10 entries and exits are reported as registered, states always")
  func notify() {
    var stand = Stand()
    let manager = stand.manager()
    var region = Self.region("a")
    region.notifiesOnExit = false
    stand.core.startMonitoring(region, for: manager)
    stand.fix(0, east: 0)
    #expect(walk(&stand, from: 10, to: 400, at: 1) == ["outside a"])
    #expect(walk(&stand, from: 390, to: 0, at: 60) == ["inside a", "entered a"])
  }

  @Test("7.13 a region is accepted without permission and works when it is given")
  func permission() {
    var stand = Stand(Authorization(.notDetermined))
    let manager = stand.manager()
    stand.core.startMonitoring(Self.region("a"), for: manager)
    #expect(stand.core.takeNotices().words == ["monitoring a"])
    #expect(!stand.core.needsSource)
    #expect(stand.fix(0, east: 0).isEmpty)
    stand.core.change(Authorization(.whenInUse))
    #expect(stand.core.needsSource)
    #expect(stand.core.takeNotices().words == ["authorization"])
    #expect(stand.fix(1, east: 0).words == ["inside a"])
  }

  @Test(
    "7.13 while permission is denied a region fails and does not start, and works when it is given")
  func denied() {
    for status in [Authorization.Status.denied, .restricted] {
      var stand = Stand(Authorization(status))
      let manager = stand.manager()
      stand.core.startMonitoring(Self.region("a"), for: manager)
      #expect(
        stand.core.takeNotices().words == ["not monitoring a: regionMonitoringDenied"])
      stand.core.change(Authorization(.always))
      #expect(stand.core.takeNotices().words == ["authorization"])
      #expect(stand.fix(1, east: 0).words == ["inside a"])
    }
  }

  @Test("7.13 12.3 with reduced accuracy nothing is reported")
  func reduced() {
    var stand = Stand(Authorization(.always, .reduced))
    let manager = stand.manager()
    stand.core.startMonitoring(Self.region("a"), for: manager)
    _ = stand.core.takeNotices()
    #expect(walk(&stand, from: 0, to: 1_000, at: 0).isEmpty)
    stand.core.requestState(Self.region("a"), for: manager)
    #expect(stand.core.takeNotices().words == ["unknown a"])
  }

  @Test("a passage between two fixes is reported as entry and exit")
  func passage() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startMonitoring(Self.region("a"), for: manager)
    // 30 m/s, a fix every 10 s: 150 m before the centre, and 150 m behind it.
    var words: [String] = []
    for step in -5...5 {
      words += stand.fix(100 + Double(step) * 10, east: Double(step) * 300 - 150).words
    }
    #expect(
      words == ["monitoring a", "outside a", "inside a", "entered a", "outside a", "exited a"])
  }

  @Test("7.3 regions and where the device is last from launch to launch")
  func resumed() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startMonitoring(Self.region("a"), for: manager)
    for second in 0..<10 { stand.fix(Double(second), east: 0) }
    var next = Stand()
    next.core.resume(stand.core.registrations, stand.core.checkpoint)
    #expect(next.core.monitoredRegions == [Self.region("a")])
    let heir = next.manager()
    next.core.requestState(Self.region("a"), for: heir)
    #expect(next.core.takeNotices().words == ["inside a"])
    #expect(next.fix(60, east: 5).isEmpty)
    #expect(walk(&next, from: 10, to: 400, at: 61) == ["outside a", "exited a"])
  }

  @Test("7.9 without the engine of then the state is unknown and no exit is made up")
  func reboot() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startMonitoring(Self.region("a"), for: manager)
    stand.fix(0, east: 0)
    var next = Stand()
    next.core.resume(stand.core.registrations, nil)
    _ = next.manager()
    #expect(next.fix(3_600, east: 5_000).words == ["outside a"])
  }

  @Test("stopping ends a region from any manager and withdraws queued notices")
  func stop() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startMonitoring(Self.region("a"), for: manager)
    _ = stand.core.takeNotices()
    stand.core.ingest(Stand.fix(0, east: 0), from: .simulation)
    stand.core.stopMonitoring("a")
    #expect(stand.core.takeNotices().isEmpty && stand.core.monitoredRegions.isEmpty)
    #expect(!stand.core.needsSource)
  }
}
