internal import EventLog
package import Settings
internal import System
internal import Text

/// The section `deliver` of the config: a list of receivers.
package enum DeliverSection: ConfigurationSection {
  package static let key = "deliver"
  package static let isList = true
  package static let keys = shared + webhookKeys + mqttKeys + commandKeys
  package static let form =
    "a list of receivers such as {name: phone, webhook: https://example.org/hook}"
  package static let defaultValue: [ReceiverSettings] = []

  private static let shared = [
    "name", "only", "fences", "devices", "quiet-hours", "quiet-events", "give-up",
  ]

  package static func summary(_ receivers: [ReceiverSettings]) -> String? {
    guard !receivers.isEmpty else { return nil }
    return "deliver: " + receivers.map { "\($0.name) (\($0.channel))" }.joined(separator: ", ")
  }

  package static func read(_ section: inout ConfigurationSectionReader) -> [ReceiverSettings]? {
    guard section.hasSection("store") else {
      section.note(
        found: "receivers without a store, where events wait for them",
        expected: "it beside a store such as store: events.gpkg")
      return nil
    }
    var names: Set<String> = []
    return section.items(expected: form) { item in
      guard let receiver = receiver(&item) else { return nil }
      guard names.insert(receiver.name).inserted else {
        item.note(
          valueOf: "name", found: "'\(receiver.name)' twice",
          expected: "a name of its own for each receiver")
        return nil
      }
      return receiver
    }
  }

  private static func receiver(_ item: inout ConfigurationSectionReader) -> ReceiverSettings? {
    let name = name(&item)
    let channel = channel(&item)
    let kinds: [DeliveredKind]? = item.choices("only")
    if case .mqtt(let settings) = channel, settings.dialects == [.owntracks],
      kinds?.contains(.status) == true
    {
      item.note(
        valueOf: "only", found: "'status' beside dialects: owntracks, which has no word for it",
        expected: "it beside another dialect such as dialects: [owntracks, waymark]")
    }
    let fences = fences(&item)
    let devices = names("devices", expected: "names of devices such as [van, boat]", &item)
    let quiet = quietHours(&item)
    let giveUp = item.duration("give-up")
    guard let name, let channel else { return nil }
    return ReceiverSettings(
      name: name, channel: channel,
      kinds: Set(
        (kinds ?? DeliveredKind.usual).compactMap { LogEntry.Kind(rawValue: $0.rawValue) }),
      fences: fences.map(Set.init), devices: devices.map { Set($0.map(ExactText.init)) },
      quietHours: quiet, giveUp: giveUp)
  }

  /// The types of events that can be delivered; fixes and problems cannot.
  private enum DeliveredKind: String, CaseIterable {
    case enter, exit, dwell, state, visit
    case significantChange = "significant-change"
    case status

    /// Losses of the source go only to who asks for them.
    static let usual = allCases.filter { $0 != .status }
  }

  private static func name(_ item: inout ConfigurationSectionReader) -> String? {
    let expected = "a name such as phone, of letters, digits, - and _, at most 64 of them"
    guard item.has("name") else {
      item.note(found: "a receiver without a name", expected: expected)
      return nil
    }
    guard let name = item.text("name", expected: expected) else { return nil }
    let isPlain = name.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isPlain, name.utf8.count <= 64 else {
      item.note(valueOf: "name", found: "'\(name)'", expected: expected)
      return nil
    }
    return name
  }

  /// Where events go: exactly one of the keys `webhook`, `mqtt` and `command`.
  private static func channel(
    _ item: inout ConfigurationSectionReader
  ) -> ReceiverSettings.Channel? {
    let channels = [("webhook", webhookKeys), ("mqtt", mqttKeys), ("command", commandKeys)]
    let given = channels.filter { item.has($0.0) }
    guard given.count == 1, let (kind, own) = given.first else {
      item.note(
        found: given.isEmpty ? "a receiver without a channel" : "a receiver with two channels",
        expected: "one of webhook, mqtt and command")
      return nil
    }
    // A key of two channels is reported once.
    var foreign: Set<String> = []
    for (other, keys) in channels where other != kind {
      for key in keys where item.has(key) && !own.contains(key) && foreign.insert(key).inserted {
        item.note(
          key: key, found: "'\(key)' beside \(kind)", expected: "it beside \(other) only")
      }
    }
    switch kind {
    case "webhook": return webhook(&item).map { .webhook($0) }
    case "mqtt": return mqtt(&item).map { .mqtt($0) }
    default: return command(&item).map { .command($0) }
    }
  }

  /// A text or a list of texts; an empty one would match no event.
  private static func names(
    _ key: String, expected: String, _ item: inout ConfigurationSectionReader
  ) -> [String]? {
    let names = item.texts(key, expected: expected)
    if names?.isEmpty == true {
      item.note(valueOf: key, found: "an empty list", expected: expected)
    }
    return names
  }

  private static func fences(_ item: inout ConfigurationSectionReader) -> [String]? {
    let expected = "ids of fences such as [home, depot]"
    guard let fences = names("fences", expected: expected, &item) else { return nil }
    // The ids of compiled fences are not read for this.
    guard !item.hasCompiledFences else { return fences }
    for fence in fences where !item.fences.contains(fence) {
      item.note(
        valueOf: "fences", found: "the unknown fence '\(fence)'",
        expected: "ids of fences of this config")
    }
    return fences
  }

  private static func quietHours(_ item: inout ConfigurationSectionReader) -> QuietHours? {
    let expected = "hours of the day such as 22:00-07:00"
    let policies: [QuietHours.Policy]? = item.choices("quiet-events")
    guard item.has("quiet-hours") else {
      if item.has("quiet-events") {
        item.note(
          key: "quiet-events", found: "'quiet-events' without quiet-hours",
          expected: "it beside quiet-hours")
      }
      return nil
    }
    guard let text = item.text("quiet-hours", expected: expected) else { return nil }
    let minutes = text.split(separator: "-", omittingEmptySubsequences: false).map(minute)
    guard minutes.count == 2, let start = minutes[0], let end = minutes[1], start != end else {
      item.note(valueOf: "quiet-hours", found: "'\(text)'", expected: expected)
      return nil
    }
    return QuietHours(start: start, end: end, policy: policies?.first ?? .hold)
  }

  /// Minutes since midnight of `22:00`; nil for another text.
  private static func minute(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.utf8.count == 2 ? UInt8($0) : nil }
    guard parts.count == 2, numbers.count == 2, numbers[0] < 24, numbers[1] < 60 else { return nil }
    return Int(numbers[0]) * 60 + Int(numbers[1])
  }
}

extension ReceiverSettings.Channel: CustomStringConvertible {
  /// `webhook`, `mqtt` or `command`.
  package var description: String {
    switch self {
    case .webhook: "webhook"
    case .mqtt: "mqtt"
    case .command: "command"
    }
  }
}
