import Services
import Testing
import Tracking

@Suite("streams and monitors")
struct StreamTests {
  @Test("9.1 9.3 updates while it moves, one stationary, silence, and on by itself")
  func stationary() {
    var stand = Stand()
    _ = stand.core.add(.stream(.other))
    let drive = (0..<60).flatMap { stand.fix(Double($0), east: Double($0) * 20).words }
    #expect(drive == Array(repeating: "update", count: 60))
    let rest = (60..<2_000).flatMap { stand.fix(Double($0), east: 1_180).words }
    #expect(rest.last == "stationary" && rest.dropLast().allSatisfy { $0 == "update" })
    #expect((890...910).contains(rest.count))
    #expect(stand.fix(2_001, east: 1_400).words == ["update"])
  }

  @Test("9.2 9.4 the reason for missing locations is reported once, and again when it changes")
  func diagnoses() throws {
    var stand = Stand(Authorization(.notDetermined))
    stand.core.isRequestInProgress = true
    _ = stand.core.add(.stream(.other))
    func diagnoses() -> [Diagnosis] {
      stand.core.takeNotices().compactMap {
        if case .update(let update) = $0.notice, update.location == nil {
          update.diagnosis
        } else {
          nil
        }
      }
    }
    #expect(try #require(diagnoses().first).authorizationRequestInProgress)
    stand.core.isServiceOff = true
    stand.core.change(Authorization(.denied))
    let denied = try #require(diagnoses().first)
    #expect(denied.authorizationDenied && denied.authorizationDeniedGlobally)
    stand.core.isServiceOff = false
    stand.core.isRequestInProgress = false
    stand.core.change(Authorization(.always))
    _ = stand.core.takeNotices()
    stand.core.sourceChanged(.unavailable("gone"))
    #expect(try #require(diagnoses().first).locationUnavailable)
    stand.core.sourceChanged(.unavailable("gone"))
    #expect(diagnoses().isEmpty)
  }

  @Test("10.3 in the background nothing is delivered without a held session")
  func background() {
    var stand = Stand()
    _ = stand.core.add(.stream(.other))
    stand.core.isInBackground = true
    _ = stand.core.takeNotices()
    #expect(stand.fix(0, east: 0).isEmpty && stand.core.withheld == 1)
    stand.core.isHeldActive = true
    _ = stand.core.takeNotices()
    #expect(stand.fix(1, east: 10).words == ["update"])
  }

  private func circle(east: Double) -> Condition {
    .circle(center: Stand.place(east: east), radius: 100)
  }

  private func take(_ stand: inout Stand, _ notices: [AddressedNotice]) -> [String] {
    for addressed in notices {
      if case .condition(let event) = addressed.notice { stand.core.handled(event, of: "m") }
    }
    return notices.words
  }

  @Test(
    "8.3 8.4 the first determination is an event, unless it confirms the assumed state")
  func determination() {
    for (assumed, told) in [
      (ConditionState.unknown, ["satisfied a"]), (.unsatisfied, ["satisfied a"]), (.satisfied, []),
    ] {
      var stand = Stand()
      stand.core.addCondition(circle(east: 0), identifier: "a", of: "m", assuming: assumed)
      #expect(stand.core.conditions(of: "m").map(\.state) == [assumed])
      _ = stand.core.add(.monitor("m"))
      let notices = (0..<5).flatMap { stand.fix(Double($0), east: 0) }
      #expect(take(&stand, notices) == told)
      #expect(stand.core.conditions(of: "m").map(\.state) == [.satisfied])
    }
  }

  @Test("8.5 the last event changes when it is taken; without an iteration nothing is monitored")
  func taken() {
    var stand = Stand()
    stand.core.addCondition(circle(east: 0), identifier: "a", of: "m")
    #expect(!stand.core.needsSource)
    #expect(stand.fix(0, east: 0).isEmpty)
    let reader = stand.core.add(.monitor("m"))
    #expect(stand.core.needsSource)
    let notices = stand.fix(1, east: 0)
    #expect(notices.words == ["satisfied a"])
    #expect(stand.core.conditions(of: "m").map(\.state) == [.unknown])
    // It was not taken: who iterates next is told again.
    stand.core.remove(reader)
    _ = stand.core.add(.monitor("m"))
    let again = stand.fix(2, east: 0)
    #expect(take(&stand, again) == ["satisfied a"])
    #expect(stand.core.conditions(of: "m").map(\.state) == [.satisfied])
  }

  @Test(
    "8.7 conditions that cannot be monitored are reported: beacons, invalid ones, too many, reduced accuracy"
  )
  func faults() {
    var stand = Stand(profile: .apple)
    stand.core.addCondition(.unsupported([]), identifier: "beacon", of: "m")
    stand.core.addCondition(
      .circle(center: Stand.origin, radius: -1), identifier: "nonsense", of: "m")
    for number in 2...20 {
      stand.core.addCondition(circle(east: 0), identifier: "\(number)", of: "m")
    }
    _ = stand.core.add(.monitor("m"))
    var told: [String: Diagnosis] = [:]
    for addressed in stand.core.takeNotices() {
      if case .condition(let event) = addressed.notice {
        #expect(event.state == .unmonitored)
        told[event.identifier] = event.diagnosis
      }
    }
    #expect(Set(told.keys) == ["beacon", "nonsense", "20"])
    #expect(told["beacon"]?.conditionUnsupported == true)
    #expect(told["20"]?.conditionLimitExceeded == true)
    stand.core.change(Authorization(.always, .reduced))
    let limited = stand.core.takeNotices().compactMap {
      if case .condition(let event) = $0.notice { event.diagnosis.accuracyLimited } else { nil }
    }
    #expect(limited == Array(repeating: true, count: 18))
  }

