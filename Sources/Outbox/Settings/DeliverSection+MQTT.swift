internal import Foundation
internal import Settings

/// The keys of a broker.
extension DeliverSection {
  static let mqttKeys =
    BrokerSettings.keys + ["dialects", "topic", "discovery", "zones", "fences-since"]

  static func mqtt(_ item: inout ConfigurationSectionReader) -> MQTTSettings? {
    let broker = BrokerSettings.read(&item)
    // Without an address the other keys are checked as well.
    var settings = MQTTSettings(broker ?? BrokerSettings(host: "", port: 0))
    if let dialects: [MQTTSettings.Dialect] = item.choices("dialects") {
      settings.dialects = dialects
    }
    if let topic = topic("topic", &item) { settings.topic = topic }
    if let topic = topic("discovery", &item) { settings.discovery = topic }
    let form = "zones of Home Assistant such as {depot: zone.work}"
    for (fence, zone) in item.pairs("zones", expected: form) ?? [] {
      if !item.hasCompiledFences, !item.fences.contains(fence) {
        item.note(
          valueOf: "zones", found: "the unknown fence '\(fence)'",
          expected: "ids of fences of this config")
      }
      settings.zones[fence] = zone
    }
    if let text = item.text("fences-since", expected: dateForm) {
      if let since = seconds(ofDate: text) {
        settings.fencesSince = since
      } else {
        item.note(valueOf: "fences-since", found: "'\(text)'", expected: dateForm)
      }
    }
    return broker == nil ? nil : settings
  }

  private static let dateForm = "a date such as 2026-03-01"

  private static func seconds(ofDate text: String) -> Int64? {
    let style = Date.ISO8601FormatStyle().year().month().day()
    return (try? style.parse(text)).map { Int64($0.timeIntervalSince1970) }
  }

  /// A topic without wildcards.
  private static func topic(
    _ key: String, _ item: inout ConfigurationSectionReader
  ) -> String? {
    let expected = "a topic such as waymark, without + and #, and no / at an end"
    guard let topic = item.text(key, expected: expected) else { return nil }
    let isValid =
      !topic.unicodeScalars.contains { "+#".unicodeScalars.contains($0) || $0.value < 0x20 }
      && !topic.hasPrefix("/") && !topic.hasSuffix("/") && !topic.hasPrefix("$")
      && topic.utf8.count <= 1_000
    guard isValid else {
      item.note(valueOf: key, found: "'\(topic)'", expected: expected)
      return nil
    }
    return topic
  }
}
