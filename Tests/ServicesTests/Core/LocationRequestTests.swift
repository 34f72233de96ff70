import Services
import Testing
import Tracking

@Suite("requests for one location")
struct LocationRequestTests {
  @Test("4.1 a location that is good enough answers at once, exactly once")
  func goodEnough() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core[settings: manager].desiredAccuracy = 100
    stand.core.requestLocation(manager)
    #expect(stand.fix(0, east: 0, accuracy: 400).isEmpty)
    #expect(stand.fix(1, east: 10, accuracy: 80).easts == [[10]])
    #expect(stand.fix(2, east: 20, accuracy: 10).isEmpty)
    #expect(!stand.core.needsSource)
  }

  @Test("4.2 the best one answers when the accuracy does not improve any more")
  func plateau() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.requestLocation(manager)
    #expect(stand.fix(0, east: 0, accuracy: 30).isEmpty)
    #expect(stand.fix(1, east: 10, accuracy: 20).isEmpty)
    #expect(stand.fix(2, east: 20, accuracy: 25).isEmpty)
    #expect(stand.fix(3, east: 30, accuracy: 25).isEmpty)
    #expect(stand.fix(4, east: 40, accuracy: 20).easts == [[10]])
  }

  @Test("4.2 4.3 after 10 s of engine time the best so far answers, before the fix that comes then")
  func timeout() {
    var stand = Stand()
    let manager = stand.manager()
    stand.fix(0, east: 0)
    stand.core[settings: manager].desiredAccuracy = 10
    stand.core.requestLocation(manager)
    #expect(stand.core.nextDeadline == Stand.time(10))
    #expect(stand.fix(1, east: 10, accuracy: 90).isEmpty)
    #expect(stand.fix(300, east: 3_000, accuracy: 5).easts == [[10]])
  }

  @Test("4.2 without any fix it fails")
  func nothing() {
    var stand = Stand()
    let manager = stand.manager()
    stand.fix(0, east: 0)
    stand.core.requestLocation(manager)
    stand.core.advance(to: Stand.time(9.9))
    #expect(stand.core.takeNotices().isEmpty)
    stand.core.advance(to: Stand.time(10))
    #expect(stand.core.takeNotices().words == ["failed locationUnknown"])
    stand.core.advance(to: Stand.time(60))
    #expect(stand.core.takeNotices().isEmpty)
  }

  @Test(
    "the end of a source answers a request: with the best fix, or an error",
    arguments: [true, false])
  func ended(hasFix: Bool) {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.requestLocation(manager)
    if hasFix { stand.fix(0, east: 0, accuracy: 50) }
    stand.core.sourceChanged(.ended)
    #expect(
      stand.core.takeNotices().words == [hasFix ? "oneShot 1" : "failed locationUnknown"])
  }

  @Test("4.4 ignored while updates run; a start takes over, a stop cancels")
  func others() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startUpdating(manager)
    stand.core.requestLocation(manager)
    #expect(stand.fix(0, east: 0).words == ["standard 1"])
    stand.core.stopUpdating(manager)
    stand.core.requestLocation(manager)
    stand.core.startUpdating(manager)
    _ = stand.core.takeNotices()
    #expect(stand.fix(1, east: 10).words == ["standard 1"])
    stand.core.stopUpdating(manager)
    stand.core.requestLocation(manager)
    stand.core.stopUpdating(manager)
    #expect(stand.fix(2, east: 20).isEmpty)
    stand.core.advance(to: Stand.time(60))
    #expect(stand.core.takeNotices().isEmpty)
  }

  @Test(
    "4.3 after a request in a long silence, the 10 s count from the request, not from the last fix")
  func silence() {
    var stand = Stand()
    let manager = stand.manager()
    stand.fix(0, east: 0)
    stand.core.requestLocation(manager)
    stand.core.note(clock: Stand.time(600))
    #expect(stand.core.nextDeadline == Stand.time(610))
    stand.core.note(clock: Stand.time(605))
    #expect(stand.core.nextDeadline == Stand.time(610))
    stand.core.advance(to: Stand.time(610))
    #expect(stand.core.takeNotices().words == ["failed locationUnknown"])
  }

  @Test("4.4 asking again and again does not put the answer off")
  func again() {
    var stand = Stand()
    let manager = stand.manager()
    stand.fix(0, east: 0)
    stand.core[settings: manager].desiredAccuracy = 1
    for second in 0..<10 {
      stand.core.requestLocation(manager)
      stand.core.advance(to: Stand.time(Double(second)))
    }
    stand.core.advance(to: Stand.time(10))
    #expect(stand.core.takeNotices().words == ["failed locationUnknown"])
  }

  @Test("4.4 a second request while one is open gives no second answer")
  func second() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.requestLocation(manager)
    stand.core.requestLocation(manager)
    #expect(stand.fix(0, east: 0).words == ["oneShot 1"])
    #expect(stand.fix(1, east: 0).isEmpty)
  }

  @Test("4.1 denied, not determined, or denied later: one answer with the reason")
  func refused() {
    for status in [Authorization.Status.denied, .restricted, .notDetermined] {
      var stand = Stand(Authorization(status))
      let manager = stand.manager()
      stand.core.requestLocation(manager)
      #expect(stand.core.takeNotices().words == ["failed denied"], "\(status)")
    }
    var stand = Stand(Authorization(.notDetermined))
    let manager = stand.manager()
    stand.core.isRequestInProgress = true
    stand.core.requestLocation(manager)
    #expect(stand.core.takeNotices().isEmpty)
    stand.core.change(Authorization(.denied))
    #expect(stand.core.takeNotices().words == ["authorization", "failed denied"])
  }
}

