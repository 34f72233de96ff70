import CoreLocation
import Delivering
import Locking
import Testing

@Suite("Standard updates of a manager")
struct ManagerStandardTests {
  @Test("2.1 a new manager reports the current permission once, without a request")
  func initialPermission() {
    LocationService.isolated { service in
      let it = LoggedManager()
      #expect(it.log.lines == [], "nothing is told while it is being made")
      service.settle()
      service.settle()
      #expect(it.log.lines == ["permission authorizedAlways 0"])
    }
  }

  @Test("2.1 a delegate that is set too late misses the first report")
  func lateDelegate() {
    LocationService.isolated { service in
      let (manager, log) = (CLLocationManager(), ManagerLog())
      service.settle()
      manager.delegate = log
      service.settle()
      #expect(log.lines == [])
    }
  }

  @Test("2.2 every manager reports each change, and nothing without a change")
  func permissionChanges() {
    LocationService.isolated { service in
      let managers = [LoggedManager(), LoggedManager()]
      service.settle()
      managers.forEach { $0.log.clear() }
      service.authorizationStatus = .authorizedWhenInUse
      service.authorizationStatus = .authorizedWhenInUse
      service.accuracyAuthorization = .reducedAccuracy
      service.settle()
      for it in managers {
        #expect(it.log.lines.count == 2, "one for the status, one for the accuracy")
        #expect(it.log.lines.last == "permission authorizedWhenInUse 1")
      }
    }
  }

