import Services
import Testing
import Tracking

@Suite("streams and requests of the core")
struct ObserverTests {
  @Test("a request with a time of its own waits for its accuracy as long, and no longer")
  func within() {
    var stand = Stand()
    let client = stand.core.add(.observer([]))
    stand.core.advance(to: Stand.time(0))
    stand.core[settings: client].desiredAccuracy = 10
    stand.core.requestLocation(client, within: 60)
    // Three that are no better would end a manager's request, and so would 10 s.
    for second in 1..<60 {
      #expect(stand.fix(Double(second), east: 0, accuracy: 30).isEmpty)
    }
    #expect(stand.core.nextDeadline == Stand.time(60))
    stand.core.advance(to: Stand.time(60))
    #expect(stand.core.takeNotices().words == ["oneShot 1"])
  }

  @Test("3.3 a request that waits for a source counts its time from when the source begins")
  func lateSource() {
    var stand = Stand()
    let manager = stand.manager()
    stand.fix(0, east: 0)
    stand.core.requestLocation(manager)
    // The source was off for an hour.
    stand.core.begin(at: Stand.time(3_600))
    #expect(stand.core.takeNotices().isEmpty)
    stand.core.advance(to: Stand.time(3_609))
    #expect(stand.core.takeNotices().isEmpty)
    stand.core.advance(to: Stand.time(3_610))
    #expect(stand.core.takeNotices().words == ["failed locationUnknown"])
  }

  @Test("4.2 a fix without an accuracy is as good as its location says")
  func unknownAccuracy() {
    var stand = Stand()
    let manager = stand.manager()
    stand.core[settings: manager].desiredAccuracy = 100
    stand.core.requestLocation(manager)
    #expect(stand.fix(0, east: 0, accuracy: nil).words == ["oneShot 1"])
  }

  @Test("12.3 observers get reduced locations where only these are allowed")
  func coarse() throws {
    var stand = Stand(Authorization(.always, .reduced))
    let observer = stand.core.add(.observer([.events, .visits, .significantChanges]))
    let exact = Stand.place(east: 0)
    var places: [Notice] = []
    for second in stride(from: 0.0, through: 1_800, by: 10) {
      places += stand.fix(second, east: 0).filter { $0.to == observer }.map(\.notice)
    }
    let told = places.compactMap { notice in
      switch notice {
      case .event(let event): event.coordinate
      case .visit(let stay): stay.coordinate
      case .locations(let reports, _): reports.last?.fix.coordinate
      default: nil
      }
    }
    #expect(told.count >= 3)
    #expect(told.allSatisfy { $0 != exact })
    #expect(Set(told).count == 1)
  }

  @Test("11.5 observers are notified of a denial")
  func refusal() {
    var stand = Stand()
    _ = stand.core.add(.observer(.events))
    _ = stand.core.takeNotices()
    stand.core.change(Authorization(.denied))
    #expect(stand.core.takeNotices().words == ["failed denied"])
  }

  @Test("9.4 live streams hear of the background, of sessions, and of one that is missing")
  func use() {
    var stand = Stand()
    _ = stand.core.add(.stream(.other))
    _ = stand.core.takeNotices()
    func diagnoses(_ notices: [AddressedNotice]) -> [Diagnosis] {
      notices.compactMap { addressed in
        if case .update(let update) = addressed.notice { update.diagnosis } else { nil }
      }
    }
    stand.core.isInBackground = true
    #expect(diagnoses(stand.core.takeNotices()).map(\.insufficientlyInUse) == [true])
    #expect(stand.fix(0, east: 0).isEmpty)
    stand.core.isHeldActive = true
    #expect(diagnoses(stand.core.takeNotices()).map(\.insufficientlyInUse) == [false])
    #expect(stand.fix(1, east: 0).words == ["update"])
    stand.core.isSessionMissing = true
    #expect(diagnoses(stand.core.takeNotices()).map(\.serviceSessionRequired) == [true])
    #expect(stand.fix(2, east: 0).isEmpty)
    #expect(stand.core.withheld == 2)
  }

  @Test("8.2 8.5 after a launch a monitor starts with the differences to the events taken")
  func relaunch() throws {
    var stand = Stand()
    let circle = Condition.circle(center: Stand.place(east: 0), radius: 100)
    stand.core.addCondition(circle, identifier: "a", of: "shop")
    _ = stand.core.add(.monitor("shop"))
    #expect((0..<3).flatMap { stand.fix(Double($0), east: 0).words } == ["satisfied a"])
    // The event was not taken, and the program ends.
    var next = Stand()
    next.core.resume(stand.core.registrations, stand.core.checkpoint)
    #expect(next.core.conditions(of: "shop").map(\.state) == [.unknown])
    let loop = next.core.add(.monitor("shop"))
    let told = (3..<6).flatMap { next.fix(Double($0), east: 0) }.filter { $0.to == loop }
    #expect(told.words == ["satisfied a"])
  }

  @Test("8.4 a condition added again between two fixes is reported again, removed before or not")
  func addedAgain() {
    for isRemoved in [true, false] {
      var stand = Stand()
      let circle = Condition.circle(center: Stand.place(east: 0), radius: 100)
      stand.core.addCondition(circle, identifier: "a", of: "shop")
      _ = stand.core.add(.monitor("shop"))
      #expect((0..<3).flatMap { stand.fix(Double($0), east: 0).words } == ["satisfied a"])
      if isRemoved { stand.core.removeCondition("a", of: "shop") }
      stand.core.addCondition(circle, identifier: "a", of: "shop")
      #expect((3..<6).flatMap { stand.fix(Double($0), east: 0).words } == ["satisfied a"])
    }
  }
}
