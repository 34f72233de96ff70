import Services
import TestSupport
import Testing

@Suite("purposes from a property list")
struct PurposeTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func read(_ body: String) throws -> PurposeStrings {
    try folder.write(
      "Info.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>\(body)</dict></plist>
      """)
    return try PurposeStrings(path: folder.file("Info.plist"))
  }

  @Test("T4 the keys of Core Location; others are ignored")
  func keys() throws {
    let purposes = try read(
      """
      <key>CFBundleName</key><string>Van</string>
      <key>NSLocationWhenInUseUsageDescription</key><string>To show the way.</string>
      <key>NSLocationAlwaysAndWhenInUseUsageDescription</key><string>To remind you.</string>
      <key>NSLocationTemporaryUsageDescriptionDictionary</key>
      <dict><key>Route</key><string>To find the exit.</string></dict>
      <key>NSLocationDefaultAccuracyReduced</key><true/>
      <key>NSLocationRequireExplicitServiceSession</key><true/>
      """)
    #expect(
      purposes
        == PurposeStrings(
          whenInUse: "To show the way.", always: "To remind you.",
          temporaryFullAccuracy: ["Route": "To find the exit."], defaultsToReducedAccuracy: true,
          requiresExplicitSession: true))
  }

  @Test("T4 the key of macOS stands for both, and the other spelling of the session's key counts")
  func others() throws {
    let purposes = try read(
      """
      <key>NSLocationUsageDescription</key><string>For all.</string>
      <key>NSLocationWhenInUseUsageDescription</key><string></string>
      <key>CLRequireExplicitServiceSession</key><true/>
      """)
    #expect(
      purposes
        == PurposeStrings(whenInUse: "For all.", always: "For all.", requiresExplicitSession: true))
    #expect(try read("") == PurposeStrings())
  }

  @Test("errors are named")
  func faults() throws {
    let path = folder.file("Info.plist")
    #expect(throws: PurposeError.missing(path: path)) { try PurposeStrings(path: path) }
    #expect(
      throws: PurposeError.invalid(
        path: path, "expected a text for 'NSLocationWhenInUseUsageDescription'")
    ) { try read("<key>NSLocationWhenInUseUsageDescription</key><true/>") }
    #expect(
      throws: PurposeError.invalid(
        path: path, "expected true or false for 'NSLocationDefaultAccuracyReduced'")
    ) { try read("<key>NSLocationDefaultAccuracyReduced</key><string>yes</string>") }
    for text in ["", "{", "bplist00", "<plist>", "\u{0}"] {
      try folder.write("Info.plist", text)
      #expect(throws: PurposeError.self) { try PurposeStrings(path: path) }
    }
    #expect(throws: PurposeError.self) { try PurposeStrings(path: folder.path) }
  }
}