@Suite("deferral")
struct DeferralTests {
  @Test("15.1 the reason against deferral is reported")
  func faults() {
    var stand = Stand()
    let manager = stand.manager()
    func allow() -> [String] {
      stand.core.allowDeferral(manager, distance: 100, timeout: 60)
      return stand.core.takeNotices().words
    }
    #expect(allow() == ["deferral deferredNotUpdatingLocation"])
    stand.core.startUpdating(manager)
    stand.core[settings: manager].desiredAccuracy = 100
    #expect(allow() == ["deferral deferredAccuracyTooLow"])
    stand.core[settings: manager].desiredAccuracy = -2
    stand.core[settings: manager].distanceFilter = 10
    #expect(allow() == ["deferral deferredDistanceFiltered"])
    stand.core[settings: manager].distanceFilter = -1
    #expect(allow().isEmpty)
  }

  @Test("15.2 nothing is held back while in use; the end is reported at the distance or the time")
  func foreground() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startUpdating(manager)
    stand.core.allowDeferral(manager, distance: 25, timeout: .greatestFiniteMagnitude)
    #expect(stand.fix(0, east: 0).words == ["standard 1"])
    #expect(stand.fix(1, east: 20).words == ["standard 1"])
    #expect(stand.fix(2, east: 40).words == ["standard 1", "deferral done"])
    stand.core.allowDeferral(manager, distance: .greatestFiniteMagnitude, timeout: 30)
    #expect(stand.fix(31, east: 50).words == ["standard 1"])
    #expect(stand.fix(33, east: 50).words == ["deferral done", "standard 1"])
  }

  @Test("15.2 AT-13 after a stop nothing that was held back is delivered, only the end")
  func stopped() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core[settings: manager].allowsBackground = true
    stand.core.startUpdating(manager)
    stand.core.isInBackground = true
    stand.core.allowDeferral(manager, distance: 1_000, timeout: 600)
    stand.fix(0, east: 0)
    stand.core.stopUpdating(manager)
    #expect(stand.core.takeNotices().words == ["deferral deferredCanceled"])
    #expect(stand.core.withheld == 1)
  }

  @Test("15.2 a second deferral cancels the first; its end flushes the held locations")
  func background() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core[settings: manager].allowsBackground = true
    stand.core.startUpdating(manager)
    stand.core.isInBackground = true
    stand.core.allowDeferral(manager, distance: 1_000, timeout: 600)
    stand.core.allowDeferral(manager, distance: 1_000, timeout: 600)
    #expect(stand.core.takeNotices().words == ["deferral deferredCanceled"])
    for second in 0..<5 { #expect(stand.fix(Double(second), east: 0).isEmpty) }
    stand.core.disallowDeferral(manager)
    stand.core.disallowDeferral(manager)
    #expect(stand.core.takeNotices().words == ["standard 5", "deferral deferredCanceled"])
  }
}
