import Services
import Testing

@Suite("service sessions and permission")
struct ServiceSessionTests {
  @Test(
    "10.1 a session requests what it needs",
    arguments: [
      (ServiceSession.Need.none, [Prompt.Kind]()), (.whenInUse, [.whenInUse]), (.always, [.always]),
    ])
  func asks(_ need: ServiceSession.Need, _ kinds: [Prompt.Kind]) {
    let desk = Desk()
    let id = desk.desk.open(ServiceSession(need))
    #expect(desk.asked() == kinds)
    #expect(desk.desk.diagnosis(of: id).authorizationRequestInProgress == !kinds.isEmpty)
    #expect(desk.desk.need == need)
  }

  @Test("10.1 sessions are layered: the strongest need counts, as long as it is held")
  func layers() {
    let desk = Desk(record: PermissionRecord(.always))
    let weak = desk.desk.open(ServiceSession(.whenInUse))
    let strong = desk.desk.open(ServiceSession(.always))
    let none = desk.desk.open(ServiceSession(.none))
    #expect(desk.desk.need == .always)
    desk.desk.close(strong)
    #expect(desk.desk.need == .whenInUse)
    desk.desk.close(strong)
    desk.desk.close(weak)
    #expect(desk.desk.need == .none)
    desk.desk.close(none)
    #expect(desk.desk.need == .none)
  }

  @Test("10.1 a session for more, opened during a prompt, is prompted after it")
  func more() {
    let desk = Desk()
    _ = desk.desk.open(ServiceSession(.whenInUse))
    let strong = desk.desk.open(ServiceSession(.always))
    desk.answer(.whenInUse)
    #expect(!desk.desk.diagnosis(of: strong).alwaysAuthorizationDenied)
    #expect(desk.asked() == [.whenInUse, .upgrade])
    desk.answer(.whenInUse)
    #expect(desk.desk.diagnosis(of: strong).alwaysAuthorizationDenied)
  }

  @Test("10.1 full accuracy with a session: after the status, and diagnosed when denied")
  func fullAccuracy() {
    var purposes = Desk.purposes
    purposes.defaultsToReducedAccuracy = true
    let desk = Desk(purposes: purposes)
    let id = desk.desk.open(ServiceSession(.whenInUse, fullAccuracyKey: "Route"))
    desk.answer(.whenInUse)
    #expect(desk.asked() == [.whenInUse, .fullAccuracy(key: "Route")])
    #expect(!desk.desk.diagnosis(of: id).fullAccuracyDenied)
    desk.answer(.denied)
    #expect(desk.desk.diagnosis(of: id).fullAccuracyDenied)
    #expect(desk.takeCompletions() == [])
  }

  @Test("10.1 when a program comes into use, its sessions' needs are prompted")
  func comesIntoUse() {
    let desk = Desk()
    desk.desk.isInUse = false
    let id = desk.desk.open(ServiceSession(.whenInUse))
    #expect(desk.asked() == [])
    #expect(desk.desk.diagnosis(of: id).insufficientlyInUse)
    desk.desk.isInUse = true
    #expect(desk.asked() == [.whenInUse])
    #expect(!desk.desk.diagnosis(of: id).insufficientlyInUse)
  }

  @Test("10.1 a prompt that was put away is not shown again by itself")
  func declined() {
    let desk = Desk()
    _ = desk.desk.open(ServiceSession(.always))
    desk.answer(.declined)
    #expect(desk.asked() == [.always])
    #expect(desk.status == .notDetermined)
  }

  @Test("10.2 already decided: nothing is in progress, and the problem is diagnosed")
  func diagnoses() {
    func diagnosis(
      _ status: Authorization.Status, _ need: ServiceSession.Need = .whenInUse, isOff: Bool = false
    ) -> Diagnosis {
      let desk = Desk(record: PermissionRecord(status, wasAskedForAlways: true))
      desk.desk.isServiceOff = isOff
      let id = desk.desk.open(ServiceSession(need))
      return desk.desk.diagnosis(of: id)
    }
    #expect(diagnosis(.whenInUse) == Diagnosis())
    #expect(diagnosis(.always, .always) == Diagnosis())
    var expected = Diagnosis()
    expected.alwaysAuthorizationDenied = true
    #expect(diagnosis(.whenInUse, .always) == expected)
    expected = Diagnosis()
    expected.authorizationDenied = true
    #expect(diagnosis(.denied) == expected)
    expected.authorizationDeniedGlobally = true
    #expect(diagnosis(.whenInUse, isOff: true) == expected)
    expected = Diagnosis()
    expected.authorizationRestricted = true
    #expect(diagnosis(.restricted) == expected)
  }

  @Test("9.5 a stream implies while in use, never Always or full accuracy")
  func stream() {
    let desk = Desk(record: PermissionRecord(.notDetermined, .reduced))
    _ = desk.desk.open(.ofStream)
    desk.answer(.whenInUse)
    #expect(desk.asked() == [.whenInUse])
    #expect(desk.status == .whenInUse)
  }

  @Test("9.5 with NSLocationRequireExplicitServiceSession a stream requests nothing by itself")
  func explicit() {
    var purposes = Desk.purposes
    purposes.requiresExplicitSession = true
    let desk = Desk(purposes: purposes)
    let stream = desk.desk.open(.ofStream)
    #expect(desk.asked() == [])
    #expect(desk.desk.need == .none)
    #expect(desk.desk.diagnosis(of: stream).serviceSessionRequired)
    let session = desk.desk.open(ServiceSession(.whenInUse))
    #expect(desk.asked() == [.whenInUse])
    #expect(!desk.desk.diagnosis(of: stream).serviceSessionRequired)
    desk.desk.close(session)
    #expect(desk.desk.diagnosis(of: stream).serviceSessionRequired)
    desk.desk.close(stream)
    #expect(desk.desk.diagnosis(of: stream) == Diagnosis())
  }
}
