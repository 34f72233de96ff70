import Services
import Testing

@Suite("the permission machine")
struct AuthorizationTests {
  @Test(
    "11 while in use: one prompt, and the user's answer",
    arguments: [
      (PromptAnswer.whenInUse, Authorization.Status.whenInUse), (.always, .whenInUse),
      (.once, .whenInUse),
      (.denied, .denied), (.unanswerable, .denied), (.declined, .notDetermined),
      (.fullAccuracy, .notDetermined),
    ])
  func whenInUse(_ answer: PromptAnswer, _ status: Authorization.Status) {
    let desk = Desk()
    desk.desk.requestWhenInUse()
    #expect(desk.desk.isRequestInProgress)
    #expect(desk.status == .notDetermined)
    #expect(desk.asked() == [.whenInUse])
    desk.answer(answer)
    #expect(desk.status == status)
    #expect(!desk.desk.isRequestInProgress)
  }

  @Test(
    "11 Always, in the precise profile: the user may grant it at once",
    arguments: [
      (PromptAnswer.always, Authorization.Status.always), (.whenInUse, .whenInUse),
      (.once, .whenInUse),
      (.denied, .denied), (.declined, .notDetermined),
    ])
  func always(_ answer: PromptAnswer, _ status: Authorization.Status) {
    let desk = Desk()
    desk.desk.requestAlways()
    #expect(desk.takePrompts().map(\.choices) == [[.always, .whenInUse, .once, .denied]])
    desk.desk.answer(1, answer)
    #expect(desk.status == status)
  }

  @Test(
    "AT-01 a decided permission causes no prompt",
    arguments: [Authorization.Status.always, .denied])
  func decided(_ status: Authorization.Status) {
    let desk = Desk(record: PermissionRecord(status))
    desk.desk.requestAlways()
    desk.desk.requestWhenInUse()
    #expect(desk.asked() == [])
    #expect(desk.status == status)
  }

  @Test("AT-02 two askers: one prompt, which answers both")
  func twoAskers() {
    let desk = Desk()
    desk.desk.requestAlways()
    desk.desk.requestAlways()
    desk.desk.requestWhenInUse()
    #expect(desk.asked() == [.always])
    desk.answer(.whenInUse)
    #expect(desk.status == .whenInUse)
    #expect(desk.asked() == [.always])
  }

  @Test("AT-02 a request for more during a prompt is prompted after it")
  func askerForMore() {
    let desk = Desk()
    desk.desk.requestWhenInUse()
    desk.desk.requestAlways()
    desk.desk.requestAlways()
    #expect(desk.asked() == [.whenInUse])
    desk.answer(.whenInUse)
    #expect(desk.asked() == [.whenInUse, .upgrade])
    #expect(desk.status == .whenInUse)
    desk.answer(.always)
    #expect(desk.status == .always)
    #expect(desk.asked() == [.whenInUse, .upgrade])
  }

  @Test("AT-02 an answer counts once, and only for the prompt that is up")
  func lateAnswer() {
    let desk = Desk()
    desk.desk.requestWhenInUse()
    desk.answer(.denied)
    desk.answer(.whenInUse)
    desk.desk.answer(99, .always)
    #expect(desk.status == .denied)
  }

