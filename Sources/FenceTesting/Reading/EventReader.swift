internal import EventLog
internal import Geodesy
internal import Settings
internal import Tracking

/// Reads expected and forbidden events.
struct EventReader {
  /// The fences that may be named; nil when none is known.
  let fences: FenceSet?

  static let form = "{enter: FENCE, at: TIME, within: 10 s} or the like"
  private static let kindKeys = FenceTestReader.kinds.map(\.rawValue)
  static let expectationKeys =
    kindKeys + ["device", "side", "at", "within", "duration", "arrival", "departure", "confidence"]
  /// What `within` is about.
  private static let measuredKeys = ["at", "arrival", "departure", "duration"]
  static let prohibitionKeys = kindKeys + ["device", "side", "between"]

  func expectation(_ section: inout ConfigurationSectionReader) -> Expectation? {
    guard let pattern = pattern(&section) else { return nil }
    refuseForeign(&section, pattern.kind)
    var expectation = Expectation(place: section.place, pattern: pattern)
    expectation.time = value("at", section.time("at"), section)
    expectation.arrival = value("arrival", section.time("arrival"), section)
    expectation.departure = value("departure", section.time("departure"), section)
    expectation.duration = value("duration", section.durationOrZero("duration"), section)
    expectation.confidence = value(
      "confidence", section.number("confidence", in: 0...1, expected: "a probability from 0 to 1"),
      section)
    if section.has("within"), !Self.measuredKeys.contains(where: { section.has($0) }) {
      section.note(
        key: "within", found: "'within' without a time",
        expected: "it with \(Self.measuredKeys.joined(separator: ", "))")
    }
    expectation.within = section.durationOrZero("within") ?? Expectation.usualTolerance
    return expectation
  }

  func prohibition(_ section: inout ConfigurationSectionReader) -> Prohibition? {
    guard let pattern = pattern(&section) else { return nil }
    return Prohibition(
      place: section.place, pattern: pattern, between: section.times("between"))
  }

  /// The ids of fences that are the value of a key.
  func fences(_ key: String, _ section: inout ConfigurationSectionReader) -> [String] {
    let ids = section.texts(key, expected: "ids of fences, as a list") ?? []
    for id in ids { checkFence(id, key, &section) }
    return ids
  }

  private func value<Content>(
    _ key: String, _ content: Content?, _ section: ConfigurationSectionReader
  ) -> Expectation.Value<Content>? {
    guard let content, let scalar = section.scalar(key) else { return nil }
    return Expectation.Value(content: content, scalar: scalar)
  }

  // MARK: Which event

  private func pattern(_ section: inout ConfigurationSectionReader) -> EventPattern? {
    let kinds = FenceTestReader.kinds.filter { section.has($0.rawValue) }
    guard let kind = kinds.first, kinds.count == 1 else {
      let names = Self.kindKeys.joined(separator: ", ")
      section.note(
        found: kinds.isEmpty ? "no event" : "\(kinds.count) events", expected: "one of \(names)")
      return nil
    }
    var pattern = EventPattern(kind: kind)
    pattern.device = section.text("device", expected: "the name of a device")
    pattern.side = section.choice("side")
    if pattern.side != nil, kind != .state {
      section.note(key: "side", found: "a side", expected: "it with state alone")
    }
    if kind == .visit || kind == .significantChange {
      pattern.near = near(kind.rawValue, &section)
      return pattern
    }
    guard let id = section.text(kind.rawValue, expected: "the id of a fence") else { return nil }
    checkFence(id, kind.rawValue, &section)
    pattern.fence = id
    return pattern
  }

  private func checkFence(
    _ id: String, _ key: String, _ section: inout ConfigurationSectionReader
  ) {
    guard let fences, fences.index(ofID: id) == nil else { return }
    let ids = fences.indices.lazy.map { fences.id(at: $0) }
    let advice = NearestName.of(id, in: ids).map { "; did you mean '\($0)'?" } ?? ""
    section.note(
      valueOf: key, found: "'\(id)'", expected: "the id of a fence of the config\(advice)")
  }

  /// The place of a visit or a significant change: in a fence or up to a distance outside, or about a
  /// position.
  private func near(
    _ key: String, _ section: inout ConfigurationSectionReader
  ) -> EventPattern.Near? {
    section.mapping(key, keys: ["near", "radius"], expected: "{near: FENCE}, or {} for any place") {
      section in
      let (position, id) = section.positionOrText("near", expected: "a fence or [lat, lon]")
      let radius = section.length("radius") ?? VisitRules().radius
      if section.has("radius"), !section.has("near") {
        section.note(
          key: "radius", found: "a radius without a place", expected: "it with near: and a place")
      }
      if let position {
        let area = Area.circle(Circle(center: position, radius: radius))
        let name = "\(position.latitude),\(position.longitude)"
        return EventPattern.Near(name: name, area: area, margin: 0)
      }
      guard let id else { return nil }
      checkFence(id, "near", &section)
      guard let fences, let index = fences.index(ofID: id) else { return nil }
      return EventPattern.Near(name: id, area: fences[index].area, margin: radius)
    }
  }

  /// Notes values that events of the kind do not have.
  private func refuseForeign(
    _ section: inout ConfigurationSectionReader, _ kind: LogEntry.Kind
  ) {
    let own: [String: Set<LogEntry.Kind>] = [
      "at": [.enter, .exit, .dwell, .state, .significantChange], "duration": [.exit, .dwell],
      "arrival": [.visit], "departure": [.visit],
      "confidence": [.enter, .exit, .state, .visit],
    ]
    for (key, kinds) in own.sorted(by: { $0.key < $1.key })
    where section.has(key) && !kinds.contains(kind) {
      let names = FenceTestReader.kinds.filter(kinds.contains).map(\.rawValue)
      let advice = kind == .visit && key == "at" ? "; a visit has arrival and departure" : ""
      section.note(
        key: key, found: "'\(key)' with \(kind.rawValue)",
        expected: "it with \(names.joined(separator: ", "))\(advice)")
    }
  }
}
