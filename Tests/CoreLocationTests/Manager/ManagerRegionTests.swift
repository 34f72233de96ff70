import CoreLocation
import Delivering
import Testing

@Suite("Regions of managers")
struct ManagerRegionTests {
  /// From the centre out and back twice.
  private let walk =
    Trip.stay(0, start: 0, seconds: 30) + Trip.walk(from: 0, to: 120, start: 31)
    + Trip.walk(from: 120, to: 0, start: 200) + Trip.walk(from: 0, to: 120, start: 400)
    + Trip.walk(from: 120, to: 0, start: 600)

  @Test("7.7 inside at first: the state is reported, no entry; then every crossing in order")
  func crossings() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.startMonitoring(for: Trip.circle("depot"))
      service.play(walk)
      #expect(
        it.log.regionLines == [
          "start depot", "state inside depot", "state outside depot", "exit depot",
          "state inside depot", "enter depot", "state outside depot", "exit depot",
          "state inside depot", "enter depot",
        ])
    }
  }

  @Test("2.5 every manager with a delegate gets a region, whichever registered it")
  func everyManager() {
    LocationService.isolated { service in
      let (registrar, other, silent) = (LoggedManager(), LoggedManager(), CLLocationManager())
      registrar.manager.startMonitoring(for: Trip.circle("depot"))
      service.play(walk)
      let events = registrar.log.regionLines.filter { !$0.hasPrefix("start") }
      #expect(events.count == 9)
      #expect(other.log.regionLines == events, "only the one that registered hears of that")
      #expect(silent.monitoredRegions.count == 1)
    }
  }

  @Test("2.5 AT-37 the reported region is a circle equal in centre, radius and identifier")
  func rebuilt() throws {
    try LocationService.isolated { service in
      let it = LoggedManager()
      let depot = Trip.circle("depot", radius: 45)
      it.manager.startMonitoring(for: depot as CLRegion)
      service.play(walk)
      let told = try #require(it.log.regions.last as? CLCircularRegion)
      #expect(told !== depot)
      #expect(told == depot)
      #expect(told.radius == 45)
      #expect(told.center.longitude == depot.center.longitude)
    }
  }

  @Test("7.1 the profile apple allows 20 regions, one more is rejected")
  func limit() {
    var configuration = LocationService.Configuration()
    configuration.profile = .apple
    LocationService.isolated(configuration) { service in
      let it = LoggedManager()
      for number in 1...21 { it.manager.startMonitoring(for: Trip.circle("r\(number)")) }
      service.settle()
      #expect(it.manager.monitoredRegions.count == 20)
      #expect(it.log.lines.last == "refused r21 5")
      it.manager.startMonitoring(for: Trip.circle("r20", radius: 60))
      service.settle()
      #expect(it.log.lines.last == "start r20", "a replacement needs no room")
    }
  }

  @Test("7.2 AT-34 a region with the same identifier replaces the old one, without an exit")
  func replaced() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.startMonitoring(for: Trip.circle("depot"))
      service.play(Trip.stay(0, start: 0, seconds: 30))
      it.log.clear()
      it.manager.startMonitoring(for: Trip.circle("depot", east: 1_000))
      service.play(Trip.walk(from: 0, to: 1_000, start: 40, speed: 10))
      #expect(it.manager.monitoredRegions.count == 1)
      #expect(
        it.log.regionLines == [
          "start depot", "state outside depot", "state inside depot", "enter depot",
        ])
    }
  }

  @Test("7.4 invalid regions are rejected")
  func refused() {
    LocationService.isolated { service in
      let it = LoggedManager()
      let far = CLLocationCoordinate2D(latitude: 91, longitude: 0)
      let limit = it.manager.maximumRegionMonitoringDistance
      it.manager.startMonitoring(for: Trip.circle("large", radius: limit * 1.01))
      it.manager.startMonitoring(for: Trip.circle("empty", radius: 0))
      it.manager.startMonitoring(for: Trip.circle("nan", radius: .nan))
      it.manager.startMonitoring(
        for: CLCircularRegion(center: far, radius: 10, identifier: "far"))
      service.settle()
      #expect(
        it.log.regionLines == [
          "refused large 5", "refused empty 5", "refused nan 5", "refused far 5",
        ]
      )
      #expect(it.manager.monitoredRegions.isEmpty)
    }
  }

  @Test("7.8 7.14 requestState is answered later, with the known state")
  func requestState() {
    LocationService.isolated { service in
      let it = LoggedManager()
      let depot = Trip.circle("depot")
      it.manager.startMonitoring(for: depot)
      it.manager.requestState(for: depot)
      service.settle()
      #expect(it.log.regionLines == ["start depot", "state unknown depot"])
      service.play(Trip.stay(0, start: 0, seconds: 30))
      it.log.clear()
      it.manager.requestState(for: depot)
      #expect(it.log.lines == [])
      service.settle()
      #expect(it.log.lines == ["state inside depot"])
    }
  }

  @Test("7.10 only crossings enabled at registration are reported", arguments: [true, false])
  func notify(onEntry: Bool) {
    LocationService.isolated { service in
      let it = LoggedManager()
      let depot = Trip.circle("depot")
      depot.notifyOnEntry = onEntry
      depot.notifyOnExit = !onEntry
      it.manager.startMonitoring(for: depot)
      depot.notifyOnEntry = true
      depot.notifyOnExit = true
      service.play(walk)
      let told = it.log.lines.filter { $0.hasPrefix("enter") || $0.hasPrefix("exit") }
      #expect(told == Array(repeating: onEntry ? "enter depot" : "exit depot", count: 2))
    }
  }

  @Test("7.13 a region registered without permission works when it is granted")
  func granted() {
    LocationService.isolated(.init(permission: .allow)) { service in
      let it = LoggedManager()
      it.manager.startMonitoring(for: Trip.circle("depot"))
      service.play(Trip.stay(0, start: 0, seconds: 30))
      #expect(it.log.regionLines == ["start depot"])
      it.manager.requestAlwaysAuthorization()
      service.play(Trip.stay(0, start: 40, seconds: 30))
      #expect(it.log.lines.suffix(2) == ["permission authorizedAlways 0", "state inside depot"])
    }
  }

  @Test("stopping a region from within a callback drops its pending notices")
  func stopWithin() {
    LocationService.isolated { service in
      let (first, second) = (LoggedManager(), LoggedManager())
      first.manager.startMonitoring(for: Trip.circle("depot"))
      first.log.react = { manager, line in
        if line.hasPrefix("state inside") { manager.stopMonitoring(for: Trip.circle("depot")) }
      }
      service.play(walk)
      #expect(first.log.regionLines == ["start depot", "state inside depot"])
      #expect(second.log.regionLines == [])
      #expect(second.manager.monitoredRegions == [])
    }
  }

  @Test("16 beacons and plain regions are rejected by every method; the log says so once")
  func beacons() {
    let lines = Log()
    var configuration = LocationService.Configuration()
    configuration.log = { lines.add($0) }
    LocationService.isolated(configuration) { service in
      let it = LoggedManager()
      let uuid = UUID()
      let beacons = CLBeaconRegion(uuid: uuid, identifier: "beacons")
      it.manager.startMonitoring(for: beacons)
      it.manager.requestState(for: beacons)
      it.manager.startRangingBeacons(in: beacons)
      it.manager.startRangingBeacons(
        satisfying: CLBeaconIdentityConstraint(uuid: uuid, major: 7))
      it.manager.startMonitoring(for: CLRegion())
      it.manager.stopRangingBeacons(in: beacons)
      it.manager.stopMonitoring(for: beacons)
      #expect(it.log.lines == [])
      service.settle()
      #expect(
        it.log.lines == [
          "permission authorizedAlways 0", "refused beacons 5", "state unknown beacons",
          "no beacons of beacons", "no beacons like 7", "refused  5",
        ])
      #expect(it.log.errors[1] as? CLError == CLError(.rangingUnavailable))
      #expect(it.manager.rangedRegions.isEmpty && it.manager.rangedBeaconConstraints.isEmpty)
    }
    ServiceLog.drain()
    #expect(
      lines.lines == [
        "beacons are unavailable: there is no radio for them",
        "a region that is not a circle cannot be monitored; use CLCircularRegion",
      ])
  }
}
