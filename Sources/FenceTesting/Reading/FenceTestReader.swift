internal import EventLog
internal import Settings
internal import Tracking

/// Reads the tests of a file; every error is noted at its line and column.
struct FenceTestReader {
  /// The fences that may be named; nil when the config has errors, so none is known.
  let fences: FenceSet?

  private static let keys = [
    "name", "track", "path", "device", "expect", "only", "never", "state",
  ]

  func tests(_ section: inout ConfigurationSectionReader) -> [FenceTest] {
    let expected = "tests, each with a name and a track or a path"
    guard section.has("tests") else {
      section.note(found: "no tests", expected: expected)
      return []
    }
    if section.isEmptyList("tests") {
      section.note(valueOf: "tests", found: "an empty list", expected: expected)
    }
    return section.items("tests", keys: Self.keys, expected: expected, test)
  }

  private func test(_ section: inout ConfigurationSectionReader) -> FenceTest? {
    if !section.has("name") { section.note(found: "no name", expected: "a name for the test") }
    let name = section.text("name", expected: "a name for the test")
    let source = source(&section)
    let device = section.text("device", expected: "a name such as van")
    let events = EventReader(fences: fences)
    let expectations = section.items(
      "expect", keys: EventReader.expectationKeys, expected: EventReader.form, events.expectation)
    let only = only(&section)
    let prohibitions = section.items(
      "never", keys: EventReader.prohibitionKeys, expected: EventReader.form, events.prohibition)
    let sides = section.items(
      "state", keys: ["at", "inside", "outside", "device"],
      expected: "{at: TIME, inside: [FENCE], outside: [FENCE]}", sides)
    guard let name, let source else { return nil }
    if !states(section) {
      section.note(
        found: "a test that checks nothing", expected: "one of expect, only, never, state")
    }
    return FenceTest(
      name: name, place: section.place, source: source, device: device,
      expectations: expectations, only: only, prohibitions: prohibitions, sides: sides)
  }

  /// Whether a test has a statement, be it a valid one or not.
  private func states(_ section: ConfigurationSectionReader) -> Bool {
    ["expect", "never", "state"].contains { section.has($0) && !section.isEmptyList($0) }
      || section.has("only") && section.scalar("only")?.text != "false"
  }

  private func source(_ section: inout ConfigurationSectionReader) -> FenceTest.Source? {
    switch (section.has("track"), section.has("path")) {
    case (true, true):
      section.note(key: "path", found: "a path beside a track", expected: "one of them")
      return nil
    case (false, false):
      section.note(found: "neither track nor path", expected: "one of them")
      return nil
    case (true, false):
      let paths = section.texts("track", expected: "the path of a track") ?? []
      if paths.contains("-") {
        section.note(valueOf: "track", found: "standard input", expected: "the path of a track")
      }
      return .tracks(paths.map { [section] in section.resolve($0) })
    case (false, true):
      return section.mapping(
        "path", keys: PathReader.keys, expected: PathReader.form, PathReader.path
      ).map { .path($0) }
    }
  }

  /// The kinds of the log that tests can name: the events of the engine.
  static let kinds = TestedKind.allCases.compactMap(\.kind)

  /// The value of `only`: true for all kinds, or those of which nothing else may be reported.
  private func only(_ section: inout ConfigurationSectionReader) -> Set<LogEntry.Kind> {
    switch section.scalar("only")?.text {
    case "true", "false": section.flag("only") == true ? Set(Self.kinds) : []
    default: Set((section.choices("only") as [TestedKind]?)?.compactMap(\.kind) ?? [])
    }
  }

  private enum TestedKind: String, CaseIterable {
    case enter, exit, dwell, state, visit
    case significantChange = "significant-change"

    var kind: LogEntry.Kind? { LogEntry.Kind(rawValue: rawValue) }
  }

  private func sides(_ section: inout ConfigurationSectionReader) -> ExpectedSides? {
    if !section.has("at") { section.note(found: "no time", expected: "at: and a time") }
    if !section.has("inside"), !section.has("outside") {
      section.note(found: "no fence", expected: "inside or outside, and ids of fences")
    }
    let events = EventReader(fences: fences)
    let time = section.time("at")
    let (inside, outside) = (
      events.fences("inside", &section), events.fences("outside", &section)
    )
    if let id = outside.first(where: { inside.contains($0) }) {
      section.note(
        valueOf: "outside", found: "'\(id)' in inside and in outside",
        expected: "each fence in one of them")
    }
    let device = section.text("device", expected: "the name of a device")
    return time.map {
      ExpectedSides(
        place: section.place, time: $0, inside: inside, outside: outside, device: device)
    }
  }
}
