import Services
import TestSupport
import Testing

@Suite("the permission file")
struct PermissionFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func file(_ name: String = "van.permission") -> PermissionFile {
    PermissionFile(path: folder.file(name), program: "van")
  }

  @Test(
    "a written record reads back",
    arguments: Authorization.Status.allCases, Authorization.Accuracy.allCases)
  func roundTrip(_ status: Authorization.Status, _ accuracy: Authorization.Accuracy) throws {
    for (asked, provisional) in [(false, false), (true, false), (true, true)] {
      let record = PermissionRecord(
        status, accuracy, wasAskedForAlways: asked, isProvisional: provisional)
      try file().write(record)
      #expect(try file().read() == record)
    }
  }

  @Test("nothing is kept at first; the file is its owner's alone, and so is a folder made for it")
  func modes() throws {
    #expect(try file("new/van.permission").read() == nil)
    #expect(try folder.names() == [])
    try file("new/van.permission").write(PermissionRecord(.always))
    #expect(try folder.mode("new") == 0o700)
    #expect(try folder.mode("new/van.permission") == 0o600)
  }

  @Test("the text is for people too")
  func text() throws {
    try file().write(PermissionRecord(.whenInUse, .reduced, wasAskedForAlways: true))
    #expect(
      try folder.read("van.permission") == """
        {
          "accuracy" : "reduced",
          "program" : "van",
          "status" : "whenInUse",
          "wasAskedForAlways" : true
        }

        """)
    try folder.write("van.permission", #"{"program":"van","status":"always"}"#)
    #expect(try file().read() == PermissionRecord(.always))
  }

  @Test("one that others can use is not believed", arguments: [0o644, 0o640, 0o620, 0o666, 0o604])
  func open(_ mode: Int) throws {
    try folder.write("van.permission", #"{"program":"van","status":"always"}"#, mode: mode)
    let path = folder.file("van.permission")
    #expect(throws: PermissionFileError.open(path: path, mode: UInt32(mode))) {
      try file().read()
    }
  }

  @Test(
    "an invalid file is reported with its error",
    arguments: [
      ("", nil), ("{", nil), ("[]", nil), ("null", nil), (#"{"program":"van"}"#, "status"),
      (#"{"status":"always"}"#, "program"), (#"{"program":"van","status":"perhaps"}"#, "status"),
      (#"{"program":"van","status":3}"#, "status"),
      (#"{"program":"van","status":"always","accuracy":"good"}"#, "accuracy"),
      (#"{"program":"van","status":"always","isProvisional":1}"#, "isProvisional"),
      ("\u{0}\u{FFFD}", nil),
    ] as [(String, String?)])
  func broken(_ text: String, _ key: String?) throws {
    try folder.write("van.permission", text)
    #expect(throws: PermissionFileError.broken(path: folder.file("van.permission"), key: key)) {
      try file().read()
    }
  }

  @Test("one program does not live on the permission of another")
  func ofAnother() throws {
    try folder.write("van.permission", #"{"program":"car","status":"always"}"#)
    #expect(
      throws: PermissionFileError.ofAnother(path: folder.file("van.permission"), program: "car")
    ) { try file().read() }
  }

  @Test("a folder in its place cannot be read")
  func isFolder() throws {
    _ = try ScratchFolder()
    let file = PermissionFile(path: folder.file("a/van.permission"), program: "van")
    try PermissionFile(path: folder.file("a/van.permission/x"), program: "x")
      .write(PermissionRecord(.always))
    #expect(throws: PermissionFileError.self) { try file.read() }
  }

  @Test("in a folder each program has a file of its own, and no name leads out of it")
  func names() {
    func path(_ program: String) -> String {
      PermissionFile(path: folder.path, program: program).path
    }
    #expect(path("van-2_b") == folder.file("van-2_b.permission"))
    #expect(path("../etc/van") == folder.file("___etc_van.permission"))
    #expect(path("größe 1") == folder.file("gr__e_1.permission"))
    #expect(path("") == folder.file("_.permission"))
    #expect(
      PermissionFile(path: folder.file("none/"), program: "van").path
        == folder.file("none/van.permission"))
  }
}
