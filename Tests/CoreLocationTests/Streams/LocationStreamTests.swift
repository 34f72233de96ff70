import Foundation
import TestSupport
import Testing

@testable import CoreLocation

@Suite("streams of a location service", .timeLimit(.minutes(90)))
struct LocationStreamTests {
  @Test("locations: the current one first, then every fix")
  func locations() async throws {
    try await LocationService.isolated { (service) async throws in
      var early = service.locations.makeAsyncIterator()
      service.deliver([Walk.location(0, east: 0)])
      var late = service.locations.makeAsyncIterator()
      service.deliver([Walk.location(1, east: 10), Walk.location(2, east: 20)])
      #expect(try await early.take(3).map(\.east) == [0, 10, 20])
      #expect(try await late.take(3).map(\.east) == [0, 10, 20])
    }
  }

  @Test("events: crossings with their time and confidence, nothing of the past")
  func events() async throws {
    try await LocationService.isolated { (service) async throws in
      let manager = CLLocationManager()
      manager.startMonitoring(for: Walk.region("home"))
      service.walk(from: 0, to: 300, at: 0)
      var events = service.events.makeAsyncIterator()
      service.walk(from: 290, to: 0, at: 100)
      service.walk(from: 10, to: 300, at: 200)
      let told = try await events.take(2)
      #expect(told.map(\.kind) == [.entered(region: "home"), .exited(region: "home")])
      // 100 m before the origin the walk is 19 s after it began at 290 m.
      #expect(abs(told[0].time.timeIntervalSince(Walk.start + 119)) < 0.5)
      #expect(told.allSatisfy { ($0.timeUncertainty ?? 0) > 0 && ($0.confidence ?? 0) > 0.5 })
      #expect(told.allSatisfy { $0.decided >= $0.time })
    }
  }

  @Test(
    "events: significant changes in both profiles, without the first known location",
    arguments: [LocationService.Configuration.Profile.precise, .apple])
  func significantChanges(profile: LocationService.Configuration.Profile) async throws {
    var configuration = LocationService.Configuration()
    configuration.profile = profile
    try await LocationService.isolated(configuration) { (service) async throws in
      service.deliver([Walk.location(0, east: 0)])
      var events = service.events.makeAsyncIterator()
      service.walk(from: 10, to: 12_000, at: 1)
      let told = try await events.take(2)
      #expect(told.map(\.kind) == [.significantChange, .significantChange])
      #expect(told[0].time >= Walk.start + 50)
    }
  }

  @Test("events: each arrival and departure comes once")
  func stays() async throws {
    try await LocationService.isolated { (service) async throws in
      var events = service.events.makeAsyncIterator()
      stay(service)
      let stays = try await stays(&events, 2)
      guard case .arrived(let arrival) = stays[0].kind,
        case .departed(let same, let departure) = stays[1].kind
      else {
        Issue.record("expected an arrival and a departure, found \(stays.map(\.kind))")
        return
      }
      #expect(arrival == same)
      #expect(arrival == stays[0].time)
      #expect(departure == stays[1].time)
    }
  }

  private func stays(
    _ events: inout LocationStream<LocationEvent>.Iterator, _ count: Int
  ) async throws -> [LocationEvent] {
    var found: [LocationEvent] = []
    while found.count < count, let event = await events.next() {
      if event.kind != .significantChange { found.append(event) }
    }
    return found
  }

  /// Walks to a place 1 km away, stays 25 min and walks on.
  private func stay(_ service: LocationService, until end: Double = 3_000) {
    service.walk(from: 0, to: 1_000, at: 0)
    for second in stride(from: 110.0, through: 1_600, by: 10) {
      service.deliver([Walk.location(second, east: 1_000)])
    }
    if end > 1_600 { service.walk(from: 1_010, to: 3_000, at: 1_601) }
  }

  @Test("visits: the current stay comes first")
  func visits() async throws {
    try await LocationService.isolated { (service) async throws in
      var before = service.visits.makeAsyncIterator()
      stay(service, until: 1_600)
      var late = service.visits.makeAsyncIterator()
      service.walk(from: 1_010, to: 3_000, at: 1_601)
      let (first, second) = (try await before.take(2), try await late.take(2))
      #expect(first.map(\.departureDate)[0] == .distantFuture)
      #expect(first.map(\.departureDate)[1] < Walk.start + 1_700)
      #expect(second.map(\.arrivalDate) == first.map(\.arrivalDate))
      #expect(second.map(\.departureDate) == first.map(\.departureDate))
    }
  }

  @Test("a bad fix ends no stream")
  func badRecords() async throws {
    try await LocationService.isolated { (service) async throws in
      var locations = service.locations.makeAsyncIterator()
      service.deliver([Walk.location(0, east: 0)])
      service.deliver([Walk.location(1, east: 10, accuracy: -1)])
      service.deliver([
        CLLocation(
          coordinate: CLLocationCoordinate2D(latitude: .nan, longitude: 500), altitude: 0,
          horizontalAccuracy: 5, verticalAccuracy: 5, timestamp: Walk.start + 2)
      ])
      service.deliver([Walk.location(3, east: 30)])
      #expect(try await locations.take(2).map(\.east) == [0, 30])
      #expect(service.statistics.fixes == 4)
    }
  }

  @Test("an iterator without a reader buffers a bounded number, and counts the rest")
  func bounded() async throws {
    try await LocationService.isolated { (service) async throws in
      var locations = service.locations.makeAsyncIterator()
      for second in 0..<10_050 { service.deliver([Walk.location(Double(second), east: 0)]) }
      #expect(service.statistics.dropped == 50)
      #expect(await locations.next()?.timestamp == Walk.start + 50)
    }
  }

  @Test("a task that iterates has processed a fix before the next fix of a replay")
  func keepsUp() async throws {
    try await LocationService.isolated { (service) async throws in
      let path = try Self.write(Walk.locations(from: 0, to: 500, at: 0))
      defer { try? FileManager.default.removeItem(atPath: path) }
      let log = Log()
      let manager = CLLocationManager()
      let delegate = Noter(log)
      manager.delegate = delegate
      manager.startUpdatingLocation()
      let run = service.locations.makeAsyncIterator()
      let consumer = Task {
        var run = run
        for number in 0...50 {
          guard await run.next() != nil else { return }
          for _ in 0..<5 { await Task.yield() }
          log.add("task \(number)")
        }
      }
      try await eventually("the consumer to wait") { run.subscription.isAwaited }
      try await service.replay(path)
      await consumer.value
      // Which of the two is first to hear of a fix is open, but not that both did before the next.
      let pairs = stride(from: 0, to: log.lines.count, by: 2).map { Set(log.lines[$0..<$0 + 2]) }
      #expect(pairs == (0...50).map { ["manager", "task \($0)"] })
    }
  }

  private static func write(_ locations: [CLLocation]) throws -> String {
    let path = NSTemporaryDirectory() + "walk-\(UUID().uuidString).csv"
    let lines = locations.map { location in
      let time = Int(location.timestamp.timeIntervalSince1970)
      return "\(time),\(location.coordinate.latitude),\(location.coordinate.longitude),5"
    }
    let text = (["time,latitude,longitude,accuracy"] + lines).joined(separator: "\n") + "\n"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private final class Noter: NSObject, CLLocationManagerDelegate {
    let log: Log

    init(_ log: Log) { self.log = log }

    func locationManager(
      _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) {
      log.add("manager")
    }
  }
}
