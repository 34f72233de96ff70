import Locking
import Services
import TestSupport
import Testing

@Suite("Permission policies")
struct PolicyTests {
  /// What a policy answers to what a desk asks, at once.
  private static func ask(
    _ policy: PermissionPolicy, _ profile: Profile = .precise,
    _ request: (inout AuthorizationController) -> Void
  ) -> AuthorizationController {
    var store = PermissionPolicy.Store(policy)
    var desk = AuthorizationController(
      profile: profile, purposes: Desk.purposes, record: store.open { _ in })
    request(&desk)
    let answers = Mutex<[(Int, PromptAnswer)]>([])
    for prompt in desk.takePrompts() {
      policy.ask(prompt) { answer in answers.withLock { $0.append((prompt.number, answer)) } }
    }
    for (number, answer) in answers.withLock({ $0 }) { desk.answer(number, answer) }
    return desk
  }

  private static func open(_ store: inout PermissionPolicy.Store) -> PermissionRecord? {
    store.open { Issue.record("\($0)") }
  }

  @Test("allow: not determined at first, and requests are granted")
  func allow() {
    #expect(Self.ask(.allow) { _ in }.grant == Authorization(.notDetermined))
    #expect(Self.ask(.allow) { $0.requestWhenInUse() }.grant == Authorization(.whenInUse))
    #expect(Self.ask(.allow) { $0.requestAlways() }.grant == Authorization(.always))
    #expect(Self.ask(.allow, .apple) { $0.requestAlways() }.record.isProvisional)
  }

  @Test("deny, restrict and fixed values apply from the start, without a prompt")
  func fixed() {
    for (policy, grant) in [
      (PermissionPolicy.deny, Authorization(.denied)), (.restrict, Authorization(.restricted)),
      (.fixed(Authorization(.whenInUse, .reduced)), Authorization(.whenInUse, .reduced)),
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
    #expect(desk.grant == Authorization(.whenInUse))
  }

  @Test("AT-08 decisions are kept where a file is named, and nowhere else")
  func kept() throws {
    let folder = try ScratchFolder()
    let file = PermissionFile(path: folder.file("state/permission"), program: "van")
    for policy in [PermissionPolicy.deny, .restrict, .fixed(Authorization(.always))] {
      var store = PermissionPolicy.Store(policy, stateFile: file)
      _ = store.open { _ in }
      store.save(PermissionRecord(.always)) { _ in }
    }
    var store = PermissionPolicy.Store(.allow)
    #expect(Self.open(&store) == nil)
    store.save(PermissionRecord(.always)) { _ in }
    store = PermissionPolicy.Store(.allow, stateFile: file)
    #expect(Self.open(&store) == nil)
    store.save(PermissionRecord()) { _ in }
    #expect(try folder.names() == [])
    store.save(PermissionRecord(.always)) { _ in }
    #expect(try folder.names() == ["state", "state/permission"])
    store = PermissionPolicy.Store(.allow, stateFile: file)
    #expect(Self.open(&store) == PermissionRecord(.always))
  }

  @Test("an invalid file denies, with the reason, and is not overwritten")
  func broken() throws {
    let folder = try ScratchFolder()
    try folder.write("permission", "yes")
    let file = PermissionFile(path: folder.file("permission"), program: "van")
    var store = PermissionPolicy.Store(.allow, stateFile: file)
    var said: [String] = []
    let record = store.open { said.append($0) }
    #expect(record == PermissionRecord(.denied))
    #expect(said.count == 1)
    store.save(PermissionRecord(.always)) { said.append($0) }
    #expect(try folder.read("permission") == "yes")
    #expect(said.count == 1)
  }

  @Test("a failed write is reported")
  func unwritable() throws {
    let folder = try ScratchFolder()
    try folder.write("file", "")
    let file = PermissionFile(path: folder.file("file/permission"), program: "van")
    var store = PermissionPolicy.Store(.allow, stateFile: file)
    var said: [String] = []
    _ = store.open { said.append($0) }
    store.save(PermissionRecord(.always)) { said.append($0) }
    #expect(said.contains { $0.contains("not a directory") })
  }
}
