import Locking
import Services
import TestSupport
import Testing

@Suite("who decides about permission")
struct PolicyTests {
  /// What a policy answers to what a desk asks, at once.
  private static func ask(
    _ policy: PermissionPolicy, _ profile: Profile = .precise,
    _ request: (inout AuthorizationDesk) -> Void
  ) -> AuthorizationDesk {
    var keeper = PermissionPolicy.Keeper(policy)
    var desk = AuthorizationDesk(
      profile: profile, purposes: Desk.purposes, record: keeper.open { _ in })
    request(&desk)
    let answers = Mutex<[(Int, PromptAnswer)]>([])
    for prompt in desk.takePrompts() {
      policy.ask(prompt) { answer in answers.withLock { $0.append((prompt.number, answer)) } }
    }
    for (number, answer) in answers.withLock({ $0 }) { desk.answer(number, answer) }
    return desk
  }

  private static func open(_ keeper: inout PermissionPolicy.Keeper) -> PermissionRecord? {
    keeper.open { Issue.record("\($0)") }
  }

  @Test("allow: nothing is decided at first, and what is asked for is granted")
  func allow() {
    #expect(Self.ask(.allow) { _ in }.grant == Grant(.notDetermined))
    #expect(Self.ask(.allow) { $0.requestWhenInUse() }.grant == Grant(.whenInUse))
    #expect(Self.ask(.allow) { $0.requestAlways() }.grant == Grant(.always))
    #expect(Self.ask(.allow, .apple) { $0.requestAlways() }.record.isProvisional)
  }

  @Test("deny, restrict and what is fixed hold from the start, and nobody is asked")
  func fixed() {
    for (policy, grant) in [
      (PermissionPolicy.deny, Grant(.denied)), (.restrict, Grant(.restricted)),
      (.fixed(Grant(.whenInUse, .reduced)), Grant(.whenInUse, .reduced)),
    ] {
      #expect(Self.ask(policy) { $0.requestWhenInUse() }.grant == grant)
    }
  }

  @Test("a function answers with the prompt at hand")
  func function() {
    let desk = Self.ask(
      .function { prompt, reply in
        #expect(prompt.purpose == "To show the way.")
        reply(.once)
      }
    ) { $0.requestWhenInUse() }
    #expect(desk.grant == Grant(.whenInUse))
  }

  @Test("AT-08 decisions are kept where a file is named, and nowhere else")
  func kept() throws {
    let folder = try ScratchFolder()
    let file = PermissionFile(path: folder.file("state/permission"), program: "van")
    for policy in [PermissionPolicy.deny, .restrict, .fixed(Grant(.always))] {
      var keeper = PermissionPolicy.Keeper(policy, stateFile: file)
      _ = keeper.open { _ in }
      keeper.keep(PermissionRecord(.always)) { _ in }
    }
    var keeper = PermissionPolicy.Keeper(.allow)
    #expect(Self.open(&keeper) == nil)
    keeper.keep(PermissionRecord(.always)) { _ in }
    keeper = PermissionPolicy.Keeper(.allow, stateFile: file)
    #expect(Self.open(&keeper) == nil)
    keeper.keep(PermissionRecord()) { _ in }
    #expect(try folder.names() == [])
    keeper.keep(PermissionRecord(.always)) { _ in }
    #expect(try folder.names() == ["state", "state/permission"])
    keeper = PermissionPolicy.Keeper(.allow, stateFile: file)
    #expect(Self.open(&keeper) == PermissionRecord(.always))
  }

  @Test("a file that is not believed denies, says why, and is not written over")
  func broken() throws {
    let folder = try ScratchFolder()
    try folder.write("permission", "yes")
    let file = PermissionFile(path: folder.file("permission"), program: "van")
    var keeper = PermissionPolicy.Keeper(.allow, stateFile: file)
    var said: [String] = []
    let record = keeper.open { said.append($0) }
    #expect(record == PermissionRecord(.denied))
    #expect(said.count == 1)
    keeper.keep(PermissionRecord(.always)) { said.append($0) }
    #expect(try folder.read("permission") == "yes")
    #expect(said.count == 1)
  }

  @Test("what cannot be kept is told")
  func unwritable() throws {
    let folder = try ScratchFolder()
    try folder.write("file", "")
    let file = PermissionFile(path: folder.file("file/permission"), program: "van")
    var keeper = PermissionPolicy.Keeper(.allow, stateFile: file)
    var said: [String] = []
    _ = keeper.open { said.append($0) }
    keeper.keep(PermissionRecord(.always)) { said.append($0) }
    #expect(said.contains { $0.contains("not a directory") })
  }
}
