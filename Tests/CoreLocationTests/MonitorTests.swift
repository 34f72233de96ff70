import Foundation
import Services
import TestSupport
import Testing

@testable import CoreLocation

@Suite("monitors", .timeLimit(.minutes(90)))
struct MonitorTests {
  private typealias Circle = CLMonitor.CircularGeographicCondition

  private static func circle(east: Double = 0, radius: Double = 100) -> Circle {
    Circle(center: Walk.coordinate(east: east), radius: radius)
  }

  @Test("8.3 a record exists at once, with the assumed state; the same identifier replaces it")
  func records() async throws {
    try await LocationService.isolated { (_) async throws in
      let monitor = await CLMonitor("shop")
      await monitor.add(Self.circle(), identifier: "a")
      await monitor.add(Self.circle(radius: 50), identifier: "b", assuming: .satisfied)
      #expect(await monitor.identifiers == ["a", "b"])
      #expect(await monitor.record(for: "a")?.lastEvent.state == .unknown)
      #expect(await monitor.record(for: "b")?.lastEvent.state == .satisfied)
      await monitor.add(Self.circle(radius: 70), identifier: "b")
      #expect(await monitor.identifiers.sorted() == ["a", "b"])
      let replaced = await monitor.record(for: "b")
      #expect((replaced?.condition as? Circle)?.radius == 70)
      #expect(replaced?.lastEvent.state == .unknown)
      await monitor.remove("a")
      await monitor.remove("none")
      #expect(await monitor.identifiers == ["b"])
      #expect(await monitor.record(for: "a") == nil)
    }
  }

  @Test("8.4 8.6 the first determination is an event, and then every change")
  func events() async throws {
    try await LocationService.isolated { (service) async throws in
      let monitor = await CLMonitor("shop")
      await monitor.add(Self.circle(), identifier: "a")
      var events = await monitor.events.makeAsyncIterator()
      service.walk(from: 0, to: 300, at: 0)
      let told = try await events.take(2)
      #expect(told.map(\.identifier) == ["a", "a"])
      #expect(told.map(\.state) == [.satisfied, .unsatisfied])
      #expect(told.allSatisfy { $0.refinement == nil && !$0.conditionUnsupported })
      // The edge is 100 m away, which is 10 s.
      #expect(abs(told[1].date.timeIntervalSince(Walk.start + 10)) < 0.5)
    }
  }

  @Test("8.3 a right assumption produces no event, a wrong one is corrected by an event")
  func assumptions() async throws {
    try await LocationService.isolated { (service) async throws in
      let monitor = await CLMonitor("shop")
      await monitor.add(Self.circle(), identifier: "right", assuming: .satisfied)
      await monitor.add(Self.circle(), identifier: "wrong", assuming: .unsatisfied)
      var events = await monitor.events.makeAsyncIterator()
      service.walk(from: 0, to: 300, at: 0)
      let told = try await events.take(3)
      #expect(told[0].identifier == "wrong" && told[0].state == .satisfied)
      #expect(Set(told[1...].map(\.identifier)) == ["right", "wrong"])
      #expect(told[1...].allSatisfy { $0.state == .unsatisfied })
    }
  }

  @Test("8.5 the record changes when the program takes the event, not before")
  func taken() async throws {
    try await LocationService.isolated { (service) async throws in
      let monitor = await CLMonitor("shop")
      await monitor.add(Self.circle(), identifier: "a")
      var events = await monitor.events.makeAsyncIterator()
      service.deliver([Walk.location(0, east: 0)])
      #expect(await monitor.record(for: "a")?.lastEvent.state == .unknown)
      let event = try await events.next()
      let last = await monitor.record(for: "a")?.lastEvent
      #expect(last?.state == .satisfied)
      #expect(last?.date == event?.date)
    }
  }

  @Test("8.5 without an iteration nothing is monitored; the next loop begins with the differences")
  func nobodyIterates() async throws {
    try await LocationService.isolated { (service) async throws in
      let monitor = await CLMonitor("shop")
      await monitor.add(Self.circle(), identifier: "a")
      service.walk(from: 0, to: 300, at: 0)
      #expect(!service.perform(\.needsSource))
      do {
        var events = await monitor.events.makeAsyncIterator()
        #expect(service.perform(\.needsSource))
        service.deliver([Walk.location(100, east: 300)])
        #expect(try await events.next()?.state == .unsatisfied)
        // Not taken: the next loop has it.
        service.walk(from: 290, to: 0, at: 101)
      }
      #expect(!service.perform(\.needsSource))
      var events = await monitor.events.makeAsyncIterator()
      for second in 200...205 { service.deliver([Walk.location(Double(second), east: 0)]) }
      #expect(try await events.next()?.state == .satisfied)
    }
  }

  @Test("8.1 a second monitor with a name is the same; another name is another monitor")
  func names() async throws {
    try await LocationService.isolated { (service) async throws in
      let (first, second) = (await CLMonitor("shop"), await CLMonitor("shop"))
      let other = await CLMonitor("home")
      await first.add(Self.circle(), identifier: "a")
      #expect(await second.identifiers == ["a"])
      #expect(await other.identifiers.isEmpty)
      var (one, two) = (
        await first.events.makeAsyncIterator(), await second.events.makeAsyncIterator()
      )
      service.deliver([Walk.location(0, east: 0)])
      #expect(try await one.next()?.state == .satisfied)
      #expect(try await two.next()?.state == .satisfied)
    }
  }

