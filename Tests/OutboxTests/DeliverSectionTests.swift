import EventLog
import Foundation
import Storing
import TestSupport
import Testing
import Text

@testable import Outbox
@testable import Settings

@Suite("The section deliver of a config") struct DeliverSectionTests {
  private func receivers(_ text: String) throws(ConfigurationError) -> [ReceiverSettings] {
    let config =
      "fences: [{id: home, center: [52, 13], radius: 100 m}]\nstore: e.gpkg\ndeliver:\n" + text
    return try Configuration(
      Array(config.utf8), file: "/etc/waymark/w.yaml",
      sections: [StoreSection.self, DeliverSection.self],
      load: ConfigurationFile.read)[DeliverSection.self]
  }

  private func errors(_ text: String) -> [String] {
    do {
      _ = try receivers(text)
      return []
    } catch {
      return error.description.split(separator: "\n").map {
        String($0.dropFirst("/etc/waymark/w.yaml:".count))
      }
    }
  }

  @Test("reads each channel with its own keys")
  func channels() throws {
    let scratch = try ScratchFolder()
    try scratch.write("key", "whsec_" + Data(count: 32).base64EncodedString())
    let receivers = try receivers(
      """
      - {name: house, webhook: "https://example.org/hook?x=1", secret-file: \(scratch.file("key"))}
      - {name: phone, webhook: https://ntfy.example/van, format: text, message: "{device} {verb}",
         headers: {Title: "{fence}"}, only: [exit, enter], fences: home, devices: [van, boat],
         quiet-hours: 22:00-07:30, quiet-events: drop, give-up: 7 d}
      - {name: siren, command: [/bin/echo, "{fence}"], time-limit: 10 s}
      - {name: ha, mqtt: mqtts://broker.local, user: van, password-file: \(scratch.file("key")),
         dialects: [home-assistant, owntracks, waymark], zones: {home: zone.house},
         fences-since: 2026-03-01, version: 3.1.1, topic: a/b, client-id: c}
      - {name: six, mqtt: "mqtt://[::1]"}
      """)
    #expect(receivers.map(\.name) == ["house", "phone", "siren", "ha", "six"])
    guard case .webhook(let house) = receivers[0].channel,
      case .webhook(let phone) = receivers[1].channel,
      case .command(let siren) = receivers[2].channel,
      case .mqtt(let broker) = receivers[3].channel, case .mqtt(let six) = receivers[4].channel
    else {
      Issue.record("\(receivers.map(\.channel))")
      return
    }
    #expect(house.secretFiles == [scratch.file("key")] && house.format == .event)
    #expect(receivers[0].kinds.count == 6 && receivers[0].fences == nil)
    #expect(phone.format == .text && phone.message?.source == "{device} {verb}")
    #expect(phone.headers.map(\.name) == ["Title"])
    #expect(receivers[1].kinds == [.enter, .exit])
    #expect(receivers[1].fences == ["home"])
    #expect(receivers[1].devices?.map(\.text).sorted() == ["boat", "van"])
    #expect(receivers[1].quietHours == QuietHours(start: 1_320, end: 450, policy: .drop))
    #expect(receivers[1].giveUp == 604_800)
    #expect(siren.arguments.map(\.source) == ["/bin/echo", "{fence}"] && siren.timeLimit == 10)
    #expect(broker.broker.address == "mqtts://broker.local:8883")
    #expect(broker.broker.user == "van" && broker.broker.passwordFile == scratch.file("key"))
    #expect(broker.dialects == [.homeAssistant, .owntracks, .waymark])
    #expect(broker.zones == ["home": "zone.house"] && broker.fencesSince == 1_772_323_200)
    #expect(
      broker.broker.version == .v311 && broker.broker.clientID == "c" && broker.topic == "a/b")
    #expect(six.broker.host == "::1" && six.broker.address == "mqtt://[::1]:1883")
    #expect(six.dialects == [.waymark] && six.broker.version == .v5)
  }

  @Test("two forms of a name in Unicode are two devices") func forms() throws {
    let receivers = try receivers(
      "- {name: a, command: [echo], devices: [\"caf\u{E9}\", \"cafe\u{301}\"]}")
    #expect(receivers.first?.devices?.count == 2)
  }

  @Test(
    "reports what is wrong, where, and what was expected",
    arguments: [
      ("  {name: a, command: [echo]}", "deliver: found a mapping, expected a list"),
      ("- {webhook: https://a.example}", "deliver[0]: found a receiver without a name"),
      ("- {name: a b, webhook: https://a.example}", "deliver[0].name: found 'a b'"),
      (
        "- {name: a}",
        "found a receiver without a channel, expected one of webhook, mqtt and command"
      ),
      ("- {name: a, command: [echo], webhook: https://a.example}", "a receiver with two channels"),
      ("- {name: a, webhook: ftp://a.example}", "deliver[0].webhook: found 'ftp://a.example'"),
      ("- {name: a, webhook: \"https://u:p@a.example\"}", "an address with a user or a password"),
      (
        "- {name: a, webhook: https://a.example, time-limit: 1 s}",
        "found 'time-limit' beside webhook"
      ),
      (
        "- {name: a, webhook: https://a.example, format: text, message: \"{devcie}\"}",
        "deliver[0].message: found the unknown field 'devcie'"
      ),
      ("- {name: a, webhook: https://a.example, message: x}", "'message' without format: text"),
      ("- {name: a, webhook: https://a.example, headers: {\"a b\": x}}", "found the header 'a b'"),
      ("- {name: a, webhook: https://a.example, headers: {Host: x}}", "found the header 'Host'"),
      ("- {name: a, webhook: https://a.example, secret-file: none}", "which cannot be read"),
      ("- {name: a, mqtt: broker.local}", "deliver[0].mqtt: found 'broker.local'"),
      ("- {name: a, mqtt: mqtt://h/topic}", "found an address with a path"),
      ("- {name: a, mqtt: mqtt://h:0}", "found the port 0, expected one of 1 to 65535"),
      ("- {name: a, mqtt: \"mqtt://u:p@h\"}", "an address with a user or a password"),
      ("- {name: a, mqtt: mqtt://h, dialects: [hass]}", "found 'hass'"),
      (
        "- {name: a, mqtt: mqtt://h, dialects: owntracks, only: [status]}",
        "deliver[0].only: found 'status' beside dialects: owntracks"
      ),
      (
        "- {name: a, mqtt: mqtt://h, only: [exit, status], dialects: [owntracks]}",
        "deliver[0].only: found 'status' beside dialects: owntracks"
      ),
      ("- {name: a, mqtt: mqtt://h, ca-file: /a}", "found 'ca-file' beside mqtt://"),
      ("- {name: a, mqtt: mqtts://h, key-file: /a}", "one of certificate-file and key-file"),
      ("- {name: a, mqtt: mqtt://h, topic: a/+}", "deliver[0].topic: found 'a/+'"),
      ("- {name: a, mqtt: mqtt://h, zones: {hoem: zone.x}}", "found the unknown fence 'hoem'"),
      ("- {name: a, mqtt: mqtt://h, fences-since: now}", "a date such as 2026-03-01"),
      ("- {name: a, mqtt: mqtt://h, version: 4}", "deliver[0].version: found '4'"),
      ("- {name: a, command: [echo], ca-file: /a}", "found 'ca-file' beside command"),
      ("- {name: a, command: []}", "found an empty list"),
      ("- {name: a, mqtt: mqtt://h, dialects: []}", "deliver[0].dialects: found an empty list"),
      ("- {name: a, command: [echo], only: []}", "deliver[0].only: found an empty list"),
      ("- {name: a, command: [echo], devices: []}", "deliver[0].devices: found an empty list"),
      ("- {name: a, command: [echo], fences: []}", "deliver[0].fences: found an empty list"),
      ("- {name: a, webhook: https://a.example, secret-file: []}", "found an empty list"),
      ("- {name: a, command: [no-such-program]}", "which is no program that can be started"),
      ("- {name: a, command: [echo], only: [exits]}", "did you mean 'exit'?"),
      ("- {name: a, command: [echo], fences: [hoem]}", "found the unknown fence 'hoem'"),
      ("- {name: a, command: [echo], quiet-hours: night}", "hours of the day such as 22:00-07:00"),
      ("- {name: a, command: [echo], quiet-events: drop}", "'quiet-events' without quiet-hours"),
      ("- {name: a, command: [echo], give-up: never}", "deliver[0].give-up: found 'never'"),
      ("- {name: a, command: [echo], naem: b}", "found the unknown key 'naem'"),
      (
        "- {name: a, command: [echo]}\n- {name: a, command: [echo]}",
        "deliver[1].name: found 'a' twice"
      ),
    ])
  func invalid(text: String, expected: String) {
    let errors = errors(text)
    #expect(errors.count == 1 && errors.first?.contains(expected) == true, "\(errors)")
  }

  @Test(
    "reports a PEM file that has a key where a certificate is expected",
    arguments: ["webhook: https://a.example", "mqtt: mqtts://h"])
  func authorities(channel: String) throws {
    let scratch = try ScratchFolder()
    try scratch.write("key", "-----BEGIN PRIVATE KEY-----\n")
    let errors = errors("- {name: a, \(channel), ca-file: \(scratch.file("key"))}")
    let expected = "a file without -----BEGIN CERTIFICATE-----, expected the path of a PEM file"
    #expect(errors.count == 1 && errors.first?.contains(expected) == true, "\(errors)")
  }

  @Test(
    "reports a file without a secret, or with one that cannot sign",
    arguments: [
      ("webhook: https://a.example, secret-file", "secret", "does not begin with 'whsec_'; make"),
      ("webhook: https://a.example, secret-file", "whsec_AAAA", "the secret has 3 bytes, expected"),
      ("webhook: https://a.example, secret-file", "", "it is empty; expected a secret"),
      ("webhook: https://a.example, token-file", " \n", "it is empty; expected a secret"),
      ("webhook: https://a.example, token-file", "two words", "the token has spaces"),
      ("mqtt: mqtt://h, user: van, password-file", "\n", "it is empty; expected a secret"),
    ])
  func secrets(keys: String, text: String, expected: String) throws {
    let scratch = try ScratchFolder()
    try scratch.write("key", text)
    let path = scratch.file("key")
    let errors = errors("- {name: a, \(keys): \(path)}")
    let key = keys.split(separator: " ").last ?? ""
    #expect(errors.count == 1)
    #expect(
      errors.first?.contains("deliver[0].\(key): \(path): ") == true
        && errors.first?.contains(expected) == true, "\(errors)")
  }

  @Test("a password needs a user")
  func passwordWithoutUser() throws {
    let scratch = try ScratchFolder()
    try scratch.write("key", "secret")
    let errors = errors("- {name: a, mqtt: mqtt://h, password-file: \(scratch.file("key"))}")
    #expect(errors.count == 1)
    #expect(
      errors.first?.contains("found a password without a user") == true, "\(errors)")
  }

  @Test("needs a store")
  func store() {
    let config = Array("deliver: [{name: a, command: [echo]}]".utf8)
    #expect {
      try Configuration(
        config, file: "w.yaml", sections: [StoreSection.self, DeliverSection.self],
        load: ConfigurationFile.read)
    } throws: { "\($0)".contains("receivers without a store") }
  }

  @Test("the time zone is that of the database, or an error")
  func timeZone() throws {
    func zone(_ text: String) throws -> String? {
      try Configuration(
        Array("time-zone: \(text)".utf8), file: "w.yaml", sections: [],
        load: ConfigurationFile.read
      ).timeZone?.identifier
    }
    #expect(try zone("Europe/Berlin") == "Europe/Berlin")
    #expect { _ = try zone("Berlin") } throws: { "\($0)".contains("such as Europe/Berlin") }
  }
}
