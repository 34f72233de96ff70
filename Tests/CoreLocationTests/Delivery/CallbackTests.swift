import CoreLocation
import Testing

@Suite("Delegates that call back")
struct CallbackTests {
  @Test("a delegate may start, stop and replace services from within a callback")
  func callsBack() {
    LocationService.isolated { service in
      let it = LoggedManager()
      var others: [LoggedManager] = []
      it.log.react = { manager, line in
        guard line == "locations 1", others.count < 3 else { return }
        manager.stopUpdatingLocation()
        others.append(LoggedManager())
        others.last?.manager.startUpdatingLocation()
        manager.startMonitoring(for: Trip.circle("here", radius: 50))
        manager.startUpdatingLocation()
        service.settle()
      }
      it.manager.startUpdatingLocation()
      service.play(Trip.walk(from: 0, to: 20, start: 0))
      #expect(others.count == 3)
      #expect(it.manager.monitoredRegions.count == 1)
      #expect(others.allSatisfy { $0.log.lines.first == "permission authorizedAlways 0" })
      #expect(others.allSatisfy { !$0.log.batches.isEmpty })
    }
  }

  @Test("a delegate that replaces itself: the next notice goes to the new one")
  func replacesItself() {
    LocationService.isolated { service in
      let (it, next) = (LoggedManager(), ManagerLog())
      it.log.react = { manager, line in
        if line.hasPrefix("locations") { manager.delegate = next }
      }
      it.manager.startUpdatingLocation()
      service.play([Trip.fix(0, east: 0), Trip.fix(1, east: 1), Trip.fix(2, east: 2)])
      #expect(it.log.batches.count == 1)
      #expect(next.batches.count == 2)
    }
  }

  @Test("AT-07 a delegate is a weak reference; without one nothing is delivered or kept for it")
  func weakDelegate() {
    LocationService.isolated { service in
      let manager = CLLocationManager()
      weak var gone: ManagerLog?
      do {
        let log = ManagerLog()
        gone = log
        manager.delegate = log
      }
      #expect(gone == nil)
      #expect(manager.delegate == nil)
      manager.startUpdatingLocation()
      service.play([Trip.fix(0, east: 0)])
      let late = ManagerLog()
      manager.delegate = late
      service.settle()
      #expect(late.lines == [])
    }
  }

  @Test("a manager that is released within its own callback is removed")
  func goesWithin() {
    LocationService.isolated { service in
      var it: LoggedManager? = LoggedManager()
      let log = it?.log
      log?.react = { _, line in if line.hasPrefix("locations") { it = nil } }
      it?.manager.startUpdatingLocation()
      service.play(Trip.walk(from: 0, to: 20, start: 0))
      #expect(log?.batches.count == 1)
      #expect(it == nil)
    }
  }

  @Test("fixes fed from within a callback are delivered after it, in order")
  func nestedDeliver() {
    LocationService.isolated { service in
      let it = LoggedManager()
      var depth = 0
      it.log.react = { _, line in
        guard line.hasPrefix("locations") else { return }
        #expect(depth == 0, "no callback within a callback")
        depth += 1
        defer { depth -= 1 }
        let count = Double(it.log.batches.count)
        if count < 5 { service.deliver([Trip.fix(count, east: count)]) }
      }
      it.manager.startUpdatingLocation()
      service.deliver([Trip.fix(0, east: 0)])
      #expect(it.log.locations.map(\.timestamp) == (0..<5).map { Trip.start + Double($0) })
    }
  }

  @Test("a replay from within a callback is rejected, and the other is not affected")
  func nestedReplay() throws {
    try LocationService.isolated { service in
      let fixes = Trip.walk(from: 0, to: 20, start: 0)
      let it = LoggedManager()
      var refusals = 0
      it.manager.startUpdatingLocation()
      try Trip.withTrace(fixes) { path in
        it.log.react = { _, line in
          guard line.hasPrefix("locations") else { return }
          do throws(LocationServiceError) { try service.replay(path) } catch {
            refusals += error == .busy ? 1 : 0
          }
        }
        try service.replay(path)
      }
      #expect(it.log.batches.count == fixes.count)
      #expect(refusals == fixes.count)
    }
  }
}
