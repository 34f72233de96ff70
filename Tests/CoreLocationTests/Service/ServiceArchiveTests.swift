import Geodesy
import Locking
import Services
import Testing
import Tracking

@testable import CoreLocation

@Suite("What lasts between launches")
struct ServiceArchiveTests {
  private func withFolder(_ body: (LocationService.Configuration, String) throws -> Void) rethrows {
    let folder = NSTemporaryDirectory() + "waymark-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var configuration = LocationService.Configuration()
    configuration.stateFolder = folder
    configuration.log = { Issue.record("\($0)") }
    try body(configuration, folder)
  }

  @Test("7.3 AT-42 regions and the position last: no second entry, but the exit")
  func regions() {
    withFolder { configuration, _ in
      LocationService.isolated(configuration) { service in
        let it = LoggedManager()
        it.manager.startMonitoring(for: Trip.circle("depot"))
        service.play(Trip.walk(from: 200, to: 0, start: 0))
        #expect(it.log.lines.last == "enter depot")
      }
      LocationService.isolated(configuration) { service in
        let it = LoggedManager()
        #expect(it.manager.monitoredRegions == [Trip.circle("depot")])
        service.play(Trip.stay(0, start: 200, seconds: 20))
        service.play(Trip.walk(from: 0, to: 200, start: 230))
        #expect(it.log.regionLines == ["state outside depot", "exit depot"])
        it.manager.stopMonitoring(for: Trip.circle("depot"))
      }
      LocationService.isolated(configuration) { _ in
        #expect(CLLocationManager().monitoredRegions.isEmpty)
      }
    }
  }

  @Test("3.3 the last location is known after a relaunch, with its time")
  func lastLocation() {
    withFolder { configuration, _ in
      LocationService.isolated(configuration) { service in
        service.play(Trip.walk(from: 0, to: 200, start: 0))
      }
      LocationService.isolated(configuration) { _ in
        let location = CLLocationManager().location
        let age = location.map { $0.timestamp.timeIntervalSince(Trip.start) } ?? -1
        #expect(age >= 60, "kept once a minute of engine time")
      }
    }
  }

  @Test("6.1 visits continue after a relaunch")
  func visits() {
    withFolder { configuration, _ in
      LocationService.isolated(configuration) { _ in CLLocationManager().startMonitoringVisits() }
      LocationService.isolated(configuration) { service in
        let it = LoggedManager()
        service.play(Trip.walk(from: 3_000, to: 0, start: 0, speed: 10))
        service.play(Trip.stay(0, start: 301, seconds: 1_500, interval: 5))
        #expect(it.log.lines.last == "arrival")
      }
    }
  }

  @Test(
    "11 a permission that code sets lasts", arguments: [CLAuthorizationStatus.denied, .restricted])
  func setStatus(status: CLAuthorizationStatus) {
    withFolder { configuration, _ in
      var configuration = configuration
      configuration.permission = .allow
      LocationService.isolated(configuration) { service in
        service.authorizationStatus = status
        service.accuracyAuthorization = .reducedAccuracy
      }
      LocationService.isolated(configuration) { service in
        #expect(service.authorizationStatus == status)
        #expect(service.accuracyAuthorization == .reducedAccuracy)
      }
    }
  }

  @Test("11 the user's decision lasts")
  func permission() {
    withFolder { configuration, _ in
      var configuration = configuration
      configuration.permission = .allow
      LocationService.isolated(configuration) { service in
        CLLocationManager().requestWhenInUseAuthorization()
        #expect(service.authorizationStatus == .authorizedWhenInUse)
      }
      LocationService.isolated(configuration) { service in
        #expect(service.authorizationStatus == .authorizedWhenInUse)
      }
    }
  }

  @Test("AT-30 the first manager with a delegate gets the events found meanwhile, once")
  func pending() {
    withFolder { configuration, path in
      // The folder is as a launcher leaves it.
      let folder = ServiceFolder(path, log: { Issue.record("\($0)") })
      let depot = Region(
        identifier: "depot", center: .init(latitude: 52.5, longitude: 13.4), radius: 30)
      var report = Location(Fix(Trip.fix(500, east: 0)), from: .receiver)
      report.cellRadius = nil
      LocationService.isolated(configuration) { _ in
        CLLocationManager().startMonitoringSignificantLocationChanges()
      }
      folder.add([.significantChange(report), .state(.inside, depot), .entered(depot)])
      LocationService.isolated(configuration) { service in
        let silent = CLLocationManager()
        service.settle()
        #expect(silent.delegate == nil)
        #expect(folder.hasPending, "nobody has been told")
        let it = LoggedManager()
        #expect(it.log.lines == [])
        service.settle()
        #expect(
          it.log.lines == [
            "permission authorizedAlways 0", "locations 1", "state inside depot", "enter depot",
          ])
        #expect(it.log.locations.first?.timestamp == Trip.start + 500)
        #expect(!folder.hasPending)
        let late = LoggedManager()
        service.settle()
        #expect(late.log.lines == ["permission authorizedAlways 0"])
      }
    }
  }
}
