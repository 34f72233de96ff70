import CoreLocation
import Testing

@Suite("A request of a manager for one location")
struct ManagerRequestTests {
  @Test("4.1 requestLocation gives exactly one answer, with one location")
  func oneAnswer() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.requestLocation()
      service.play(Trip.walk(from: 0, to: 100, start: 0, accuracy: 3))
      #expect(it.log.lines.dropFirst() == ["locations 1"])
    }
  }

  @Test("4.1 without a fix the answer is an error", arguments: [true, false])
  func noFix(endsWithTrace: Bool) throws {
    try LocationService.isolated { service in
      service.deliver([Trip.fix(0, east: 0)])
      let it = LoggedManager()
      it.manager.requestLocation()
      if endsWithTrace {
        try Trip.withTrace([]) { try service.replay($0) }
      } else {
        service.advance(to: Trip.start.addingTimeInterval(60))
      }
      #expect(it.log.lines.last == "failed 0")
      #expect(it.log.lines.count == 2)
    }
  }

  @Test("4.2 the best of bad fixes is the answer after ten seconds")
  func bestOfBad() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.requestLocation()
      service.play([
        Trip.fix(0, east: 0, accuracy: 80), Trip.fix(4, east: 1, accuracy: 40),
        Trip.fix(8, east: 2, accuracy: 35), Trip.fix(12, east: 3, accuracy: 30),
      ])
      #expect(it.log.locations.map(\.horizontalAccuracy) == [35])
    }
  }

  @Test("4.4 a request is ignored while updates run")
  func ignored() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.startUpdatingLocation()
      it.manager.requestLocation()
      service.play([Trip.fix(0, east: 0, accuracy: 3), Trip.fix(1, east: 1, accuracy: 3)])
      #expect(it.log.batches.map(\.count) == [1, 1])
    }
  }

  @Test("4.4 stopUpdatingLocation cancels a request without an answer")
  func cancelled() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.requestLocation()
      it.manager.stopUpdatingLocation()
      service.play(Trip.walk(from: 0, to: 50, start: 0, accuracy: 3))
      #expect(it.log.lines == ["permission authorizedAlways 0"])
    }
  }

  @Test("4.4 updates that start take over from a request")
  func takenOver() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.requestLocation()
      it.manager.startUpdatingLocation()
      service.play([Trip.fix(0, east: 0, accuracy: 3), Trip.fix(1, east: 1, accuracy: 3)])
      #expect(it.log.batches.map(\.count) == [1, 1])
    }
  }

  @Test("4.1 a request from within the answer is a new one")
  func nested() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.log.react = { manager, line in
        if line == "locations 1", it.log.batches.count < 3 { manager.requestLocation() }
      }
      it.manager.requestLocation()
      service.play(Trip.walk(from: 0, to: 30, start: 0, accuracy: 3))
      #expect(it.log.batches.count == 3)
    }
  }
}
