internal import EventLog
internal import Explaining
internal import Settings
internal import Text
internal import Tracking

/// Compares the events of a track with the statements of a test.
struct TestJudge {
  private let test: FenceTest
  private let entries: [LogEntry]
  /// The names of the devices in the track, in order.
  private let devices: [String]
  /// The times of the first and the last fix of the track that was used; nil when none was.
  private let span: ClosedRange<Timestamp>?
  private var explainer: TestExplainer
  private(set) var failures: [FenceTestFailure] = []

  init(_ test: FenceTest, _ entries: [LogEntry], _ played: PlayedTest) {
    self.test = test.named(as: played.devices)
    (self.entries, devices, span) = (entries, played.devices, played.span)
    explainer = TestExplainer(played)
  }

  mutating func judge() {
    let match = ExpectationMatch(test.expectations, entries)
    for (index, expectation) in test.expectations.enumerated() where match.met[index] == nil {
      if failsForDevice(expectation.pattern.device, expectation.place) { continue }
      fail(expectation, match.nearest[index])
    }
    for prohibition in test.prohibitions {
      if failsForDevice(prohibition.pattern.device, prohibition.place) { continue }
      if let between = prohibition.between, failsForTime(between, prohibition.place) { continue }
      for entry in entries where prohibition.matches(entry) {
        let when = prohibition.between.map {
          " between \(Expectation.text($0.lowerBound)) and \(Expectation.text($0.upperBound))"
        }
        fail(prohibition.place, "expected no \(prohibition.pattern.words)\(when ?? "")", entry)
      }
    }
    for (number, entry) in entries.enumerated()
    where test.only.contains(entry.kind) && !match.taken.contains(number) {
      fail(test.place, "expected nothing else (only)", entry)
    }
  }

  /// Fails when the track does not have the device of a statement, which `never` would hold of.
  private mutating func failsForDevice(_ name: String?, _ place: ConfigurationPlace) -> Bool {
    guard let name, !devices.contains(name) else { return false }
    let names = devices.prefix(5).joined(separator: ", ") + (devices.count > 5 ? ", …" : "")
    failures.append(
      FenceTestFailure(
        place: place,
        message: "the track has no device \(name)" + (devices.isEmpty ? "" : "; it has \(names)")))
    return true
  }

  /// Fails when the track has no fix in a time span, so `never` would hold of nothing.
  private mutating func failsForTime(
    _ time: ClosedRange<Timestamp>, _ place: ConfigurationPlace
  ) -> Bool {
    if let span, span.overlaps(time) { return false }
    failures.append(
      FenceTestFailure(
        place: place,
        message: span.map(Explainer.outside) ?? "the track has no fix that can be used"))
    return true
  }

  /// A failure because of an event that must not be there.
  private mutating func fail(_ place: ConfigurationPlace, _ expected: String, _ entry: LogEntry) {
    let time = entry.time.map { " at \(Expectation.text($0))" } ?? ""
    failures.append(
      FenceTestFailure(
        place: place, message: "\(expected), found \(EventPattern.words(entry))\(time)",
        explanation: explainer.lines(for: entry)))
  }

  private mutating func fail(_ expectation: Expectation, _ nearest: ExpectationMatch.Nearest?) {
    let pattern = expectation.pattern
    var failure = FenceTestFailure(
      place: expectation.place, message: "expected \(expectation.words), ")
    guard let nearest else {
      let others = entries.filter(pattern.matches)
      guard others.isEmpty else {
        failure.message += Self.words(others)
        return failures.append(failure)
      }
      failure.message += "there is none"
      failure.explanation = explainer.lines(
        pattern.kind, of: pattern.fence, near: expectation.when, device: pattern.device)
      return failures.append(failure)
    }
    let entry = entries[nearest.number]
    let differences = expectation.differences(from: entry)
    var words = differences.map(\.words)
    // The time comes first, unless it is what differs.
    if let time = entry.time.map(Expectation.text), words.first?.hasPrefix(time) != true {
      words.insert(time, at: 0)
    }
    failure.message += "nearest is " + words.joined(separator: ", ")
    if nearest.isInOrder {
      let edits = differences.map(\.edit)
      if !edits.contains(nil) { failure.edits = edits.compactMap(\.self) }
    } else {
      failure.message += ", which is not in this order"
    }
    failure.explanation = explainer.lines(for: entry)
    failures.append(failure)
  }

  /// That events of the kind exist, each of which another expectation has.
  private static func words(_ others: [LogEntry]) -> String {
    guard let time = others.first?.time, others.count == 1 else {
      return "there are \(others.count), which other expectations have, and no more"
    }
    return "there is one, at \(Expectation.text(time)), which another expectation has, and no "
      + "second one"
  }

  // MARK: Sides

  mutating func judge(sides entries: [LogEntry]) {
    for sides in test.sides {
      if sides.device == nil, devices.count > 1 {
        failures.append(
          FenceTestFailure(
            place: sides.place,
            message: "the track has \(devices.count) devices, expected device: and the name of one"
          ))
        continue
      }
      if failsForDevice(sides.device, sides.place) { continue }
      let (from, until) = Explainer.window(around: sides.time)
      if failsForTime(from...until, sides.place) { continue }
      judge(sides, sides.inside, .inside, entries)
      judge(sides, sides.outside, .outside, entries)
    }
  }

  private mutating func judge(
    _ sides: ExpectedSides, _ fences: [String], _ expected: Containment, _ entries: [LogEntry]
  ) {
    for fence in fences {
      let last = entries.last { entry in
        entry.side != nil && entry.event?.statement.fence == fence
          && entry.time.map { $0 <= sides.time } ?? false
          && sides.device.map { ExactText($0) == ExactText(entry.device) } ?? true
      }
      let side = last?.side ?? .unknown
      guard side != expected else { continue }
      let message =
        "expected \(expected.rawValue) \(fence) at \(Expectation.text(sides.time)), "
        + "the side is \(side.rawValue)"
      failures.append(
        FenceTestFailure(
          place: sides.place, message: message,
          explanation: explainer.lines(
            expected == .inside ? .enter : .exit, of: fence, near: sides.time, device: sides.device)
        ))
    }
  }
}

extension FenceTest {
  /// The test with the names of devices as its track has them.
  fileprivate func named(as devices: [String]) -> FenceTest {
    func rename(_ name: inout String?) {
      guard let index = name.flatMap({ ExactText.firstIndex(of: $0, in: devices) }) else { return }
      name = devices[index]
    }
    var test = self
    for index in expectations.indices { rename(&test.expectations[index].pattern.device) }
    for index in prohibitions.indices { rename(&test.prohibitions[index].pattern.device) }
    for index in sides.indices { rename(&test.sides[index].device) }
    return test
  }
}

extension LogEntry {
  /// The side after an event of a fence.
  fileprivate var side: Containment? {
    switch event?.statement {
    case .enter: .inside
    case .exit: .outside
    case .state(_, let side, _): side
    case .dwell, .visit, .significantChange, nil: nil
    }
  }
}
