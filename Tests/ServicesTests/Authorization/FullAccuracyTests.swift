import Services
import Testing

@Suite("temporary full accuracy")
struct FullAccuracyTests {
  private static let reduced = PermissionRecord(.whenInUse, .reduced)

  @Test("12.5 granted, until the program is no longer in use, and not kept")
  func granted() {
    let desk = Desk(record: Self.reduced)
    let request = desk.desk.requestTemporaryFullAccuracy(purposeKey: "Route")
    #expect(desk.desk.grant.accuracy == .reduced)
    #expect(desk.takeCompletions() == [])
    #expect(desk.asked() == [.fullAccuracy(key: "Route")])
    desk.answer(.fullAccuracy)
    #expect(desk.desk.grant == Authorization(.whenInUse, .full))
    #expect(desk.takeCompletions().map(\.request) == [request])
    #expect(desk.desk.record == Self.reduced)
    desk.desk.isInUse = false
    #expect(desk.desk.grant == Authorization(.whenInUse, .reduced))
    desk.desk.isInUse = true
    #expect(desk.desk.grant.accuracy == .reduced)
  }

  @Test("12.5 no error means answered, not granted", arguments: [PromptAnswer.denied, .declined])
  func refused(_ answer: PromptAnswer) {
    let desk = Desk(record: Self.reduced)
    _ = desk.desk.requestTemporaryFullAccuracy(purposeKey: "Route")
    desk.answer(answer)
    #expect(desk.desk.grant.accuracy == .reduced)
    #expect(desk.takeCompletions().map(\.failure) == [nil])
  }

  @Test("12.5 without a user to prompt there is no answer")
  func unanswerable() {
    let desk = Desk(record: Self.reduced)
    _ = desk.desk.requestTemporaryFullAccuracy(purposeKey: "Route")
    desk.answer(.unanswerable)
    #expect(desk.takeCompletions().map(\.failure) == [.promptDeclined])
  }

  @Test("12.5 an unknown purpose: no prompt, an error, and a line that names it")
  func unknownKey() {
    let desk = Desk(record: Self.reduced)
    _ = desk.desk.requestTemporaryFullAccuracy(purposeKey: "Rout")
    #expect(desk.asked() == [])
    #expect(desk.takeCompletions().map(\.failure) == [.promptDeclined])
    #expect(
      desk.takeMessages().first?.contains(
        "'Rout' in NSLocationTemporaryUsageDescriptionDictionary is missing") == true)
  }

  @Test(
    "12.5 an error and no prompt when it is full already, or nothing is allowed",
    arguments: [
      PermissionRecord(.always, .full), PermissionRecord(.notDetermined, .reduced),
      PermissionRecord(.denied, .reduced), PermissionRecord(.restricted, .reduced),
    ])
  func pointless(_ record: PermissionRecord) {
    let desk = Desk(record: record)
    _ = desk.desk.requestTemporaryFullAccuracy(purposeKey: "Route")
    #expect(desk.asked() == [])
    #expect(desk.takeCompletions().map(\.failure) == [.promptDeclined])
  }

  @Test("12.5 an error in the background")
  func background() {
    let desk = Desk(record: Self.reduced)
    desk.desk.isInUse = false
    _ = desk.desk.requestTemporaryFullAccuracy(purposeKey: "Route")
    #expect(desk.asked() == [])
    #expect(desk.takeCompletions().map(\.failure) == [.promptDeclined])
  }

  @Test("12.5 two askers of one purpose have one prompt, another purpose none any more")
  func askers() {
    let desk = Desk(record: Self.reduced)
    let first = desk.desk.requestTemporaryFullAccuracy(purposeKey: "Route")
    let second = desk.desk.requestTemporaryFullAccuracy(purposeKey: "Route")
    let other = desk.desk.requestTemporaryFullAccuracy(purposeKey: "Nearby")
    #expect(desk.asked() == [.fullAccuracy(key: "Route")])
    desk.answer(.fullAccuracy)
    let ends = desk.takeCompletions()
    #expect(ends.map(\.request) == [first, second, other])
    #expect(ends.map(\.failure) == [nil, nil, .promptDeclined])
  }

  @Test("12.5 a purpose after a denied prompt is prompted in its turn")
  func turn() {
    let desk = Desk(record: Self.reduced)
    _ = desk.desk.requestTemporaryFullAccuracy(purposeKey: "Route")
    _ = desk.desk.requestTemporaryFullAccuracy(purposeKey: "Nearby")
    desk.answer(.denied)
    #expect(desk.asked() == [.fullAccuracy(key: "Route"), .fullAccuracy(key: "Nearby")])
  }

  @Test("12.5 the settings answer a prompt that has become pointless")
  func settings() {
    let desk = Desk(record: Self.reduced)
    _ = desk.desk.requestTemporaryFullAccuracy(purposeKey: "Route")
    desk.desk.change(Authorization.Accuracy.reduced)
    #expect(desk.desk.isRequestInProgress)
    desk.desk.change(Authorization.Accuracy.full)
    #expect(!desk.desk.isRequestInProgress)
    #expect(desk.takeCompletions().map(\.failure) == [nil])
  }

  @Test("12.5 denied in the settings, a prompt about the accuracy is put away")
  func denied() {
    let desk = Desk(record: Self.reduced)
    _ = desk.desk.requestTemporaryFullAccuracy(purposeKey: "Route")
    desk.desk.change(.denied)
    #expect(!desk.desk.isRequestInProgress)
    #expect(desk.takeCompletions().map(\.failure) == [.promptDeclined])
  }

  @Test("12.5 the settings end temporary full accuracy")
  func settingsEnd() {
    let desk = Desk(record: Self.reduced)
    _ = desk.desk.requestTemporaryFullAccuracy(purposeKey: "Route")
    desk.answer(.fullAccuracy)
    desk.desk.change(Authorization.Accuracy.reduced)
    #expect(desk.desk.grant.accuracy == .reduced)
  }

  @Test("T4 NSLocationDefaultAccuracyReduced: reduced until the user changes it")
  func coarseByDefault() {
    var purposes = Desk.purposes
    purposes.defaultsToReducedAccuracy = true
    #expect(Desk(purposes: purposes).desk.grant.accuracy == .reduced)
    let record = PermissionRecord(.whenInUse, .full)
    #expect(Desk(purposes: purposes, record: record).desk.grant.accuracy == .full)
  }
}
