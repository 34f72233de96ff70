import Foundation
import Geocoding
import Services
import TestSupport
import Testing

@testable import CoreLocation

@Suite("the locator, hole by hole of the reference chapter's helper", .timeLimit(.minutes(90)))
struct LocatorTests {
  @Test("D.1 two callers that request permission before the answer both get it, with one prompt")
  func twoAskers() async throws {
    let user = User()
    try await LocationService.isolated(user.configuration) { service in
      let locator = Locator()
      async let first = locator.authorization(for: .whenInUse)
      async let second = locator.authorization(for: .whenInUse)
      try await eventually("two requests for permission") { service.listenerCount == 2 }
      user.answer(.whenInUse)
      #expect(await first == .authorizedWhenInUse)
      #expect(await second == .authorizedWhenInUse)
      #expect(user.asked == [.whenInUse])
    }
  }

  @Test("D.2 a caller that requests again right after the answer gets another answer")
  func again() async throws {
    try await LocationService.isolated { (service) async throws in
      let locator = Locator()
      let both = Task {
        let first = try await locator.location(maximumAge: 0)
        let second = try await locator.location(maximumAge: 0)
        return [first.east, second.east]
      }
      try await service.untilAsked()
      service.deliver([Walk.location(0, east: 10)])
      try await service.untilAsked()
      service.deliver([Walk.location(1, east: 20)])
      #expect(try await both.value == [10, 20])
    }
  }

  @Test("D.3 a known location is returned up to its maximum age, not an older one")
  func age() async throws {
    try await LocationService.isolated { (service) async throws in
      let locator = Locator()
      service.deliver([Walk.location(0, east: 10)])
      service.advance(to: Walk.start + 15)
      #expect(try await locator.location(maximumAge: 15).east == 10)
      service.advance(to: Walk.start + 16)
      let fresh = Task { try await locator.location(maximumAge: 15) }
      try await service.untilAsked()
      service.deliver([Walk.location(17, east: 70)])
      #expect(try await fresh.value.east == 70)
    }
  }

  @Test("D.3 a known location that is not accurate enough is not returned")
  func accuracy() async throws {
    try await LocationService.isolated { (service) async throws in
      let locator = Locator()
      service.deliver([Walk.location(0, east: 10, accuracy: 80)])
      let exact = Task { try await locator.location(accuracy: 20) }
      try await service.untilAsked()
      for second in 1...5 {
        service.deliver([Walk.location(Double(second), east: 10, accuracy: 80)])
      }
      service.deliver([Walk.location(6, east: 11, accuracy: 15)])
      #expect(try await exact.value.horizontalAccuracy == 15)
    }
  }

  @Test("D.4 significant changes come alone, and continue for another task when one ends")
  func significantChanges() async throws {
    try await LocationService.isolated { (service) async throws in
      let locator = Locator()
      service.deliver([Walk.location(0, east: 0)])
      var changes = locator.significantChanges().makeAsyncIterator()
      let once = Task { try await locator.location(maximumAge: 0) }
      try await service.untilAsked()
      service.walk(from: 0, to: 5_000, at: 1)
      _ = try await once.value
      let told = try await changes.take(1)
      #expect(told[0].east >= 400)
      #expect(service.perform(\.needsSource))
    }
  }