  @Test("2.3 the older method is called if the new one is not implemented")
  func olderMethod() {
    final class Old: NSObject, CLLocationManagerDelegate {
      var told: [CLAuthorizationStatus] = []
      func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
      ) { told.append(status) }
    }
    LocationService.isolated { service in
      let (manager, old) = (CLLocationManager(), Old())
      manager.delegate = old
      service.settle()
      service.authorizationStatus = .denied
      service.settle()
      #expect(old.told == [.authorizedAlways, .denied])
    }
  }

  @Test("2.4 locations that come together are delivered together, oldest first")
  func batch() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.startUpdatingLocation()
      service.deliver([
        Trip.fix(0, east: 0), Trip.fix(1, east: 2), Trip.fix(2, east: 4),
      ])
      #expect(it.log.batches.map(\.count) == [3])
      #expect(it.log.locations.map(\.timestamp) == it.log.locations.map(\.timestamp).sorted())
      #expect(it.log.locations.last?.timestamp == Trip.start.addingTimeInterval(2))
    }
  }

  @Test("3.1 starting twice adds nothing, stopping and starting reports the last location again")
  func startTwice() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.startUpdatingLocation()
      it.manager.startUpdatingLocation()
      service.play([Trip.fix(0, east: 0)])
      #expect(it.log.batches.count == 1)
      it.manager.startUpdatingLocation()
      service.settle()
      #expect(it.log.batches.count == 1)
      it.manager.stopUpdatingLocation()
      it.manager.startUpdatingLocation()
      service.settle()
      #expect(it.log.batches.count == 2)
    }
  }

  @Test("3.1 nothing is delivered within the call that starts")
  func startReturnsAtOnce() {
    LocationService.isolated { service in
      let it = LoggedManager()
      service.deliver([Trip.fix(0, east: 0)])
      it.log.clear()
      it.manager.startUpdatingLocation()
      #expect(it.log.lines == [])
      service.settle()
      #expect(it.log.lines == ["locations 1"])
    }
  }

  @Test("3.2 the last known location comes first, with its own time")
  func cachedFirst() {
    LocationService.isolated { service in
      service.deliver([Trip.fix(0, east: 0)])
      let it = LoggedManager()
      it.manager.startUpdatingLocation()
      service.deliver([Trip.fix(60, east: 100)])
      #expect(
        it.log.locations.map(\.timestamp) == [Trip.start, Trip.start.addingTimeInterval(60)])
    }
  }

  @Test("3.3 location is nil before any fix, then the last one, without a service started")
  func location() {
    LocationService.isolated { service in
      let manager = CLLocationManager()
      #expect(manager.location == nil)
      service.deliver([Trip.fix(0, east: 0), Trip.fix(1, east: 2)])
      #expect(manager.location?.timestamp == Trip.start.addingTimeInterval(1))
      service.authorizationStatus = .denied
      #expect(manager.location == nil)
    }
  }

  @Test("3.4 a distance filter counts from the last reported location")
  func distanceFilter() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.distanceFilter = 50
      it.manager.startUpdatingLocation()
      service.play(Trip.walk(from: 0, to: 200, start: 0, speed: 1))
      let gaps = zip(it.log.locations.dropFirst(), it.log.locations).map { $0.distance(from: $1) }
      #expect(gaps.count == 3 || gaps.count == 4)
      #expect(gaps.allSatisfy { $0 >= 49.9 && $0 <= 52 }, "\(gaps)")
    }
  }

  @Test("3.5 a desired accuracy is not a filter: worse and better locations are reported too")
  func desiredAccuracy() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.desiredAccuracy = 10
      it.manager.startUpdatingLocation()
      service.play([
        Trip.fix(0, east: 0, accuracy: 50), Trip.fix(1, east: 1, accuracy: 10),
        Trip.fix(2, east: 2, accuracy: 3),
      ])
      #expect(it.log.locations.map(\.horizontalAccuracy) == [50, 10, 3])
    }
  }

  @Test("3.4 a much more accurate fix passes the filter")
  func betterFix() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.distanceFilter = 500
      it.manager.startUpdatingLocation()
      service.play([Trip.fix(0, east: 0, accuracy: 100), Trip.fix(1, east: 5, accuracy: 20)])
      #expect(it.log.locations.map(\.horizontalAccuracy) == [100, 20])
    }
  }

  @Test("3.6 denied ends the updates, and nothing follows")
  func denied() {
    LocationService.isolated(.init(permission: .deny)) { service in
      let it = LoggedManager()
      it.manager.startUpdatingLocation()
      service.play(Trip.walk(from: 0, to: 20, start: 0))
      #expect(it.log.lines == ["permission denied 0", "failed 1"])
      #expect(it.log.errors.first as? CLError == CLError(.denied))
    }
  }

  @Test("3.8 updates pause while the device rests, and resume only when started again")
  func pause() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.startUpdatingLocation()
      service.play(Trip.stay(0, start: 0, seconds: 1_200, interval: 10))
      #expect(it.log.lines.filter { $0 == "paused" }.count == 1)
      let told = it.log.batches.count
      service.play(Trip.walk(from: 0, to: 500, start: 1_300))
      #expect(it.log.batches.count == told)
      it.manager.startUpdatingLocation()
      service.settle()
      #expect(it.log.lines.last == "locations 1")
      #expect(it.log.lines.contains("resumed"))
      #expect(it.log.batches.count == told + 1)
    }
  }

  @Test("3.8 the first pause of a service is one line in the log")
  func pauseLine() {
    let lines = Mutex<[String]>([])
    var configuration = LocationService.Configuration()
    configuration.log = { line in lines.withLock { $0.append(line) } }
    LocationService.isolated(configuration) { service in
      let managers = [LoggedManager(), LoggedManager()]
      for it in managers { it.manager.startUpdatingLocation() }
      service.play(Trip.stay(0, start: 0, seconds: 1_200, interval: 10))
      #expect(managers.allSatisfy { $0.log.lines.contains("paused") })
    }
    ServiceLog.drain()
    #expect(lines.withLock { $0.count } == 1)
    #expect(lines.withLock { $0.first?.contains("startUpdatingLocation() again") } == true)
  }

  @Test("3.8 a manager that does not allow it is not paused")
  func noPause() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.pausesLocationUpdatesAutomatically = false
      it.manager.startUpdatingLocation()
      service.play(Trip.stay(0, start: 0, seconds: 1_200, interval: 10))
      #expect(!it.log.lines.contains("paused"))
      #expect(it.log.locations.count == 121)
    }
  }

  @Test(
    "AT-13 after stop returns no location of standard updates is delivered, not even a pending one")
  func stop() {
    LocationService.isolated { service in
      let (first, second) = (LoggedManager(), LoggedManager())
      first.manager.startUpdatingLocation()
      second.manager.startUpdatingLocation()
      first.log.react = { _, line in
        if line.hasPrefix("locations") { second.manager.stopUpdatingLocation() }
      }
      service.play(Trip.walk(from: 0, to: 20, start: 0))
      #expect(first.log.locations.count > 10)
      #expect(second.log.batches.isEmpty, "it was stopped before its turn came")
    }
  }
}
