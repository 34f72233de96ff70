import Services
import TestSupport
import Testing
import Tracking

@testable import ChapterSwift6
@testable import CoreLocation

@Suite("The chapter: significant changes, visits, the background")
struct EconomyTests {
  @Test("AT-21 where significant changes are not to be had nothing starts, in silence")
  func unavailable() throws {
    try LocationService.isolated { service in
      let helper = Helper(PlainManager())
      var calls = 0
      helper.monitorSignificantChanges { _ in calls += 1 }
      #expect(!helper.isTrackingSignificantLocationChanges)
      #expect(!service.read(\.isSourceNeeded))
      try Recording.drive.play(service)
      #expect(calls == 0)
      #expect(CLLocationManager.significantLocationChangeMonitoringAvailable())
    }
  }

  @Test("AT-22 AT-23 a drive: every significant change is delivered, far fewer than fixes")
  func drive() throws {
    try LocationService.isolated { service in
      let (helper, diary) = (Helper(), Diary())
      var changes: [CLLocation] = []
      helper.monitorSignificantChanges { changes.append($0) }
      diary.manager.startUpdatingLocation()
      diary.manager.startMonitoringVisits()
      try Recording.drive.play(service)
      // 20 km in 30 min with 5 min between two: at 0.5 km, and then every 5 min.
      #expect((6...8).contains(changes.count), "\(changes.count)")
      #expect(helper.trackedLocations.count == changes.count)
      #expect(diary.visits.count <= changes.count)
      #expect(changes.count * 100 < diary.batches.count)
      #expect(diary.locations.count == Recording.drive.points.count)
      for (before, after) in zip(changes, changes.dropFirst()) {
        #expect(after.distance(from: before) > 450)
        #expect(after.timestamp.timeIntervalSince(before.timestamp) > 0)
      }
    }
  }

  @Test("AT-22 distance and interval of significant changes are 500 m and 5 min, and can be set")
  func rules() throws {
    let rules = Profile.precise.significantChanges
    #expect(rules.distance == 500)
    #expect(rules.interval == 300)
    var profile = Profile.precise
    profile.significantChanges.distance = 1_000
    profile.significantChanges.interval = 0
    var core = ServiceCore(profile: profile, grant: Authorization(.always))
    let client = core.add(.manager)
    core.startSignificantChanges(client)
    for point in Recording.drive.points {
      core.ingest(
        Fix(
          CLLocation(
            coordinate: point.coordinate, altitude: 0, horizontalAccuracy: point.accuracy,
            verticalAccuracy: -1, timestamp: point.time)), from: .simulation)
    }
    let changes = core.takeNotices().count { addressed in
      guard case .locations = addressed.notice else { return false }
      return true
    }
    #expect((18...21).contains(changes), "\(changes)")
  }

  @Test("AT-24 starting twice delivers nothing twice")
  func twice() throws {
    func count(starts: Int) throws -> Int {
      try LocationService.isolated { service in
        let helper = Helper()
        var changes = 0
        for _ in 0..<starts { helper.monitorSignificantChanges { _ in changes += 1 } }
        try Recording.drive.play(service)
        return changes
      }
    }
    let once = try count(starts: 1)
    #expect(once > 0)
    #expect(try count(starts: 2) == once)
  }

  @Test("AT-25 to stop standard updates leaves significant changes alone")
  func standardStops() throws {
    try LocationService.isolated { service in
      let helper = Helper()
      var changes = 0
      helper.monitorSignificantChanges { _ in changes += 1 }
      helper.locationManager.startUpdatingLocation()
      try Recording.one.play(service)
      #expect(changes > 0)
      helper.locationManager.stopUpdatingLocation()
      changes = 0
      try Recording.drive.play(service)
      #expect((6...8).contains(changes), "\(changes)")
      #expect(service.read(\.isSourceNeeded))
      helper.locationManager.stopMonitoringSignificantLocationChanges()
      changes = 0
      try Recording.drive.play(service)
      #expect(changes == 0)
      #expect(!service.read(\.isSourceNeeded))
    }
  }

  @Test("AT-26 while significant changes are followed the helper stops no standard updates")
  func standardGoesOn() throws {
    try LocationService.isolated { service in
      let helper = Helper()
      var (found, changes) = (0, 0)
      helper.getLatestLocation { _ in found += 1 }
      helper.monitorSignificantChanges { _ in changes += 1 }
      try Recording.walk30.play(service)
      #expect(found == 1)
      // Its weakness: the handler is given ordinary fixes too.
      #expect(changes >= Recording.walk30.points.count)
      #expect(service.read(\.isSourceNeeded))
    }
  }

  @Test(
    "AT-27 a stay: one arrival and one departure", arguments: UInt64(1)...5,
    Recording.Noise.allCases)
  func stay(seed: UInt64, noise: Recording.Noise) throws {
    try LocationService.isolated { service in
      let diary = Diary()
      diary.manager.startMonitoringVisits()
      try Recording.stay(seed: seed, noise).play(service)
      #expect(diary.lines == ["permission authorizedAlways", "arrival", "departure"])
      let visit = try #require(diary.visits.last)
      let place = CLLocation(
        latitude: visit.coordinate.latitude, longitude: visit.coordinate.longitude)
      let truth = Recording.coordinate(east: 2_000)
      #expect(
        place.distance(from: CLLocation(latitude: truth.latitude, longitude: truth.longitude)) < 50)
      #expect(abs(visit.arrivalDate.timeIntervalSince(Recording.start + 200)) < 60)
      #expect(abs(visit.departureDate.timeIntervalSince(Recording.start + 1_700)) < 60)
    }
  }

  @Test("AT-27 a drive has no visit")
  func noStay() throws {
    try LocationService.isolated { service in
      let diary = Diary()
      diary.manager.startMonitoringVisits()
      try Recording.drive.play(service)
      #expect(diary.visits.isEmpty)
    }
  }

  @Test("AT-29 in the background significant changes need allowsBackgroundLocationUpdates")
  func background() throws {
    try LocationService.isolated { service in
      let helper = Helper()
      var changes = 0
      helper.monitorSignificantChanges { _ in changes += 1 }
      helper.locationManager.allowsBackgroundLocationUpdates = false
      service.isInBackground = true
      try Recording.drive.play(service)
      #expect(changes == 0)
      #expect(service.statistics.withheld > 0)
      helper.locationManager.allowsBackgroundLocationUpdates = true
      try Recording.drive.play(service)
      #expect(changes >= 6)
    }
  }
}