  @Test(
    "D.5 a denied program gets an error",
    arguments: [
      (LocationService.Configuration.Permission.deny, "denied"), (.restrict, "restricted"),
    ])
  func refused(permission: LocationService.Configuration.Permission, word: String) async {
    await LocationService.isolated(.init(permission: permission)) { _ in
      let locator = Locator()
      #expect(await word == Self.word { try await locator.location() })
      #expect(await word == Self.word { try locator.history() })
      #expect(
        await word
          == Self.word {
            var crossings = locator.crossings(of: Walk.region("a")).makeAsyncIterator()
            return try await crossings.next()
          })
    }
  }

  @Test("D.5 services that are off, a missing purpose, and a denial during the wait")
  func otherRefusals() async throws {
    let user = User()
    var configuration = user.configuration
    configuration.purposes = .init()
    configuration.log = { _ in }
    await LocationService.isolated(configuration) { service in
      let locator = Locator()
      #expect(await Self.word { try await locator.location() } == "undecided")
      #expect(await locator.authorization(for: .always) == .notDetermined)
      #expect(user.asked.isEmpty)
      service.isEnabled = false
      #expect(await Self.word { try await locator.location() } == "servicesOff")
    }
    try await LocationService.isolated { service in
      let locator = Locator()
      async let word = Self.word { try await locator.location() }
      try await service.untilAsked()
      service.authorizationStatus = .denied
      #expect(await word == "denied")
    }
  }

  @Test(
    "D.5 no location in time: an error after the timeout in engine time, with the best location")
  func timeout() async throws {
    try await LocationService.isolated { (service) async throws in
      let locator = Locator()
      service.advance(to: Walk.start)
      let nothing = Task { await Self.word { try await locator.location(timeout: 30) } }
      try await service.untilAsked()
      service.advance(to: Walk.start + 29)
      #expect(service.requestCount == 1)
      service.advance(to: Walk.start + 30)
      #expect(await nothing.value == "timedOut nil")

      let coarse = Task {
        await Self.word { try await locator.location(accuracy: 10, timeout: 5) }
      }
      try await service.untilAsked()
      service.deliver([Walk.location(31, east: 0, accuracy: 40)])
      service.deliver([Walk.location(33, east: 0, accuracy: 30)])
      service.deliver([Walk.location(36, east: 0, accuracy: 50)])
      #expect(await coarse.value == "timedOut 30.0")
    }
  }

  @Test("D.5 a recording that ends without a location ends the wait")
  func end() async throws {
    try await LocationService.isolated { service in
      let locator = Locator()
      async let word = Self.word { try await locator.location() }
      try await service.untilAsked()
      service.receive(.status(.ended))
      #expect(await word == "unavailable")
    }
  }

  @Test("D.5 a cancelled task does not wait")
  func cancelled() async throws {
    try await LocationService.isolated { service in
      let locator = Locator()
      let location = Task { try await locator.location() }
      try await service.untilAsked()
      location.cancel()
      await #expect(throws: CancellationError.self) { try await location.value }
      #expect(!service.perform(\.needsSource))
    }
  }

  @Test("D.6 crossings carry their region, their direction and their time")
  func crossings() async throws {
    try await LocationService.isolated { (service) async throws in
      let locator = Locator()
      let manager = CLLocationManager()
      manager.startMonitoring(for: Walk.region("other", east: 300))
      var crossings = locator.crossings(
        of: Walk.region("near"), Walk.region("far", east: 600)
      ).makeAsyncIterator()
      service.walk(from: 0, to: 800, at: 0)
      let told = try await crossings.take(3)
      #expect(told.map(\.region) == ["near", "far", "far"])
      #expect(told.map(\.direction) == [.exited, .entered, .exited])
      for (crossing, second) in zip(told, [10.0, 50, 70]) {
        #expect(abs(crossing.time.timeIntervalSince(Walk.start + second)) < 0.5)
      }
    }
  }

  @Test("D.6 regions are monitored during an iteration, and those of a manager stay")
  func regionUse() {
    LocationService.isolated { service in
      let locator = Locator()
      let manager = CLLocationManager()
      manager.startMonitoring(for: Walk.region("mine"))
      let crossings = locator.crossings(of: Walk.region("mine"), Walk.region("other"))
      func identifiers() -> Set<String> { Set(manager.monitoredRegions.map(\.identifier)) }
      #expect(identifiers() == ["mine"])
      var first: RegionCrossings.Iterator? = crossings.makeAsyncIterator()
      var second: RegionCrossings.Iterator? = crossings.makeAsyncIterator()
      #expect(identifiers() == ["mine", "other"])
      withExtendedLifetime(first) {}
      first = nil
      #expect(identifiers() == ["mine", "other"])
      withExtendedLifetime(second) {}
      second = nil
      #expect(identifiers() == ["mine"])
    }
  }

  @Test("D.6 a region that cannot be monitored is an error")
  func badRegion() async {
    await LocationService.isolated { _ in
      let locator = Locator()
      let word = await Self.word {
        var crossings = locator.crossings(of: Walk.region("nothing", radius: -3))
          .makeAsyncIterator()
        return try await crossings.next()
      }
      #expect(word == "regionRefused nothing")
    }
  }

  @Test("D.7 the history has the requested length, evenly over time, oldest first")
  func history() throws {
    try LocationService.isolated { service in
      service.walk(from: 0, to: 50_000, at: 0)
      let locator = Locator()
      let times = try locator.history(count: 10).map(\.timestamp)
      #expect(times.count == 10)
      #expect(times == times.sorted())
      #expect(try locator.history(count: 0).isEmpty)
      #expect(try locator.history(count: -1).isEmpty)
    }
  }

  @Test(
    "D.5 without a source, or with a recording that is missing or over, every request fails at once",
    arguments: [
      (LocationService.Configuration.Source.none, "servicesOff"),
      (.recording(path: "/no/such/trace.gpx"), "unavailable"),
    ])
  func noSource(source: LocationService.Configuration.Source, word: String) async {
    var configuration = LocationService.Configuration(permission: .always)
    configuration.source = source
    configuration.log = { _ in }
    let service = LocationService(ServiceSetup(shared: configuration), isIsolated: false)
    let locator = Locator(service: service)
    // The first request starts the source; the next ones find it over, also while a client needs it.
    #expect(await Self.word { try await locator.location(timeout: 1e6) } == word)
    #expect(await Self.word { try await locator.location(timeout: 1e6) } == word)
    let id = service.attach(.stream(.other)) { _ in }
    #expect(await Self.word { try await locator.location(timeout: 1e6) } == word)
    service.detach(id)
  }

  @Test("D.8 every status is returned unchanged")
  func statuses() async {
    await LocationService.isolated { service in
      let locator = Locator()
      for status in [
        CLAuthorizationStatus.authorizedAlways, .authorizedWhenInUse, .denied, .restricted,
      ] {
        service.authorizationStatus = status
        #expect(await locator.authorization(for: .whenInUse) == status)
      }
    }
  }

  @Test("visits are those of the service")
  func visits() async throws {
    try await LocationService.isolated { (service) async throws in
      var visits = Locator().visits().makeAsyncIterator()
      for second in stride(from: 0.0, through: 1_500, by: 10) {
        service.deliver([Walk.location(second, east: 0)])
      }
      let visit = try #require(await visits.next())
      #expect(visit.departureDate == .distantFuture)
    }
  }

  @Test("a name comes from the gazetteer; without a geocoder it is an error")
  func names() async throws {
    let tower = CLLocation(latitude: 48.8584, longitude: 2.2945)
    let name = try await LocationService.isolated { _ in try await Locator().name(of: tower) }
    #expect(name.contains("Paris"))
    var configuration = LocationService.Configuration()
    configuration.geocoder = NoGeocoder()
    await LocationService.isolated(configuration) { _ in
      _ = await #expect(throws: CLError.self) { try await Locator().name(of: tower) }
    }
  }

  @Test("an error has a description of one sentence")
  func descriptions() {
    let errors: [LocatorError] = [
      .denied, .restricted, .servicesOff, .undecided, .timedOut(best: nil),
      .timedOut(best: Walk.location(0, east: 0, accuracy: 40)), .unavailable,
      .regionRefused("home"), .nameless,
    ]
    #expect(Set(errors.map(\.description)).count == errors.count)
    #expect(errors[5].description.contains("40.0 m"))
    #expect(errors[7].description.contains("'home'"))
  }

  /// The error that `body` throws, in a word.
  private static func word<R>(_ body: () async throws -> R) async -> String {
    do {
      _ = try await body()
      return "none"
    } catch let error as LocatorError {
      return switch error {
      case .denied: "denied"
      case .restricted: "restricted"
      case .servicesOff: "servicesOff"
      case .undecided: "undecided"
      case .timedOut(let best): "timedOut \(best.map { "\($0.horizontalAccuracy)" } ?? "nil")"
      case .unavailable: "unavailable"
      case .regionRefused(let identifier): "regionRefused \(identifier)"
      case .nameless: "nameless"
      }
    } catch {
      return "\(error)"
    }
  }
}
