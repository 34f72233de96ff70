import Geodesy
import Locking
import Services
import Testing

@testable import CoreLocation

@Suite("Recordings played through a location service", .timeLimit(.minutes(90)))
struct ServiceReplayTests {
  @Test("a recording is played to its end, every fix delivered before the next, and again")
  func replays() throws {
    try LocationService.isolated { service in
      let fixes = Trip.walk(from: 0, to: 50, start: 0)
      let it = LoggedManager()
      it.manager.startUpdatingLocation()
      try Trip.withTrace(fixes) { path in
        try service.replay(path)
        #expect(it.log.batches.count == fixes.count)
        #expect(it.log.locations.first?.sourceInformation?.isSimulatedBySoftware == true)
        it.log.clear()
        // Its times run backwards: it has a clock of its own.
        try service.replay(path)
      }
      #expect(it.log.locations.map(\.timestamp) == fixes.map(\.timestamp))
      #expect(service.statistics.fixes == 2 * fixes.count)
    }
  }

  @Test("regions work in a second recording that begins before the first")
  func regionsAnew() throws {
    try LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.startMonitoring(for: Trip.circle("depot", east: 200))
      try Trip.withTrace(Trip.walk(from: 0, to: 400, start: 0)) { path in
        try service.replay(path)
        let first = it.log.regionLines.dropFirst()
        #expect(
          first == [
            "state outside depot", "state inside depot", "enter depot", "state outside depot",
            "exit depot",
          ])
        it.log.clear()
        try service.replay(path)
        #expect(it.log.regionLines == Array(first))
      }
    }
  }

  @Test("events that come due in a gap are delivered before the fix after it")
  func gap() throws {
    try LocationService.isolated { service in
      let it = LoggedManager()
      it.log.react = { manager, line in
        if line == "failed 0" || line == "locations 1" { manager.stopUpdatingLocation() }
      }
      let fixes = [
        Trip.fix(0, east: 0, accuracy: 90), Trip.fix(1, east: 1, accuracy: 80),
        Trip.fix(300, east: 2, accuracy: 3),
      ]
      it.manager.requestLocation()
      try Trip.withTrace(fixes) { try service.replay($0) }
      #expect(it.log.locations.map(\.horizontalAccuracy) == [80])
    }
  }

  @Test("a missing file is one clear error, and the service continues")
  func noFile() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.startUpdatingLocation()
      let error = #expect(throws: LocationServiceError.self) {
        try service.replay("/no/such/trip.gpx")
      }
      #expect(error?.description.contains("/no/such/trip.gpx") == true)
      service.play([Trip.fix(0, east: 0)])
      #expect(it.log.batches.count == 1)
    }
  }

  @Test("a replay that waits for tasks plays the same")
  func asynchronous() async throws {
    try await LocationService.isolated { service in
      let fixes = Trip.walk(from: 0, to: 50, start: 0)
      let it = LoggedManager()
      it.manager.startUpdatingLocation()
      try await Trip.withTrace(fixes) { try await service.replay($0) }
      #expect(it.log.batches.map(\.count) == fixes.map { _ in 1 })
    }
  }

  @Test("within an isolated service it is the current one, and only there")
  func current() {
    LocationService.isolated { outer in
      #expect(LocationService.current === outer)
      LocationService.isolated { inner in
        #expect(LocationService.current === inner)
        outer.play([Trip.fix(0, east: 0)])
        #expect(CLLocationManager().location == nil)
      }
      #expect(CLLocationManager().location != nil)
    }
  }

  @Test("bad fixes from code are not delivered")
  func badFixes() {
    LocationService.isolated { service in
      let it = LoggedManager()
      it.manager.startUpdatingLocation()
      let nowhere = CLLocationCoordinate2D(latitude: .nan, longitude: 400)
      service.deliver([])
      service.play([
        CLLocation(
          coordinate: nowhere, altitude: 0, horizontalAccuracy: 5, verticalAccuracy: -1,
          timestamp: Trip.start),
        Trip.fix(0, east: 0, accuracy: -1),
      ])
      #expect(it.log.batches.isEmpty)
      service.play([Trip.fix(1, east: 0)])
      #expect(it.log.batches.count == 1)
    }
  }
}

@Suite("A location service with a source of its own", .timeLimit(.minutes(90)))
struct ServiceSourceTests {
  /// Counts what it is told, from any thread.
  private final class Counter: Sendable {
    let count = Mutex(0)
    let reached = DispatchSemaphore(value: 0)
  }