  @Test(
    "8.1 any other name is valid", arguments: ["my_custom_monitor", "a b", "a/b", "é", "com.x-1%"])
  func names(name: String) async throws {
    try await LocationService.isolated { (service) async throws in
      let monitor = await CLMonitor(name)
      await monitor.add(Self.circle(), identifier: "a/b")
      var events = await monitor.events.makeAsyncIterator()
      service.deliver([Walk.location(0, east: 0)])
      let event = try await events.next()
      #expect(event?.identifier == "a/b" && event?.state == .satisfied)
    }
  }

  @Test(
    "8.1 8.7 with an invalid name nothing is monitored, and an event reports it",
    arguments: ["", "_a", String(repeating: "a", count: 201)])
  func badNames(name: String) async throws {
    let log = Log()
    var configuration = LocationService.Configuration()
    configuration.log = { log.add($0) }
    try await LocationService.isolated(configuration) { (_) async throws in
      let monitor = await CLMonitor(name)
      LocationService.drainLog()
      #expect(
        log.lines == [
          "CLMonitor: invalid name '\(name)', expected 1 to 200 characters that do not begin with "
            + "an underscore; nothing is monitored"
        ])
      await monitor.add(Self.circle(), identifier: "a")
      var events = await monitor.events.makeAsyncIterator()
      let event = try await events.next()
      #expect(event?.identifier == "a")
      #expect(event?.persistenceUnavailable == true && event?.state == .unmonitored)
      #expect(await monitor.identifiers.isEmpty)
    }
  }

  @Test("8.7 a beacon is unsupported, and its condition is unchanged")
  func beacons() async throws {
    try await LocationService.isolated { (_) async throws in
      let monitor = await CLMonitor("shop")
      let uuid = UUID()
      await monitor.add(
        CLMonitor.BeaconIdentityCondition(uuid: uuid, major: 3, minor: 4), identifier: "door")
      var events = await monitor.events.makeAsyncIterator()
      let event = try await events.next()
      #expect(event?.conditionUnsupported == true && event?.state == .unmonitored)
      let kept = await monitor.record(for: "door")?.condition as? CLMonitor.BeaconIdentityCondition
      #expect(kept?.uuid == uuid && kept?.major == 3 && kept?.minor == 4)
    }
  }

  @Test("a condition of a client's own type is unsupported")
  func foreign() async throws {
    struct Weather: CLCondition { var isFine = true }
    try await LocationService.isolated { (_) async throws in
      let monitor = await CLMonitor("shop")
      await monitor.add(Weather(), identifier: "sun")
      await monitor.add(Self.circle(radius: -1), identifier: "nothing")
      var events = await monitor.events.makeAsyncIterator()
      #expect(try await events.take(2).map(\.conditionUnsupported) == [true, true])
      #expect(await monitor.record(for: "sun")?.condition is UnknownCondition)
    }
  }

  @Test("8.7 the apple profile has 20 conditions of all monitors")
  func limit() async throws {
    var configuration = LocationService.Configuration()
    configuration.profile = .apple
    try await LocationService.isolated(configuration) { (_) async throws in
      let (first, second) = (await CLMonitor("first"), await CLMonitor("second"))
      for number in 0..<15 { await first.add(Self.circle(), identifier: "\(number)") }
      for number in 0..<6 { await second.add(Self.circle(), identifier: "\(number)") }
      var events = await second.events.makeAsyncIterator()
      let event = try await events.next()
      #expect(event?.identifier == "5")
      #expect(event?.conditionLimitExceeded == true && event?.state == .unmonitored)
    }
  }

  @Test("8.7 9.5 the events report a denial, or coarse locations")
  func refused() async throws {
    try await LocationService.isolated { (service) async throws in
      let monitor = await CLMonitor("shop")
      await monitor.add(Self.circle(), identifier: "a")
      var events = await monitor.events.makeAsyncIterator()
      service.accuracyAuthorization = .reducedAccuracy
      service.authorizationStatus = .denied
      let told = try await events.take(2)
      #expect(told.map(\.accuracyLimited) == [true, false])
      #expect(told.map(\.authorizationDenied) == [false, true])
    }
  }

  @Test("9.5 iterating requests permission while in use")
  func asks() async throws {
    try await LocationService.isolated(.init(permission: .allow)) { (service) async throws in
      let monitor = await CLMonitor("shop")
      #expect(service.authorizationStatus == .notDetermined)
      let iterator = await monitor.events.makeAsyncIterator()
      #expect(service.authorizationStatus == .authorizedWhenInUse)
      withExtendedLifetime(iterator) {}
    }
  }

  @Test("8.8 the loop ends when its task is cancelled")
  func cancelled() async throws {
    try await LocationService.isolated { (service) async throws in
      let monitor = await CLMonitor("shop")
      await monitor.add(Self.circle(), identifier: "a")
      let loop = Task {
        var count = 0
        for try await _ in await monitor.events { count += 1 }
        return count
      }
      try await eventually("the source to be needed") { service.perform(\.needsSource) }
      loop.cancel()
      #expect(try await loop.value == 0)
      #expect(!service.perform(\.needsSource))
    }
  }

  @Test("conditions decode as they were encoded")
  func coding() throws {
    let circle = Self.circle(east: 40, radius: 30)
    let again = try JSONDecoder().decode(Circle.self, from: JSONEncoder().encode(circle))
    #expect(again.center.latitude == circle.center.latitude)
    #expect(again.center.longitude == circle.center.longitude)
    #expect(again.radius == 30)
    for beacon in [
      CLMonitor.BeaconIdentityCondition(uuid: UUID()), .init(uuid: UUID(), major: 7),
      .init(uuid: UUID(), major: 7, minor: 8),
    ] {
      let again = try JSONDecoder().decode(
        CLMonitor.BeaconIdentityCondition.self, from: JSONEncoder().encode(beacon))
      #expect(again.uuid == beacon.uuid && again.major == beacon.major)
      #expect(again.minor == beacon.minor)
    }
  }
}
