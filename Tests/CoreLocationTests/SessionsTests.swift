import Services
import Testing

@testable import CoreLocation

@Suite("service sessions", .timeLimit(.minutes(90)))
struct SessionsTests {
  @Test("10.2 the current diagnostic comes at once, without a request in progress after a decision")
  func atOnce() async throws {
    try await LocationService.isolated(.init(permission: .whenInUse)) { (_) async throws in
      let session = CLServiceSession(authorization: .whenInUse)
      var diagnostics = session.diagnostics.makeAsyncIterator()
      let first = try #require(try await diagnostics.next())
      #expect(!first.authorizationRequestInProgress && !first.authorizationDenied)
      #expect(!first.authorizationDeniedGlobally && !first.authorizationRestricted)
      #expect(!first.insufficientlyInUse && !first.serviceSessionRequired)
      #expect(!first.fullAccuracyDenied && !first.alwaysAuthorizationDenied)
    }
  }

  @Test("10.2 diagnostics report the prompt, its answer and every later change")
  func changes() async throws {
    let user = User()
    try await LocationService.isolated(user.configuration) { (service) async throws in
      let session = CLServiceSession(authorization: .whenInUse)
      var diagnostics = session.diagnostics.makeAsyncIterator()
      #expect(try await diagnostics.next()?.authorizationRequestInProgress == true)
      user.answer(.whenInUse)
      #expect(try await diagnostics.next()?.authorizationRequestInProgress == false)
      service.authorizationStatus = .denied
      #expect(try await diagnostics.next()?.authorizationDenied == true)
      service.isEnabled = false
      #expect(try await diagnostics.next()?.authorizationDeniedGlobally == true)
      #expect(user.asked == [.whenInUse])
    }
  }

  @Test("10.1 the strongest requirement is requested, and none requests nothing")
  func needs() async throws {
    let user = User()
    try await LocationService.isolated(user.configuration) { (service) async throws in
      let nothing = CLServiceSession(authorization: .none)
      #expect(user.asked.isEmpty)
      let some = CLServiceSession(authorization: .whenInUse)
      user.answer(.whenInUse)
      let all = CLServiceSession(authorization: .always)
      #expect(user.asked == [.whenInUse, .upgrade])
      var diagnostics = all.diagnostics.makeAsyncIterator()
      #expect(try await diagnostics.next()?.authorizationRequestInProgress == true)
      user.answer(.whenInUse)
      let last = try await diagnostics.next()
      #expect(last?.alwaysAuthorizationDenied == true)
      #expect(service.authorizationStatus == .authorizedWhenInUse)
      withExtendedLifetime((nothing, some)) {}
    }
  }

  @Test("10.1 full accuracy is requested with the purpose")
  func fullAccuracy() async throws {
    let user = User()
    var configuration = user.configuration
    configuration.purposes = .init(
      whenInUse: "to show you", temporaryFullAccuracy: ["Navigate": "to lead you"])
    try await LocationService.isolated(configuration) { (service) async throws in
      service.authorizationStatus = .authorizedWhenInUse
      service.accuracyAuthorization = .reducedAccuracy
      let session = CLServiceSession(
        authorization: .whenInUse, fullAccuracyPurposeKey: "Navigate")
      var diagnostics = session.diagnostics.makeAsyncIterator()
      #expect(try await diagnostics.next()?.fullAccuracyDenied == false)
      #expect(user.asked == [.fullAccuracy(key: "Navigate")])
      user.answer(.denied)
      #expect(try await diagnostics.next()?.fullAccuracyDenied == true)
    }
  }

  @Test("10.1 invalidating is final: the diagnostics end")
  func invalidated() async throws {
    try await LocationService.isolated { (service) async throws in
      let session = CLServiceSession(authorization: .always)
      var diagnostics = session.diagnostics.makeAsyncIterator()
      _ = try await diagnostics.next()
      session.invalidate()
      session.invalidate()
      service.authorizationStatus = .denied
      #expect(try await diagnostics.next() == nil)
    }
  }

  @Test("10.3 always counts in the background only while such a session is held")
  func always() async throws {
    try await LocationService.isolated { (service) async throws in
      var updates = CLLocationUpdate.liveUpdates().makeAsyncIterator()
      service.isInBackground = true
      do {
        let weak = CLServiceSession(authorization: .whenInUse)
        #expect(!service.perform(\.isHeldActive))
        let strong = CLServiceSession(authorization: .always)
        #expect(service.perform(\.isHeldActive))
        service.deliver([Walk.location(0, east: 10)])
        withExtendedLifetime((weak, strong)) {}
      }
      // Nobody holds it any more.
      #expect(!service.perform(\.isHeldActive))
      service.deliver([Walk.location(1, east: 20)])
      let told = try await updates.take(4)
      #expect(told.map(\.location?.east) == [nil, nil, 10, nil])
      #expect(told.map(\.insufficientlyInUse) == [true, false, false, true])
    }
  }

  @Test("10.3 always has no effect with permission only while in use")
  func alwaysRefused() {
    LocationService.isolated(.init(permission: .whenInUse)) { service in
      service.isInBackground = true
      let session = CLServiceSession(authorization: .always)
      #expect(!service.perform(\.isHeldActive))
      withExtendedLifetime(session) {}
    }
  }

  @Test(
    "10.4 a background session keeps the program in use until it ends; two keep it until both end")
  func activity() async throws {
    try await LocationService.isolated(.init(permission: .whenInUse)) { (service) async throws in
      let first = CLBackgroundActivitySession()
      var second: CLBackgroundActivitySession? = CLBackgroundActivitySession()
      var diagnostics = first.diagnostics.makeAsyncIterator()
      service.isInBackground = true
      first.invalidate()
      first.invalidate()
      #expect(service.perform(\.isHeldActive))
      withExtendedLifetime(second) {}
      second = nil
      #expect(!service.perform(\.isHeldActive))
      let calm = try #require(try await diagnostics.next())
      #expect(!calm.authorizationDenied && !calm.authorizationDeniedGlobally)
      #expect(!calm.authorizationRestricted && !calm.insufficientlyInUse)
      #expect(!calm.serviceSessionRequired && !calm.authorizationRequestInProgress)
      #expect(try await diagnostics.next()?.insufficientlyInUse == true)
    }
  }

  @Test("1.5 sessions are opened and ended from any task")
  func tasks() async {
    await LocationService.isolated { service in
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask {
            let session = CLServiceSession(
              authorization: number.isMultiple(of: 2) ? .always : .none)
            let activity = CLBackgroundActivitySession()
            await Task.yield()
            session.invalidate()
            activity.invalidate()
          }
        }
      }
      #expect(!service.perform(\.isHeldActive))
    }
  }
}
