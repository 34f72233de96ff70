import Foundation
import Services
import TestSupport
import Testing

@testable import CoreLocation

@Suite("live updates", .timeLimit(.minutes(90)))
struct LiveUpdatesTests {
  private var asking: LocationService.Configuration { .init(permission: .allow) }

  @Test("9.1 beginning to iterate starts the service, leaving the loop stops it")
  func startsAndStops() async throws {
    try await LocationService.isolated { (service) async throws in
      let updates = CLLocationUpdate.liveUpdates()
      #expect(!service.perform(\.needsSource))
      do {
        var iterator: CLLocationUpdate.Updates.Iterator? = updates.makeAsyncIterator()
        #expect(service.perform(\.needsSource))
        service.deliver([Walk.location(0, east: 10)])
        #expect(try await iterator?.next()?.location?.east == 10)
        iterator = nil
      }
      #expect(!service.perform(\.needsSource))
    }
  }

  @Test("9.1 the end of a task stops the service, and a match of first(where:) does")
  func endOfTask() async throws {
    try await LocationService.isolated { (service) async throws in
      let log = Log()
      let endless = Task {
        for try await update in CLLocationUpdate.liveUpdates() where update.location != nil {
          log.add("one")
        }
        log.add("end")
      }
      try await eventually("the source to be needed") { service.perform(\.needsSource) }
      endless.cancel()
      try await endless.value
      #expect(log.lines == ["end"])
      #expect(!service.perform(\.needsSource))

      service.deliver([Walk.location(0, east: 40)])
      let first = try await CLLocationUpdate.liveUpdates().first { $0.location != nil }
      #expect(first?.location?.east == 40)
      #expect(!service.perform(\.needsSource))
    }
  }

  @Test("9.2 9.4 an update without a location has the reason; denied for all is denied")
  func reasons() async throws {
    try await LocationService.isolated { (service) async throws in
      var updates = CLLocationUpdate.liveUpdates().makeAsyncIterator()
      service.authorizationStatus = .denied
      service.authorizationStatus = .restricted
      service.isEnabled = false
      service.isEnabled = true
      service.authorizationStatus = .authorizedAlways
      service.accuracyAuthorization = .reducedAccuracy
      let told = try await updates.take(6)
      #expect(told.allSatisfy { $0.location == nil && !$0.stationary })
      #expect(told.map(\.authorizationDenied) == [true, false, true, false, false, false])
      #expect(told.map(\.authorizationDeniedGlobally) == [false, false, true, false, false, false])
      #expect(told.map(\.authorizationRestricted) == [false, true, false, true, false, false])
      #expect(told.map(\.accuracyLimited) == [false, false, false, false, false, true])
    }
  }

  @Test(
    "9.4 10.3 in the background there are no locations without a session, and an update reports it")
  func background() async throws {
    try await LocationService.isolated { (service) async throws in
      var updates = CLLocationUpdate.liveUpdates().makeAsyncIterator()
      service.isInBackground = true
      service.deliver([Walk.location(0, east: 10)])
      let session = CLBackgroundActivitySession()
      service.deliver([Walk.location(1, east: 20)])
      session.invalidate()
      service.deliver([Walk.location(2, east: 30)])
      service.isInBackground = false
      service.deliver([Walk.location(3, east: 40)])
      let told = try await updates.take(6)
      #expect(told.map(\.location?.east) == [nil, nil, 20, nil, nil, 40])
      #expect(told.map(\.insufficientlyInUse) == [true, false, false, true, false, false])
      #expect(service.statistics.withheld == 2)
    }
  }

  @Test("9.3 3.8 at rest one update reports it, then there are none, and movement resumes them")
  func rest() async throws {
    try await LocationService.isolated { (service) async throws in
      var updates = CLLocationUpdate.liveUpdates().makeAsyncIterator()
      for second in stride(from: 0.0, through: 1_500, by: 10) {
        service.deliver([Walk.location(second, east: 0)])
      }
      service.walk(from: 100, to: 600, at: 1_600)
      var (moving, stationary) = ([CLLocationUpdate](), [CLLocationUpdate]())
      while let update = try await updates.next() {
        if update.stationary { stationary.append(update) } else { moving.append(update) }
        if update.location?.east == 600 { break }
      }
      #expect(stationary.count == 1)
      #expect(stationary.first?.isStationary == true)
      #expect(stationary.first?.location?.timestamp == Walk.start + 900)
      let times = moving.compactMap(\.location).map { $0.timestamp.timeIntervalSince(Walk.start) }
      #expect(times.contains { $0 < 900 } && !times.contains { $0 > 900 && $0 <= 1_500 })
      #expect(times.contains { $0 > 1_600 })
    }
  }

  @Test("9.5 iterating requests permission while in use if the user has not decided")
  func asks() async throws {
    try await LocationService.isolated(asking) { (service) async throws in
      #expect(service.authorizationStatus == .notDetermined)
      var updates = CLLocationUpdate.liveUpdates().makeAsyncIterator()
      #expect(service.authorizationStatus == .authorizedWhenInUse)
      service.deliver([Walk.location(0, east: 10)])
      while let update = try await updates.next() {
        guard let location = update.location else { continue }
        #expect(location.east == 10)
        break
      }
    }
  }

  @Test("9.5 not if the property list requires a session: then an update reports it")
  func explicitSessions() async throws {
    var configuration = LocationService.Configuration(permission: .allow)
    configuration.purposes = .init(whenInUse: "to show you", requiresExplicitSession: true)
    try await LocationService.isolated(configuration) { (service) async throws in
      var updates = CLLocationUpdate.liveUpdates().makeAsyncIterator()
      #expect(service.authorizationStatus == .notDetermined)
      #expect(try await updates.next()?.serviceSessionRequired == true)
      let session = CLServiceSession(authorization: .whenInUse)
      service.deliver([Walk.location(0, east: 10)])
      while let update = try await updates.next() {
        #expect(!update.serviceSessionRequired)
        if update.location?.east == 10 { break }
      }
      session.invalidate()
    }
  }

  @Test("9.6 configurations correspond to activities one to one")
  func configurations() {
    let pairs: [(CLLocationUpdate.LiveConfiguration, CLActivityType)] = [
      (.default, .other), (.automotiveNavigation, .automotiveNavigation), (.fitness, .fitness),
      (.otherNavigation, .otherNavigation), (.airborne, .airborne),
    ]
    for (configuration, activity) in pairs {
      #expect(configuration.activity.rawValue == activity.rawValue)
    }
    #expect(pairs.map(\.0.rawValue).sorted() == [0, 1, 2, 3, 4])
  }

  @Test("the last known location comes first")
  func cached() async throws {
    try await LocationService.isolated { (service) async throws in
      var first = CLLocationUpdate.liveUpdates().makeAsyncIterator()
      service.deliver([Walk.location(0, east: 10)])
      var second = CLLocationUpdate.liveUpdates(.fitness).makeAsyncIterator()
      #expect(try await first.next()?.location?.east == 10)
      #expect(try await second.next()?.location?.east == 10)
    }
  }
}
