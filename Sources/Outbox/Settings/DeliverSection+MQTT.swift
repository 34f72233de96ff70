internal import Foundation
internal import Settings

/// The keys of a broker.
extension DeliverSection {
  static let mqttKeys = [
    "mqtt", "user", "password-file", "ca-file", "certificate-file", "key-file", "version",
    "dialects", "client-id", "topic", "discovery", "zones", "fences-since",
  ]

  static func mqtt(_ item: inout ConfigurationSectionReader) -> MQTTSettings? {
    let expected = "an address such as mqtt://broker.local or mqtts://broker.local:8883"
    guard let text = item.text("mqtt", expected: expected) else { return nil }
    let url = address(text, schemes: ["mqtt", "mqtts"], key: "mqtt", expected, &item)
    let usesTLS = url?.scheme?.lowercased() == "mqtts"
    if let url, !["", "/"].contains(url.path) {
      item.note(valueOf: "mqtt", found: "an address with a path", expected: expected)
    }
    if let port = url?.port, !(1...65_535 ~= port) {
      item.note(valueOf: "mqtt", found: "the port \(port)", expected: "one of 1 to 65535")
    }
    // An address of IPv6 is in brackets.
    let host = (url?.host ?? "").trimmingCharacters(in: ["[", "]"])
    var settings = MQTTSettings(host: host, port: url?.port ?? (usesTLS ? 8883 : 1883))
    settings.usesTLS = usesTLS
    settings.user = item.text("user", expected: "the name of a user")
    settings.passwordFile = secrets("password-file", &item).first
    if settings.passwordFile != nil, settings.user == nil {
      item.note(
        key: "password-file", found: "a password without a user", expected: "it beside user")
    }
    settings.authorityFile = item.path("ca-file", expected: pemFile)
    settings.certificateFile = item.path("certificate-file", expected: pemFile)
    settings.keyFile = item.path("key-file", expected: pemFile)
    if (settings.certificateFile == nil) != (settings.keyFile == nil) {
      item.note(
        found: "one of certificate-file and key-file", expected: "both, or none of them")
    }
    for key in ["ca-file", "certificate-file", "key-file"] where item.has(key) && !usesTLS {
      item.note(key: key, found: "'\(key)' beside mqtt://", expected: "it beside mqtts://")
    }
    if let versions: [MQTTSettings.Version] = item.choices("version"), let version = versions.first
    {
      settings.version = version
    }
    if let dialects: [MQTTSettings.Dialect] = item.choices("dialects") {
      settings.dialects = dialects
    }
    settings.clientID = item.text("client-id", expected: "a client id such as waymark-van")
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
    return url == nil ? nil : settings
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
