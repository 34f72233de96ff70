import Services

/// A desk with the user at it: prompts are answered as the test says.
final class Desk {
  static let purposes = PurposeStrings(
    whenInUse: "To show the way.", always: "To remind you.",
    temporaryFullAccuracy: ["Route": "To find the exit.", "Nearby": "To find the shelf."])

  var desk: AuthorizationController
  private(set) var prompts: [Prompt] = []

  init(
    _ profile: Profile = .precise, purposes: PurposeStrings = purposes,
    record: PermissionRecord? = nil
  ) {
    desk = AuthorizationController(profile: profile, purposes: purposes, record: record)
  }

  /// What was asked so far, in order.
  func asked() -> [Prompt.Kind] {
    prompts += desk.takePrompts()
    return prompts.map(\.kind)
  }

  /// Answers the newest prompt.
  func answer(_ answer: PromptAnswer) {
    _ = asked()
    if let number = prompts.last?.number { desk.answer(number, answer) }
  }

  var status: Authorization.Status { desk.grant.status }

  func takePrompts() -> [Prompt] { desk.takePrompts() }
  func takeMessages() -> [String] { desk.takeMessages() }
  func takeCompletions() -> [AuthorizationController.Completion] { desk.takeCompletions() }
  func admitsBackgroundEvent() -> Bool { desk.admitsBackgroundEvent() }
}
