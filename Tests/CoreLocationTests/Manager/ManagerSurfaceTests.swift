import CoreLocation
import Delivering
import Locking
import Testing

@Suite("Properties of a manager")
struct ManagerSurfaceTests {
  @Test("14.11 defaults")
  func defaults() {
    LocationService.isolated { _ in
      let manager = CLLocationManager()
      #expect(manager.delegate == nil)
      #expect(manager.activityType == .other)
      #expect(manager.distanceFilter == kCLDistanceFilterNone)
      #expect(manager.desiredAccuracy == kCLLocationAccuracyBest)
      #expect(manager.pausesLocationUpdatesAutomatically)
      #expect(!manager.allowsBackgroundLocationUpdates)
      #expect(!manager.showsBackgroundLocationIndicator)
      #expect(manager.headingFilter == 1)
      #expect(manager.headingOrientation == .portrait)
      #expect(manager.heading == nil)
      #expect(manager.monitoredRegions.isEmpty)
    }
  }

  @Test("settings are stored")
  func settings() {
    LocationService.isolated { _ in
      let (manager, other) = (CLLocationManager(), CLLocationManager())
      manager.activityType = .fitness
      manager.distanceFilter = 12
      manager.desiredAccuracy = kCLLocationAccuracyKilometer
      manager.pausesLocationUpdatesAutomatically = false
      manager.allowsBackgroundLocationUpdates = true
      manager.showsBackgroundLocationIndicator = true
      manager.headingFilter = 5
      manager.headingOrientation = .faceUp
      #expect(manager.activityType == .fitness)
      #expect(manager.distanceFilter == 12)
      #expect(manager.desiredAccuracy == 1_000)
      #expect(!manager.pausesLocationUpdatesAutomatically)
      #expect(manager.allowsBackgroundLocationUpdates)
      #expect(manager.showsBackgroundLocationIndicator)
      #expect(manager.headingFilter == 5)
      #expect(manager.headingOrientation == .faceUp)
      #expect(other.activityType == .other && other.distanceFilter == -1)
    }
  }

  @Test("16 AT-36 available and unavailable services")
  func availability() {
    LocationService.isolated { service in
      #expect(CLLocationManager.locationServicesEnabled())
      #expect(CLLocationManager.headingAvailable(), "a recording with headings may be replayed")
      #expect(CLLocationManager.significantLocationChangeMonitoringAvailable())
      #expect(CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
      #expect(!CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self))
      #expect(!CLLocationManager.isMonitoringAvailable(for: CLRegion.self))
      #expect(!CLLocationManager.isRangingAvailable())
      #expect(!CLLocationManager.deferredLocationUpdatesAvailable())
      #expect(CLLocationManager.authorizationStatus() == .authorizedAlways)
      service.isEnabled = false
      #expect(!CLLocationManager.locationServicesEnabled())
      #expect(CLLocationManager.authorizationStatus() == .denied)
      service.isEnabled = true
      #expect(CLLocationManager.authorizationStatus() == .authorizedAlways)
    }
  }

  @Test("16 there are no pushes here; the log says so once")
  func hardware() {
    let lines = Mutex<[String]>([])
    var configuration = LocationService.Configuration()
    configuration.log = { line in lines.withLock { $0.append(line) } }
    LocationService.isolated(configuration) { service in
      let it = LoggedManager()
      var error: (any Error)?
      it.manager.startMonitoringLocationPushes()
      it.manager.startMonitoringLocationPushes { token, failure in
        #expect(token == nil)
        error = failure
      }
      #expect(error == nil, "not from within the call")
      it.manager.stopMonitoringLocationPushes()
      service.settle()
      #expect(it.log.lines == ["permission authorizedAlways 0"])
      #expect((error as? CLLocationPushServiceError)?.code == .unsupportedPlatform)
    }
    ServiceLog.drain()
    #expect(lines.withLock(\.self) == ["location pushes are unavailable on Linux"])
  }

  @Test("locations of the past are evenly spread, oldest first")
  func history() {
    LocationService.isolated { service in
      let manager = CLLocationManager()
      var answers: [([CLLocation], (any Error)?)] = []
      service.play(Trip.walk(from: 0, to: 140, start: 0))
      manager.requestHistoricalLocations(purposeKey: "trip", sampleCount: 5) {
        answers.append(($0, $1))
      }
      manager.requestHistoricalLocations(purposeKey: "trip", sampleCount: 0) {
        answers.append(($0, $1))
      }
      #expect(answers.isEmpty)
      service.authorizationStatus = .denied
      manager.requestHistoricalLocations(purposeKey: "trip", sampleCount: 5) {
        answers.append(($0, $1))
      }
      service.settle()
      #expect(answers.count == 3)
      #expect(answers[0].0.count == 5 && answers[0].1 == nil)
      #expect(answers[0].0.map(\.timestamp) == answers[0].0.map(\.timestamp).sorted())
      #expect((answers[1].1 as? CLError)?.code == .historicalLocationError)
      #expect((answers[2].1 as? CLError)?.code == .denied)
    }
  }
}
