internal import Foundation
internal import Settings
internal import System

/// The keys of each channel.
extension DeliverSection {
  static let webhookKeys = [
    "webhook", "format", "message", "headers", "secret-file", "token-file", "ca-file",
    "trust-clock", "source",
  ]
  static let commandKeys = ["command", "time-limit"]

  // MARK: Webhook

  static func webhook(_ item: inout ConfigurationSectionReader) -> WebhookSettings? {
    let expected = "an address such as https://example.org/hook"
    guard let text = item.text("webhook", expected: expected) else { return nil }
    let url = item.address(text, schemes: ["https", "http"], key: "webhook", expected: expected)
    var settings = WebhookSettings(url: text)
    if let formats: [WebhookSettings.Format] = item.choices("format"), let format = formats.first {
      settings.format = format
    }
    if item.has("message"), settings.format != .text {
      item.note(
        key: "message", found: "'message' without format: text", expected: "it beside format: text")
    }
    settings.message = item.text("message", expected: "a text such as {device} {verb} {fence}")
      .flatMap { template($0, of: "message", &item) }
    let form = "headers such as {Title: \"{device}\"}"
    for (name, value) in item.pairs("headers", expected: form) ?? [] {
      guard isHeader(name) else {
        item.note(valueOf: "headers", found: "the header '\(name)'", expected: form)
        continue
      }
      guard let value = template(value, of: "headers", &item) else { continue }
      settings.headers.append(.init(name: name, value: value))
    }
    settings.secretFiles = item.secrets("secret-file", problem: WebhookSecret.problem(of:))
    settings.trustsClock = item.flag("trust-clock") ?? false
    settings.tokenFile =
      item.secrets("token-file", problem: WebhookRequest.problem(ofToken:)).first
    settings.authorityFile = item.pemFile("ca-file", with: "CERTIFICATE")
    settings.source = item.text("source", expected: "a URI such as urn:waymark:van")
    return url == nil ? nil : settings
  }

  /// A token of RFC 9110, section 5.6.2, that the program does not set itself.
  private static func isHeader(_ name: String) -> Bool {
    let own = [
      "content-length", "host", "authorization", "transfer-encoding", "connection", "expect", "te",
      "trailer", "upgrade",
    ]
    let lower = name.lowercased()
    guard !own.contains(lower), !lower.hasPrefix("webhook-"), !name.isEmpty else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
    }
  }

  // MARK: Command

  static func command(_ item: inout ConfigurationSectionReader) -> CommandSettings? {
    let expected = "a program and its arguments such as [/usr/local/bin/siren, \"{fence}\"]"
    guard let words = item.texts("command", expected: expected) else { return nil }
    var arguments = words.compactMap { template($0, of: "command", &item) }
    guard arguments.count == words.count, let program = words.first else {
      if words.isEmpty { item.note(valueOf: "command", found: "an empty list", expected: expected) }
      return nil
    }
    // A relative path is one besides the config, as every path of a config; a name is searched for.
    if program.contains("/") {
      guard let path = template(item.resolve(program), of: "command", &item) else { return nil }
      arguments[0] = path
    }
    guard case .success = ChildProcess.find(arguments[0].source) else {
      item.note(
        valueOf: "command", found: "'\(program)', which is no program that can be started",
        expected: expected)
      return nil
    }
    var settings = CommandSettings(arguments: arguments)
    if let limit = item.duration("time-limit") { settings.timeLimit = limit }
    return settings
  }

  // MARK: Values

  private static func template(
    _ text: String, of key: String, _ item: inout ConfigurationSectionReader
  ) -> MessageTemplate? {
    do {
      return try MessageTemplate(text)
    } catch {
      item.note(valueOf: key, found: error.found, expected: error.expected)
      return nil
    }
  }
}
