import Receivers
import Session
@testable import Settings
import TestSupport
import Testing

@Suite("Sources in a config")
struct ConfigurationSourcesTests {
  @Test("source is the short form of one")
  func short() throws {
    let short = try configuration("source: gpsd://boat:1")
    let long = try configuration("sources: [gpsd://boat:1]")
    #expect(short.sources == long.sources)
    #expect(short.sources == [Configuration.Source(address: GPSDAddress(host: "boat", port: 1))])
  }

  @Test("each may name its device")
  func devices() throws {
    let config = try configuration(
      """
      sources:
        - gpsd://localhost
        - {gpsd: gpsd://boat.local/dev/ttyUSB0, device: boat}
      """)
    #expect(config.sources.map(\.address.host) == ["localhost", "boat.local"])
    #expect(config.sources.map(\.device) == [nil, "boat"])
    #expect(
      config.summary.contains(
        "sources: gpsd://localhost:2947, gpsd://boat.local:2947/dev/ttyUSB0 as boat"))
  }

  @Test("two forms of a name in Unicode are two devices")
  func forms() throws {
    let config = try configuration(
      "sources: [{gpsd: gpsd://a, device: caf\u{E9}}, {gpsd: gpsd://b, device: cafe\u{301}}]")
    #expect(config.sources.map { $0.device?.utf8.count } == [5, 6])
  }

  @Test("the ships that a gpsd reports are devices where its source says so")
  func ships() throws {
    let config = try configuration(
      """
      sources:
        - {gpsd: gpsd://localhost, device: boat, ais: true}
        - {gpsd: gpsd://hill, ais: True, most: 20}
        - {gpsd: gpsd://van, ais: false, most: 20}
        - gpsd://pier
        - {gpsd: gpsd://lab, allow-simulated: true}
        - {gpsd: gpsd://sea, allow-simulated: false}
      """)
    #expect(config.sources.map(\.ships) == [5_000, 20, nil, nil, nil, nil])
    #expect(config.sources.map(\.allowsSimulated) == [false, false, false, false, true, false])
    #expect(config.summary.contains("gpsd://lab:2947 with simulated positions, gpsd://sea:2947\n"))
    #expect(
      config.summary.contains(
        "gpsd://localhost:2947 as boat with ships, gpsd://hill:2947 with ships, gpsd://van:2947, "))
  }

  @Test("phones report to a port of this machine, or with a token to one that others reach")
  func phones() throws {
    let config = try configuration(
      """
      sources:
        - gpsd://localhost
        - http: 8090
        - {http: "0.0.0.0:8091", token-file: phones.token, most: 20}
      """)
    var open = Configuration.Inlet(
      .http(ListenAddress(host: "0.0.0.0", port: 8091), tokenFile: "phones.token"))
    open.most = 20
    #expect(
      config.inlets == [.init(.http(ListenAddress(port: 8090), tokenFile: nil)), open])
    #expect(config.inlets[0].most == 5_000 && config.sources.count == 1)
    #expect(
      config.summary.contains(
        "sources: gpsd://localhost:2947, http://127.0.0.1:8090, http://0.0.0.0:8091"))
  }

  @Test("a token of phones that the server would refuse is an error, one that it makes is none")
  func tokens() throws {
    let folder = try ScratchFolder()
    func found(_ name: String) -> String {
      complaint("sources: [{http: 8090, token-file: \(folder.file(name))}]")
    }
    try folder.write("good", String(repeating: "0f", count: 32) + "\n")
    try folder.write("shared", String(repeating: "0f", count: 32) + "\n", mode: 0o640)
    try folder.write("short", "abc\n")
    for name in ["good", "new", "no/new"] { #expect(found(name) == "nothing") }
    #expect(!(try folder.names().contains("new")))
    let place = "sources[0].token-file: \(folder.path)/"
    let advice = "it must be for its owner alone (chmod 600)"
    #expect(
      found("shared").contains("\(place)shared: no token: other users have rights to it; \(advice)")
    )
    #expect(found("short").contains("\(place)short: found 3 characters, expected a token of 64 "))
    #expect(found("").contains("no token: is a directory"))
  }

  @Test("phones publish at a broker, under topics")
  func brokers() throws {
    let config = try configuration(
      """
      sources:
        - mqtt: mqtt://broker.local
        - {mqtt: "mqtts://[::1]:1", topics: [a/+, b/#], user: jane, version: 3.1.1, client-id: c, most: 7}
      """)
    #expect(config.sources.isEmpty && config.inlets.map(\.most) == [5_000, 7])
    guard case .mqtt(let first, ["owntracks/+/+"]) = config.inlets[0].kind,
      case .mqtt(let second, ["a/+", "b/#"]) = config.inlets[1].kind
    else {
      Issue.record("\(config.inlets)")
      return
    }
    #expect(first == BrokerSettings(host: "broker.local", port: 1_883))
    #expect(second.usesTLS && second.user == "jane" && second.version == .v311)
    #expect(second.clientID == "c")
    #expect(config.summary.contains("sources: mqtt://broker.local:1883, mqtts://[::1]:1"))
  }

  @Test("devices of one gpsd are named by the receiver, those of one host by the port")
  func names() throws {
    func names(_ texts: [String], _ device: String? = nil) throws -> [String] {
      GPSDAddress.deviceNames(
        try texts.map { (try GPSDAddress(parsing: $0), nil) }
          + (device.map { [(.local, $0)] } ?? []))
    }
    #expect(try names(["gpsd://a", "gpsd://b"]) == ["a", "b"])
    #expect(
      try names(["gpsd://a/dev/ttyUSB0", "gpsd://a/dev/ttyUSB1", "gpsd://a:2", "gpsd://b"])
        == ["a-ttyUSB0", "a-ttyUSB1", "a-2", "b"])
    #expect(try names(["gpsd://localhost"], "van") == ["localhost", "van"])
  }

  @Test(
    "an error says where it is, what was found and what was expected",
    arguments: [
      ("sources: gpsd://a", "1:10: sources: found 'gpsd://a', expected a list of gpsd://HOST"),
      ("sources: []", "1:10: sources: found an empty list, expected a list of gpsd://HOST"),
      (
        "sources:\n  - gpsd://a\n  - localhost",
        "3:5: sources[1]: found 'localhost', expected gpsd://HOST"
      ),
      (
        "sources: [{gpsd: boat, device: b}]",
        "1:18: sources[0].gpsd: found 'boat', expected gpsd://HOST"
      ),
      ("sources: [{device: b}]", "1:11: sources[0]: found a source without gpsd, expected gpsd: "),
      (
        "sources: [{gpsd: gpsd://a, devise: b}]",
        "sources[0].devise: found the unknown key 'devise', expected one of gpsd, device, ais, "
          + "most, allow-simulated; did you mean 'device'?"
      ),
      (
        "sources: [gpsd://a, gpsd://a:2947]",
        "1:21: sources[1]: found gpsd://a:2947 twice, expected each source once"
      ),
      (
        "sources: [{gpsd: gpsd://a, device: x}, {gpsd: gpsd://b, device: x}]",
        "1:40: sources: found a second device 'x', expected a device of its own"
      ),
      (
        "sources: [{gpsd: gpsd://a, ais: all}]",
        "1:33: sources[0].ais: found 'all', expected true or false"
      ),
      (
        "sources: [{gpsd: gpsd://a, allow-simulated: maybe}]",
        "1:45: sources[0].allow-simulated: found 'maybe', expected true or false"
      ),
      (
        "sources: [{gpsd: gpsd://a, ais: true, most: 0}]",
        "1:45: sources[0].most: found '0', expected a number of devices from 1 to 100000"
      ),
      (
        "sources: [{gpsd: gpsd://a, most: 10}]",
        "1:34: sources[0].most: found it without ais, expected ais: true beside it"
      ),
      (
        "sources: [{gpsd: gpsd://a, device: ship-211234560, ais: true}]",
        "1:36: sources[0].device: found the device of a ship, expected a name that no ship has"
      ),
      (
        "sources: [gpsd://a]\nsource: gpsd://b",
        "1:1: sources: found it beside source, expected one"
      ),
      (
        "sources: [{http: phones}]",
        "1:18: sources[0].http: found 'phones', expected a port such as"
      ),
      (
        "sources: [{http: 0.0.0.0:8090}]",
        "1:18: sources[0].http: found 0.0.0.0:8090, which other machines can reach, expected token"
      ),
      (
        "sources: [{http: 8090, token: x}]",
        "sources[0].token: found the unknown key 'token', expected one of http, token-file, most"
      ),
      (
        "sources: [{http: 8090, most: 0}]",
        "1:30: sources[0].most: found '0', expected a number of devices from 1 to 100000"
      ),
      (
        "sources: [{http: 8090}, {http: 8090}]",
        "1:25: sources[1]: found http://127.0.0.1:8090 twice, expected each source once"
      ),
      (
        "sources: [{mqtt: http://h}]",
        "1:18: sources[0].mqtt: found 'http://h', expected an address such as mqtt://broker.local"
      ),
      (
        "sources: [{mqtt: mqtt://h, topics: a/#/b}]",
        "1:36: sources[0].topics: found 'a/#/b', expected topics such as owntracks/+/+"
      ),
      (
        "sources: [{mqtt: mqtt://h, topics: [a+]}]",
        "sources[0].topics: found 'a+', expected topics such as owntracks/+/+"
      ),
      (
        "sources: [{mqtt: mqtt://h, topics: []}]",
        "sources[0].topics: found an empty list, expected topics such as owntracks/+/+"
      ),
      (
        "sources: [{mqtt: mqtt://h, topics: [a, a]}]",
        "sources[0].topics: found 'a' twice, expected each once"
      ),
      (
        "sources: [{mqtt: mqtt://h, most: -1}]",
        "sources[0].most: found '-1', expected a number of devices from 1 to 100000"
      ),
      (
        "sources: [{mqtt: mqtt://h}, {mqtt: \"mqtt://h:1883\", topics: b}]",
        "sources[1]: found mqtt://h:1883 twice, expected each source once"
      ),
      (
        "sources: [{mqtt: mqtt://h, ca-file: a}]",
        "sources[0].ca-file: found 'ca-file' beside mqtt://, expected it beside mqtts://"
      ),
      (
        "sources: [{mqtt: mqtt://h, token-file: a}]",
        "sources[0].token-file: found the unknown key 'token-file', expected one of mqtt, user"
      ),
      (
        "device: van\nsources: [{http: 8090}]",
        "1:1: device: found one device for several sources, expected the device of each under"
      ),
      (
        "device: van\nsources: [gpsd://a, gpsd://b]",
        "1:1: device: found one device for several sources, expected the device of each under"
      ),
    ])
  func errors(text: String, message: String) throws {
    let error = try #require(throws: ConfigurationError.self) { try configuration(text) }
    #expect("\(error)".contains(message), "\(error)")
  }
}
