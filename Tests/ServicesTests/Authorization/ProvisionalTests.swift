import Services
import Testing
import Tracking

@Suite("Always, in two prompts as by Apple")
struct ProvisionalTests {
  private static func provisional() -> Desk {
    let desk = Desk(.apple)
    desk.desk.requestAlways()
    desk.answer(.whenInUse)
    return desk
  }

  @Test("11 the first prompt has no always in it; the program sees always, provisionally")
  func first() {
    let desk = Desk(.apple)
    desk.desk.requestAlways()
    #expect(desk.takePrompts().map(\.choices) == [[.whenInUse, .once, .denied]])
    desk.desk.answer(1, .whenInUse)
    #expect(desk.status == .always)
    #expect(desk.desk.record.isProvisional)
    #expect(desk.asked() == [])
  }

  @Test(
    "11 the first event in the background asks the user, and waits",
    arguments: [
      (PromptAnswer.always, Authorization.Status.always), (.whenInUse, .whenInUse),
      (.denied, .whenInUse),
    ])
  func second(_ answer: PromptAnswer, _ status: Authorization.Status) {
    let desk = Self.provisional()
    desk.desk.isInUse = false
    #expect(!desk.admitsBackgroundEvent())
    #expect(!desk.admitsBackgroundEvent())
    #expect(desk.asked() == [.always, .confirmation])
    desk.answer(answer)
    #expect(desk.status == status)
    #expect(!desk.desk.record.isProvisional)
    #expect(desk.admitsBackgroundEvent())
    #expect(desk.asked() == [.always, .confirmation])
  }

  @Test("11 the provisional always outlives the program")
  func launched() {
    let desk = Desk(.apple, record: Self.provisional().desk.record)
    #expect(desk.status == .always)
    #expect(!desk.admitsBackgroundEvent())
    #expect(desk.asked() == [.confirmation])
  }

  @Test("11 an unanswered confirmation leaves it provisional")
  func unanswered() {
    let desk = Self.provisional()
    _ = desk.admitsBackgroundEvent()
    desk.answer(.unanswerable)
    #expect(desk.status == .always)
    #expect(!desk.admitsBackgroundEvent())
  }

  @Test("11 other permissions hold nothing back", arguments: [Profile.apple, .precise])
  func others(_ profile: Profile) {
    for status in Authorization.Status.allCases {
      let desk = Desk(profile, record: PermissionRecord(status))
      #expect(desk.admitsBackgroundEvent())
      #expect(desk.asked() == [])
    }
  }

  @Test("11 the prompt of an upgrade offers Always, which is not provisional")
  func upgrade() {
    let desk = Desk(.apple, record: PermissionRecord(.whenInUse))
    desk.desk.requestAlways()
    desk.answer(.always)
    #expect(desk.desk.record == PermissionRecord(.always, wasAskedForAlways: true))
  }

  @Test("11.2 withheld events: the latest, once, and not too long")
  func held() {
    let start = Timestamp(nanoseconds: 0)
    let limit = WithheldEvent<String>.patience
    var held = WithheldEvent<String>()
    func release(after seconds: Double) -> String? {
      held.release(at: start.advanced(bySeconds: seconds))
    }
    #expect(release(after: 0) == nil)
    held.hold("first", at: start)
    held.hold("second", at: start.advanced(bySeconds: 1))
    #expect(release(after: 1 + limit) == "second")
    #expect(release(after: 0) == nil)
    held.hold("old", at: start)
    #expect(release(after: limit + 0.001) == nil)
    held.hold("dropped", at: start)
    held.drop()
    #expect(release(after: 0) == nil)
  }
}