  @Test("8.2 conditions and their last events last from launch to launch")
  func launches() {
    var stand = Stand()
    stand.core.addCondition(circle(east: 0), identifier: "a", of: "m")
    _ = stand.core.add(.monitor("m"))
    let notices = stand.fix(0, east: 0)
    _ = take(&stand, notices)
    var next = Stand()
    next.core.resume(stand.core.registrations, nil)
    #expect(next.core.conditions(of: "m") == stand.core.conditions(of: "m"))
    _ = next.core.add(.monitor("m"))
    #expect(next.fix(60, east: 0).isEmpty)
    #expect(
      (0..<30).flatMap { next.fix(61 + Double($0), east: Double($0) * 20).words } == [
        "unsatisfied a"
      ])
  }

  @Test("observers get the current state first, then everything")
  func observers() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startMonitoring(
      Region(identifier: "a", center: Stand.origin, radius: 100), for: manager)
    stand.fix(0, east: 0)
    _ = stand.core.add(.observer([.locations, .events]))
    #expect(stand.core.takeNotices().easts == [[0]])
    var fences: [String] = []
    for second in 1..<40 {
      for addressed in stand.fix(Double(second), east: Double(second) * 10) {
        if case .event(let event) = addressed.notice, case .exit(let fence, _, _) = event.statement
        {
          fences.append(fence)
        }
      }
    }
    #expect(fences == ["a"])
  }
}

@Suite("permission and clients")
struct GrantChangeTests {
  @Test("2.1 2.2 every new manager is notified once, and all managers of every change")
  func told() {
    var stand = Stand(Authorization(.notDetermined))
    let one = stand.core.add(.manager)
    #expect(stand.core.takeNotices() == [AddressedNotice(to: one, .authorization)])
    let two = stand.core.add(.manager)
    _ = stand.core.takeNotices()
    stand.core.change(Authorization(.whenInUse))
    #expect(stand.core.takeNotices().map(\.to) == [one, two])
    stand.core.change(Authorization(.whenInUse))
    #expect(stand.core.takeNotices().isEmpty)
    stand.core.change(Authorization(.whenInUse, .reduced))
    #expect(stand.core.takeNotices().words == ["authorization", "authorization"])
  }

  @Test("11.5 AT-06 denied: the reason is reported, and there is never a fix")
  func denied() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startUpdating(manager)
    stand.fix(0, east: 0)
    stand.core.change(Authorization(.denied))
    #expect(stand.core.takeNotices().words == ["authorization", "failed denied"])
    #expect(stand.fix(1, east: 0).isEmpty)
    #expect(stand.core.lastLocation == nil && stand.core.history(count: 9).isEmpty)
    stand.core.startUpdating(manager)
    stand.core.stopUpdating(manager)
    stand.core.startUpdating(manager)
    #expect(stand.core.takeNotices().words == ["failed denied"])
    stand.core.change(Authorization(.always))
    _ = stand.core.takeNotices()
    #expect(stand.fix(2, east: 0).words == ["standard 1"])
  }

  @Test("a removed client gets nothing, not even queued notices")
  func removed() {
    var stand = Stand()
    let manager = stand.core.add(.manager)
    stand.core.remove(manager)
    stand.core.remove(manager)
    stand.core.startUpdating(manager)
    #expect(stand.core.takeNotices().isEmpty && !stand.core.needsSource)
  }

  @Test("a receiver behind the system's clock sets the time, and requests go by it")
  func behind() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.requestLocation(manager)
    stand.core.begin(at: Stand.time(50_000_000))
    #expect(stand.core.nextDeadline == Stand.time(50_000_010))
    #expect(stand.fix(0, east: 0, accuracy: 90).isEmpty)
    #expect(stand.core.now == Stand.time(0) && stand.core.nextDeadline == Stand.time(10))
    stand.core.advance(to: Stand.time(10))
    #expect(stand.core.takeNotices().words == ["oneShot 1"])
  }

  @Test("a recording that starts over has a clock of its own")
  func newTrace() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core.startUpdating(manager)
    stand.fix(1_000, east: 0)
    #expect(stand.fix(0, east: 10).isEmpty)
    stand.core.beginTrace()
    #expect(stand.fix(0, east: 10).words == ["standard 1"])
    #expect(stand.core.now == Stand.time(0))
  }

  @Test("the history is evenly spaced, in constant memory, the newest last")
  func history() {
    var stand = Stand()
    for second in 0..<10_000 { stand.fix(Double(second), east: Double(second)) }
    let sample = stand.core.history(count: 11).compactMap {
      $0.fix.time?.seconds(since: Stand.start)
    }
    #expect(sample.count == 11 && sample.first == 0 && sample.last == 9_999)
    #expect(zip(sample, sample.dropFirst()).allSatisfy { (900...1_100).contains($1 - $0) })
    #expect(stand.core.history(count: 1_000_000).count <= 2_049)
    #expect(stand.core.history(count: 0).isEmpty && stand.core.history(count: 1).count == 1)
  }
}
