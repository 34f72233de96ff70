import Foundation
import Testing

@Suite("waymark geocode, and places in events", .timeLimit(.minutes(90)))
struct GeocodeTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  @Test("finds names and places with the built-in gazetteer")
  func gazetteer() throws {
    let found = try runner.waymark([
      "geocode", "52.5163,13.3777", "-33.8568,151.2153", "münster, de",
    ])
    #expect(found.code == 0)
    #expect(found.errors.isEmpty)
    let lines = found.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(
      lines.first == "Berlin, Germany  Berlin  Europe/Berlin  52.52438,13.41053, 2.4 km away")
    #expect(lines.dropFirst().first?.hasPrefix("Sydney, Australia  New South Wales") == true)
    #expect(lines.dropFirst(2).first?.hasPrefix("Münster, Germany") == true)
  }

  @Test("prints one object for each place")
  func json() throws {
    let found = try runner.waymark(["geocode", "30,-45", "--format", "json"])
    #expect(
      found.output
        == #"{"coordinate":{"latitude":30,"longitude":-45},"distance":0,"name":"Open sea","#
        + #""ocean":"Open sea","timeZoneIdentifier":"Etc/GMT+3"}"# + "\n")
  }

  @Test(
    "errors have a message and an exit code",
    arguments: [
      (["geocode", "nowhere at all"], 65, "waymark: nowhere at all: nothing is known there"),
      (
        ["geocode", "91,0"], 64,
        "latitude 91.0, longitude 0.0 is not a position; expected -90 to 90 and -180 to 180"
      ),
      (["geocode", " "], 64, "the address is empty"),
      (["geocode", "1,1", "--gazetteer", "no.wmg"], 66, "waymark: no.wmg: there is no such file"),
      (
        ["geocode", "1,1", "--gazetteer", "traces/README.md"], 66,
        "waymark: traces/README.md is not a gazetteer"
      ),
    ])
  func mistakes(_ arguments: [String], code: Int32, message: String) throws {
    let outcome = try runner.waymark(arguments)
    #expect(outcome.code == code)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains(message))
  }

  @Test(
    "check reports the errors of a geocoder that geocode and replay report",
    arguments: [
      ("{provider: stub, table: no.json}", "geocoder.table: no.json: there is no such file"),
      ("{provider: gazetteer, file: no.wmg}", "geocoder.file: no.wmg: there is no such file"),
      ("{provider: gazetteer, file: w.yaml}", "geocoder.file: w.yaml is not a gazetteer"),
      ("{provider: stub}", "geocoder: found stub without 'table'"),
      (
        "{provider: gazetteer, url: 'https://a.example'}",
        "geocoder.url: found 'url' without the provider nominatim"
      ),
      (
        "{provider: nominatim, url: 'file:///x', contact: a@b.example}",
        "geocoder.url: 'file:///x' is neither https nor http"
      ),
      (
        "{provider: nominatim, url: 'https://a:b@c.example', contact: a@b.example}",
        "geocoder.url: an address with a name, a password"
      ),
      (
        "{provider: nominatim, url: 'https://c.example', contact: me}",
        "geocoder.contact: 'me' is not a contact"
      ),
      (
        "{provider: nominatim, url: 'https://c.example', contact: a@b.example, rounding: 0.5 m}",
        "geocoder.rounding: 0.5 m is not within 1 m to 1,000,000 m"
      ),
    ])
  func config(_ geocoder: String, message: String) throws {
    try runner.write("w.yaml", "geocoder: \(geocoder)\n")
    let check = try runner.waymark(["check", "w.yaml"])
    #expect(check.code == 78)
    #expect(check.output.isEmpty)
    #expect(check.errors.hasPrefix("waymark: w.yaml:1:"))
    #expect(check.errors.contains(message))
    #expect(try runner.waymark(["geocode", "1,1", "--config", "w.yaml"]) == check)
    #expect(
      try runner.waymark(["replay", "traces/visits/track.csv", "--config", "w.yaml"]) == check)
  }

  @Test("a config without a geocoder has nothing for geocode") func noGeocoder() throws {
    try runner.write("w.yaml", "geocoder: {provider: none}\n")
    let outcome = try runner.waymark(["geocode", "1,1", "--config", "w.yaml"])
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("the config names no geocoder"))
  }

  /// A server in the way of Nominatim, which writes down what it is asked.
  private static let server = """
    import http.server, json, os, sys, threading
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            with open("asked", "a") as file:
                file.write(self.path + "\\n" + self.headers["User-Agent"] + "\\n")
            self.send_response(200)
            self.end_headers()
            place = {"lat": "1.001", "lon": "2.001", "name": "Harbour", "address":
              {"road": "Quay", "town": "Port", "country": "Land", "country_code": "xx"}}
            self.wfile.write(json.dumps(place).encode())
        def log_message(self, *arguments): pass
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    with open("port.new", "w") as file: file.write(f"{server.server_port}\\n")
    os.rename("port.new", "port")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    """

  @Test("a server is queried once for a cell, rounded, with a contact, and the answer is cached")
  func server() throws {
    try runner.write("server.py", Self.server)
    let server = Process()
    server.executableURL = URL(filePath: "/usr/bin/env")
    server.arguments = ["python3", "server.py"]
    server.currentDirectoryURL = runner.folder
    // It ends when its input does, and holds nothing of the test's open: whatever is between them.
    let input = Pipe()
    server.standardInput = input
    server.standardOutput = FileHandle.nullDevice
    server.standardError = FileHandle.nullDevice
    try server.run()
    defer { try? input.fileHandleForWriting.close() }
    try runner.wait(for: "\n", in: "port")
    let port = try runner.read("port").trimmingCharacters(in: .whitespacesAndNewlines)
    try runner.write(
      "w.yaml",
      "geocoder: {provider: nominatim, url: 'http://127.0.0.1:\(port)', contact: me@a.example, "
        + "rounding: 1 km, cache: kept}\n")
    for _ in 0..<2 {
      // A proxy is not for this machine.
      let found = try runner.waymark(
        ["geocode", "1.00012,2.00012", "--config", "w.yaml"],
        environment: ["http_proxy": "http://127.0.0.1:1", "no_proxy": ""])
      #expect(found.output.hasPrefix("Harbour, Port, Land"))
      #expect(
        found.errors
          == "waymark: place names come from http://127.0.0.1:\(port)/, a server on this machine\n")
      #expect(found.code == 0)
    }
    let asked = try runner.read("asked").split(separator: "\n")
    #expect(asked.count == 2)
    #expect(asked[0].hasPrefix("/reverse?"))
    #expect(!asked[0].contains("1.00012"))
    #expect(asked[1].contains("waymark/") && asked[1].contains("me@a.example"))
    let kept = runner.folder.appending(path: "kept")
    let files = try FileManager.default.contentsOfDirectory(atPath: kept.path())
    #expect(!files.isEmpty)
    for file in files {
      let path = kept.appending(path: file).path()
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
  }

  @Test("an unavailable server: a message, another provider, or 69")
  func noServer() throws {
    let keys = "url: 'http://127.0.0.1:1', contact: me@a.example"
    try runner.write("w.yaml", "geocoder: {provider: nominatim, \(keys)}\n")
    let alone = try runner.waymark(["geocode", "1,2", "--config", "w.yaml"])
    #expect(alone.code == 69)
    #expect(alone.errors.contains("waymark: 1,2: "))
    try runner.write("w.yaml", "geocoder: {provider: [nominatim, gazetteer], \(keys)}\n")
    let both = try runner.waymark(["geocode", "52.5163,13.3777", "--config", "w.yaml"])
    #expect(both.code == 0)
    #expect(both.output.hasPrefix("Berlin, Germany"))
    try runner.write("w.yaml", "geocoder: {provider: nominatim, url: 'ftp://a', contact: me}\n")
    #expect(try runner.waymark(["geocode", "1,2", "--config", "w.yaml"]).code == 78)
  }

  @Test("visits have places, the same in every run; all other events are as without")
  func visits() throws {
    try runner.write("w.yaml", "geocoder: {provider: gazetteer}\n")
    let track = "traces/visits/track.csv"
    let command = ["replay", track, "--format", "jsonl", "--include", "visit"]
    let plain = try runner.waymark(command)
    let named = try runner.waymark(command + ["--config", "w.yaml"])
    #expect(named.code == 0)
    #expect(try runner.waymark(command + ["--config", "w.yaml"]) == named)
    let places = named.output.matches(of: /,"place":"([^"]*)"/).map { String($0.output.1) }
    #expect(Set(places) == ["Prague, Czechia", "Libeň, Prague, Czechia"])
    #expect(places.count == plain.output.split(separator: "\n").count)
    let without = named.output.replacing(/,"place":"[^"]*"/, with: "")
    #expect(without == plain.output)
    let text = try runner.waymark(
      ["replay", track, "--include", "visit", "--config", "w.yaml"])
    #expect(
      text.output.contains(/stayed 3 h 25 min, since [0-9:]{8}, Libeň, Prague, Czechia/))
  }
}
