import CoreLocation
import Testing

@Suite("Significant changes, visits, deferral and coarse places of managers")
struct ManagerServicesTests {
  /// Twenty kilometres in half an hour.
  private let drive = Trip.walk(from: 0, to: 20_000, start: 0, speed: 11)

  @Test("5.1 the last known location comes first, a second start adds nothing")
  func significantFirst() {
    LocationService.isolated { service in
      service.play([Trip.fix(0, east: 0)])
      let it = LoggedManager()
      it.manager.startMonitoringSignificantLocationChanges()
      it.manager.startMonitoringSignificantLocationChanges()
      service.settle()
      #expect(it.log.locations.map(\.timestamp) == [Trip.start])
    }
  }

  @Test(
    "5.2 AT-22 in the profile apple changes are 500 m and 300 s apart, and far fewer than fixes")
  func significantApple() {
    var configuration = LocationService.Configuration()
    configuration.profile = .apple
    LocationService.isolated(configuration) { service in
      let it = LoggedManager()
      it.manager.distanceFilter = 1
      it.manager.startMonitoringSignificantLocationChanges()
      service.play(drive)
      let pairs = Array(zip(it.log.locations.dropFirst(), it.log.locations))
      #expect(pairs.count >= 4 && pairs.count <= 7, "\(pairs.count)")
      #expect(pairs.allSatisfy { $0.distance(from: $1) >= 500 })
      #expect(pairs.allSatisfy { $0.timestamp.timeIntervalSince($1.timestamp) >= 300 })
    }
  }

  @Test("AT-25 stopping standard updates leaves significant changes on")
  func separateStops() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.startUpdatingLocation()
      it.manager.startMonitoringSignificantLocationChanges()
      service.play(Trip.walk(from: 0, to: 100, start: 0))
      it.manager.stopUpdatingLocation()
      it.log.clear()
      service.play(Trip.walk(from: 100, to: 15_000, start: 80, speed: 11))
      #expect(it.log.locations.count >= 3 && it.log.locations.count < 100)
      it.manager.stopMonitoringSignificantLocationChanges()
      it.log.clear()
      service.play(Trip.walk(from: 15_000, to: 30_000, start: 1_500, speed: 11))
      #expect(it.log.lines.isEmpty)
    }
  }

  @Test("6.1 6.2 AT-27 every manager gets a stay twice, a drive never")
  func visits() throws {
    try LocationService.isolated { service in
      let (starter, other) = (LoggedManager(), LoggedManager())
      starter.manager.startMonitoringVisits()
      service.play(Trip.walk(from: 0, to: 2_000, start: 0, speed: 10))
      service.play(Trip.stay(2_000, start: 201, seconds: 1_500, interval: 5))
      service.play(Trip.walk(from: 2_000, to: 8_000, start: 1_710, speed: 10))
      for log in [starter.log, other.log] {
        #expect(log.lines.dropFirst() == ["arrival", "departure"])
        let (arrival, departure) = (try #require(log.visits.first), try #require(log.visits.last))
        #expect(arrival.departureDate == .distantFuture)
        #expect(departure.arrivalDate == arrival.arrivalDate)
        #expect(abs(departure.departureDate.timeIntervalSince(Trip.start) - 1_710) < 180)
      }
    }
  }

  @Test("6.1 stopping visits on any manager stops them for all")
  func visitsStopped() {
    LocationService.isolated { service in
      let (starter, other) = (LoggedManager(), LoggedManager())
      starter.manager.startMonitoringVisits()
      other.manager.stopMonitoringVisits()
      service.play(Trip.stay(0, start: 0, seconds: 1_500, interval: 5))
      #expect(starter.log.visits.isEmpty && other.log.visits.isEmpty)
    }
  }

  @Test(
    "12.1 12.2 with reduced accuracy locations are those of a cell, at most every quarter of an hour"
  )
  func coarse() {
    LocationService.isolated { service in
      service.accuracyAuthorization = .reducedAccuracy
      let it = LoggedManager()
      it.manager.pausesLocationUpdatesAutomatically = false
      it.manager.startUpdatingLocation()
      service.play(Trip.walk(from: 0, to: 36_000, start: 0, speed: 10))
      #expect(it.log.locations.count >= 4 && it.log.locations.count <= 5)
      #expect(it.log.locations.allSatisfy { $0.horizontalAccuracy > 1_000 })
      let east = Trip.place(0).longitude
      #expect(it.log.locations.allSatisfy { $0.coordinate.longitude != east })
    }
  }

  @Test("12.3 with reduced accuracy no region is reported")
  func coarseRegions() {
    LocationService.isolated { service in
      service.accuracyAuthorization = .reducedAccuracy
      let it = LoggedManager()
      it.manager.startMonitoring(for: Trip.circle("depot", east: 500))
      service.play(Trip.walk(from: 0, to: 1_000, start: 0, speed: 5))
      #expect(it.log.regionLines == ["start depot"])
    }
  }

  @Test("12.4 a manager that requests reduced accuracy gets coarse locations, others exact ones")
  func asksCoarse() {
    LocationService.isolated { service in
      let (coarse, exact) = (LoggedManager(), LoggedManager())
      coarse.manager.desiredAccuracy = kCLLocationAccuracyReduced
      for it in [coarse, exact] { it.manager.startUpdatingLocation() }
      service.play(Trip.walk(from: 0, to: 50, start: 0))
      #expect(coarse.log.locations.map(\.horizontalAccuracy).allSatisfy { $0 > 1_000 })
      #expect(coarse.log.locations.count == 1)
      #expect(exact.log.locations.count > 30)
    }
  }

  @Test("15.1 a deferral that is not possible ends at once, with the reason")
  func deferralRefused() {
    LocationService.isolated { service in
      let it = LoggedManager()
      func allow() {
        it.manager.allowDeferredLocationUpdates(untilTraveled: 100, timeout: 60)
      }
      allow()
      it.manager.startUpdatingLocation()
      it.manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
      allow()
      it.manager.desiredAccuracy = kCLLocationAccuracyBest
      it.manager.distanceFilter = 10
      allow()
      service.settle()
      #expect(it.log.lines.dropFirst() == ["deferral 12", "deferral 13", "deferral 14"])
    }
  }

  @Test("15.2 each deferral ends once: when it is complete, or when another one replaces it")
  func deferralEnds() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.startUpdatingLocation()
      it.manager.allowDeferredLocationUpdates(
        untilTraveled: CLLocationDistanceMax, timeout: CLTimeIntervalMax)
      it.manager.allowDeferredLocationUpdates(untilTraveled: 50, timeout: CLTimeIntervalMax)
      service.play(Trip.walk(from: 0, to: 100, start: 0))
      #expect(it.log.lines.filter { $0.hasPrefix("deferral") } == ["deferral 15", "deferral done"])
      #expect(it.log.locations.count == 73, "in the foreground nothing is held back")
    }
  }

  @Test("15.2 in the background locations are deferred and delivered together")
  func deferralHolds() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.allowsBackgroundLocationUpdates = true
      it.manager.startUpdatingLocation()
      service.isInBackground = true
      it.manager.allowDeferredLocationUpdates(untilTraveled: CLLocationDistanceMax, timeout: 30)
      service.play(Trip.walk(from: 0, to: 40, start: 0, speed: 1))
      let batch = it.log.batches.first?.count ?? 0
      #expect(batch >= 30)
      #expect(it.log.lines.filter { $0.hasPrefix("deferral") } == ["deferral done"])
    }
  }
}