  @Test(
    "AT-04 without a purpose there is no prompt, and a message says what is missing",
    arguments: [
      (PurposeStrings(), "NSLocationWhenInUseUsageDescription"),
      (PurposeStrings(always: "x"), "NSLocationWhenInUseUsageDescription"),
      (PurposeStrings(whenInUse: "x"), "NSLocationAlwaysAndWhenInUseUsageDescription"),
    ])
  func missingPurpose(_ purposes: PurposeStrings, _ key: String) {
    let desk = Desk(purposes: purposes)
    desk.desk.requestAlways()
    desk.desk.requestAlways()
    #expect(desk.asked() == [])
    #expect(desk.status == .notDetermined)
    #expect(
      desk.takeMessages() == [
        "the user is not prompted, because the purpose \(key) is missing; add it to the property list "
          + "that WAYMARK_PURPOSES names (an Info.plist), or in code to purposes of a "
          + "LocationService.Configuration"
      ])
    #expect(desk.takeMessages() == [])
  }

  @Test("11.1 while in use needs its own purpose only, and each prompt shows its own")
  func purposes() {
    let desk = Desk(purposes: PurposeStrings(whenInUse: "To show the way."))
    desk.desk.requestWhenInUse()
    #expect(desk.takePrompts().map(\.purpose) == ["To show the way."])
    let other = Desk()
    other.desk.requestAlways()
    #expect(other.takePrompts().map(\.purpose) == ["To remind you."])
  }

  @Test("11.1 a program that is not in use causes no prompt")
  func notInUse() {
    let desk = Desk()
    desk.desk.isInUse = false
    desk.desk.requestWhenInUse()
    desk.desk.isInUse = true
    #expect(desk.asked() == [])
    #expect(desk.status == .notDetermined)
  }

  @Test(
    "11 the upgrade from while in use to Always is prompted once ever",
    arguments: [PromptAnswer.whenInUse, .denied, .declined])
  func upgradeOnce(_ answer: PromptAnswer) {
    let desk = Desk(record: PermissionRecord(.whenInUse))
    desk.desk.requestAlways()
    #expect(desk.asked() == [.upgrade])
    desk.answer(answer)
    #expect(desk.status == .whenInUse)
    desk.desk.requestAlways()
    #expect(desk.asked() == [.upgrade])
    let later = Desk(record: desk.desk.record)
    later.desk.requestAlways()
    #expect(later.asked() == [])
  }

  @Test("11 an upgrade without a possible prompt can be requested again")
  func upgradeUnanswered() {
    let desk = Desk(record: PermissionRecord(.whenInUse))
    desk.desk.requestAlways()
    desk.answer(.unanswerable)
    #expect(desk.status == .whenInUse)
    desk.desk.requestAlways()
    #expect(desk.asked() == [.upgrade, .upgrade])
  }

  @Test("11 after a choice of while in use in the prompt for Always there is no other prompt")
  func alwaysAskedAtFirst() {
    let desk = Desk()
    desk.desk.requestAlways()
    desk.answer(.whenInUse)
    desk.desk.requestAlways()
    #expect(desk.asked() == [.always])
  }

  @Test("11 once ends when the program is no longer in use, and is not kept")
  func once() {
    let desk = Desk()
    desk.desk.requestWhenInUse()
    desk.answer(.once)
    #expect(desk.status == .whenInUse)
    #expect(desk.desk.record == PermissionRecord())
    desk.desk.requestAlways()
    #expect(desk.asked() == [.whenInUse])
    desk.desk.isInUse = false
    #expect(desk.status == .notDetermined)
    desk.desk.isInUse = true
    desk.desk.requestWhenInUse()
    #expect(desk.asked() == [.whenInUse, .whenInUse])
  }

  @Test("11 once, answered when the program is no longer in use, is over at once")
  func onceTooLate() {
    let desk = Desk()
    desk.desk.requestWhenInUse()
    desk.desk.isInUse = false
    desk.answer(.once)
    #expect(desk.status == .notDetermined)
  }

  @Test("11 denied for want of a user is not kept as the user's word")
  func unanswered() {
    let desk = Desk()
    desk.desk.requestWhenInUse()
    desk.answer(.unanswerable)
    #expect(desk.status == .denied)
    #expect(desk.desk.record == PermissionRecord())
  }

  @Test(
    "11 the settings lead from any status to any",
    arguments: Authorization.Status.allCases, Authorization.Status.allCases)
  func settings(_ before: Authorization.Status, _ after: Authorization.Status) {
    let desk = Desk(record: PermissionRecord(before))
    desk.desk.change(after)
    #expect(desk.status == after)
    #expect(desk.desk.record.status == after)
  }

  @Test("11 the settings dismiss a prompt, and its answer is ignored")
  func settingsDuringPrompt() {
    let desk = Desk()
    desk.desk.requestWhenInUse()
    desk.desk.change(.denied)
    #expect(!desk.desk.isRequestInProgress)
    desk.answer(.whenInUse)
    #expect(desk.status == .denied)
  }

  @Test("11 after a reset in the settings, Always can be requested again")
  func askNextTime() {
    let desk = Desk(record: PermissionRecord(.whenInUse, wasAskedForAlways: true))
    desk.desk.change(.notDetermined)
    desk.desk.requestWhenInUse()
    desk.answer(.whenInUse)
    desk.desk.requestAlways()
    #expect(desk.asked() == [.whenInUse, .upgrade])
  }

  @Test("11 services off for the machine: denied, no prompt, and afterwards as before")
  func serviceOff() {
    let desk = Desk(record: PermissionRecord(.whenInUse))
    desk.desk.isServiceOff = true
    #expect(desk.status == .denied)
    desk.desk.requestAlways()
    #expect(desk.asked() == [])
    #expect(desk.desk.record.status == .whenInUse)
    desk.desk.isServiceOff = false
    #expect(desk.status == .whenInUse)
  }
}