  @Test("a recording is played for its clients, as fast as possible, without loss")
  func recording() {
    let fixes = Trip.stay(0, start: 0, seconds: 30_000, interval: 1)
    Trip.withTrace(fixes) { path in
      var configuration = LocationService.Configuration(permission: .always)
      configuration.source = .recording(path: path, speed: .infinity)
      let service = LocationService(ServiceSetup(shared: configuration), isIsolated: false)
      let counter = Counter()
      let id = service.attach(.observer(.locations)) { notice in
        guard case .locations(let reports, _) = notice else { return }
        counter.count.withLock { $0 += reports.count }
      }
      #expect(service.hasSource)
      let isOver = service.attach(.stream(.other)) { notice in
        if case .update(let update) = notice, update.diagnosis.locationUnavailable {
          counter.reached.signal()
        }
      }
      #expect(counter.reached.wait(timeout: .now() + 300) == .success)
      #expect(counter.count.withLock { $0 } == fixes.count)
      service.detach(id)
      service.detach(isOver)
      #expect(service.statistics.fixes == fixes.count)
    }
  }

  @Test("no source: reported once, and requests fail")
  func none() {
    let lines = Mutex<[String]>([])
    let told = DispatchSemaphore(value: 0)
    var configuration = LocationService.Configuration(permission: .always)
    configuration.source = .none
    configuration.log = { line in
      lines.withLock { $0.append(line) }
      told.signal()
    }
    let service = LocationService(ServiceSetup(shared: configuration), isIsolated: false)
    #expect(!service.hasSource)
    let id = service.attach(.stream(.other)) { _ in }
    #expect(told.wait(timeout: .now() + 300) == .success)
    #expect(lines.withLock { $0 } == ["there is no source of locations (none)"])
    service.detach(id)
  }

  @Test(
    "4.1 without a source, or with a recording that is missing, a request gets one error",
    arguments: [
      LocationService.Configuration.Source.none, .recording(path: "/no/such/trace.gpx"),
    ])
  func noAnswer(source: LocationService.Configuration.Source) {
    var configuration = LocationService.Configuration(permission: .always)
    configuration.source = source
    configuration.log = { _ in }
    let service = LocationService(ServiceSetup(shared: configuration), isIsolated: false)
    let failed = DispatchSemaphore(value: 0)
    let notices = Mutex<[Notice]>([])
    let id = service.attach(.manager) { notice in
      notices.withLock { $0.append(notice) }
      if case .failed = notice { failed.signal() }
    }
    for count in 1...2 {
      service.perform { $0.requestLocation(id) }
      #expect(failed.wait(timeout: .now() + 300) == .success)
      let expected = [.authorization] + [Notice](repeating: .failed(.locationUnknown), count: count)
      #expect(notices.withLock(\.self) == expected)
    }
    service.detach(id)
  }

  @Test("a recording of the environment passes the usual check of age, at any place in it")
  func fresh() async {
    await Trip.withTrace(Trip.walk(from: 0, to: 50, start: 0)) { path in
      var configuration = LocationService.Configuration(permission: .always)
      configuration.source =
        LocationService.Configuration.of(
          environment: ["WAYMARK_SOURCE": path + "?speed=1000"], log: { _ in }
        ).source
      let service = LocationService(ServiceSetup(shared: configuration), isIsolated: false)
      let begin = Date()
      var times: [Date] = []
      for await location in service.locations.prefix(30) { times.append(location.timestamp) }
      // At a thousand times real time the times run ahead of the clock.
      #expect(times.allSatisfy { $0 >= begin - 1 })
      #expect(times.last.map { $0.timeIntervalSince(times[0]) } == 29)
    }
  }

  @Test("AT-14 the source is needed only while a client needs it")
  func needed() {
    LocationService.isolated { service in
      let manager = CLLocationManager()
      #expect(!service.read(\.isSourceNeeded))
      manager.startUpdatingLocation()
      #expect(service.read(\.isSourceNeeded))
      manager.stopUpdatingLocation()
      #expect(!service.read(\.isSourceNeeded))
      manager.requestLocation()
      #expect(service.read(\.isSourceNeeded))
      service.play([Trip.fix(0, east: 0, accuracy: 2)])
      #expect(!service.read(\.isSourceNeeded))
    }
  }
}
