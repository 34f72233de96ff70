import Foundation
import TestSupport
import Testing

/// `watch --web`, as a browser shows it.
@Suite("The live map of watch", .timeLimit(.minutes(90)))
struct LiveMapTests {
  private let runner: CommandRunner
  private let gpsd: ScriptedGPSD

  init() throws {
    runner = try CommandRunner()
    gpsd = try ScriptedGPSD()
  }

  /// Fences with names that would be markup, a script or a turn of the direction.
  private static let names = [
    "<script>window.hostile=1</script>", "\"><img src=x onerror=window.hostile=1>",
    "\u{202E}txet", "a & b",
  ]

  /// How the list begins the line of an event.
  private static let words = ["enter": "Entered", "exit": "Left"]

  /// A report of a device that goes east; `place` is where it is, in elevens of metres from the fences.
  private static func report(_ second: Int, at place: Int? = nil) -> String {
    let stamp = String(
      format: "2025-03-10T%02d:%02d:%02d.000Z", 8 + second / 3_600, second / 60 % 60, second % 60)
    return #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"\#(stamp)","lat":0.0,"#
      + #""lon":\#(Double(place ?? second - 60) * 1e-4),"altMSL":34.0,"eph":9.5,"speed":11.1,"track":90.0}"#
  }

  private func watch(port: Int, errors: String) throws -> CommandRunner.Running {
    try runner.start(
      [
        "watch", gpsd.address, "--config", "van.yaml", "--output", "events", "--format", "jsonl",
        "--state", "state", "--web", "\(port)",
      ], errors: errors)
  }

  /// The lines of the log that are events.
  private func events() throws -> [[String: Any]] {
    try runner.read("events").split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  private func id(_ type: String, after count: Int = 0) throws -> String {
    let found = try events().filter { $0["type"] as? String == type }
    return try #require(found.dropFirst(count).last?["id"] as? String)
  }

  /// A page in Chromium; its lines go to a file.
  private func open(
    _ url: String, _ arguments: [String], by script: String = "live-page.py", to file: String
  ) throws -> Process {
    try runner.write(file, "")
    let process = Process()
    process.executableURL = Built.package(".build/peers/bin/python")
    process.arguments = [Built.package("Tests/Peers/\(script)").path, url] + arguments
    process.standardOutput = try FileHandle(
      forWritingTo: runner.folder.appendingPathComponent(file))
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return process
  }

  private func objects(_ file: String, count: Int) throws -> [[String: Any]] {
    try blockUntil("\(count) lines of \(file)") {
      try runner.read(file).split(separator: "\n", omittingEmptySubsequences: false).count > count
    }
    return try runner.read(file).split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test("has every event of the log, and goes on when watch was killed and started again")
  func page() throws {
    let fences = Self.names.enumerated().map { index, name in
      let text = String(decoding: (try? JSONEncoder().encode(name)) ?? Data(), as: UTF8.self)
      return "  - {id: \(text), center: [0, \(index == 0 ? "0.012" : "0")], radius: 80 m}\n"
    }
    try runner.writeTiles("map.mbtiles")
    try runner.write(
      "van.yaml", "device: \"<b>van\"\ntiles: map.mbtiles\nfences:\n\(fences.joined())")
    var run = try watch(port: 0, errors: "errors")
    try runner.wait(for: "the live map is at http://127.0.0.1:", in: "errors")
    let url = try #require(
      try runner.read("errors").firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\//))
    let port = try #require(Int(url.1))
    var client = try gpsd.client()
    for second in 0..<120 { client.say(Self.report(second)) }
    try blockUntil("three exits") {
      (try? events().filter { $0["type"] as? String == "exit" }.count) == Self.names.count - 1
    }
    // The event that the second run reports is known by its id before it is there: the fence is the same
    // in a replay.
    try runner.write("all.jsonl", (0..<240).map { Self.report($0) + "\n" }.joined())
    let replay = try runner.waymark(
      "replay all.jsonl --config van.yaml --format jsonl --include enter".words)
    let last = try #require(
      replay.output.split(separator: "\n").last?.firstMatch(of: /"id":"(\w+)"/)?.1)
    let browser = try open(String(url.0), [try id("exit"), String(last)], to: "page")
    defer { if browser.isRunning { kill(browser.processIdentifier, SIGKILL) } }

    let first = try objects("page", count: 1)[0]
    try check(first)
    #expect(first["axe"] as? [String] == [])
    #expect(try #require(first["overflow"] as? Int) <= 0)
    let requests = try #require(first["requests"] as? [String])
    #expect(requests.allSatisfy { $0.hasPrefix(String(url.0)) || $0.hasPrefix("data:") })
    let map = try #require(first["map"] as? [String: Any])
    #expect(map["fences"] as? [String] == Self.names)
    let errors = try #require(first["errors"] as? [String: Any])
    #expect(errors.count >= 2 * (Self.names.count - 1))
    for (id, error) in errors { #expect((error as? Double ?? .infinity) < 2, "\(id)") }
    // The tile of the world stands for those that the file lacks.
    #expect((map["tiles"] as? [String])?.contains("0/0/0") == true)
    #expect((first["footer"] as? String)?.contains("Tiles: Some & others") == true)
    #expect(first["title"] as? String == "<b>van, live")
    let detail = try #require(first["detail"] as? String)
    #expect(detail.contains(": exit at 2025-03-10 08:01:"))
    #expect(detail.contains(", because P(outside) was "))

    run.send(SIGKILL)
    _ = try run.finish()
    #expect(try objects("page", count: 2)[1]["lost"] as? Bool == true)
    // The run may have connected again while gpsd was silent.
    try gpsd.dismissAll()
    run = try watch(port: port, errors: "errors2")
    client = try gpsd.client()
    for second in 120..<240 { client.say(Self.report(second)) }
    let second = try objects("page", count: 3)[2]
    try check(second)
    // The track goes on where it was, although the second run does not know it.
    let track = try #require(map["positions"] as? [Double])
    let longer = try #require((second["map"] as? [String: Any])?["positions"] as? [Double])
    #expect(longer.count > track.count && longer.first == track.first)
    run.send(SIGTERM)
    #expect(try run.finish().code == 0)
    try browser.waitForEnd()
    #expect(browser.terminationStatus == 0)
  }

  /// Whether the page has the events of the log, in the newest line of each, and names as text.
  private func check(_ page: [String: Any]) throws {
    #expect(page["complaints"] as? [String] == [])
    #expect(page["scripts"] as? Bool == true, "a name ran as a script")
    let shown = try #require(page["events"] as? [[String: Any]])
    let logged = try events().filter { $0["retracted"] as? Bool != true }
    let ids = Set(shown.compactMap { $0["id"] as? String })
    #expect(ids.count == shown.count)
    // The page may be ahead of this look at the log, but not behind it by more than what is on its way.
    let missing = Set(logged.compactMap { $0["id"] as? String }).subtracting(ids)
    #expect(missing.isEmpty, "\(missing)")
    for event in logged {
      guard let fence = event["fence"] as? String, let type = event["type"] as? String,
        let words = Self.words[type],
        let line = shown.first(where: { $0["id"] as? String == event["id"] as? String })
      else { continue }
      #expect((line["words"] as? String)?.hasPrefix("\(words) \(fence)") == true)
      let time = try #require(event["time"] as? String)
      #expect(
        line["utc"] as? String
          == time.replacing("T", with: " ").replacing("Z", with: "") + " UTC")
    }
  }

  @Test(
    "a pause grows with the load; a load that hung delays that of a new connection by no more than 62 s"
  )
  func loads() throws {
    let run = try runner.start(["watch", gpsd.address, "--web", "0"], errors: "errors")
    try runner.wait(for: "the live map is at http://127.0.0.1:", in: "errors")
    let url = try #require(
      try runner.read("errors").firstMatch(of: /http:\/\/127\.0\.0\.1:\d+\//))
    let browser = try open(String(url.0), [], by: "live-loads.py", to: "page")
    defer { if browser.isRunning { kill(browser.processIdentifier, SIGKILL) } }
    let page = try objects("page", count: 1)[0]
    var counts = [[1, 0], [1, 0], [1, 1]]
    counts += [[1, 1], [2, 1], [2, 1], [2, 2], [2, 2], [3, 2], [3, 2], [3, 3]]
    for begun in [4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10] { counts.append([begun, 3]) }
    #expect(page["counts"] as? [[Int]] == counts)
    #expect(page["times"] as? [Int] == [0, 2])
    run.send(SIGTERM)
    #expect(try run.finish().code == 0)
    try browser.waitForEnd()
    #expect(browser.terminationStatus == 0)
  }

  /// A ship that lies north of the van.
  private static func ship(_ mmsi: Int, name: String = "") -> [String] {
    var message = ShipMessage(1, mmsi: mmsi)
    (message.latitude, message.longitude) = (0.01, Double(mmsi % 10) * 0.01)
    var named = ShipMessage(5, mmsi: mmsi)
    named.name = name
    return [message.line, named.line]
  }

  @Test("has all devices, of which one can be chosen; names by radio are text; ships are bounded")
  func devices() throws {
    let second = try ScriptedGPSD()
    try runner.write(
      "fleet.yaml",
      """
      sources:
        - {gpsd: \(gpsd.address), device: "<b>van", ais: true, most: 2}
        - {gpsd: \(second.address), device: boat}
      fences:
        - {id: gate, center: [0, 0], radius: 80 m}
        - {id: quay, center: [1, 1], radius: 500 m}
      """)
    let run = try runner.start(
      [
        "watch", "--config", "fleet.yaml", "--output", "events", "--format", "jsonl", "--web", "0",
        "--silence", "3600",
      ], errors: "errors")
    try runner.wait(for: "the live map is at http://127.0.0.1:", in: "errors")
    let url = try #require(
      try runner.read("errors").firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\//))
    let (van, boat) = (try gpsd.client(), try second.client())
    for second in 0..<120 {
      van.say(Self.report(second))
      boat.say(
        Self.report(second, at: 0).replacing(
          "\"lat\":0.0,\"lon\":0.0", with: "\"lat\":1.0,\"lon\":1.0"))
    }
    for line in Self.ship(211_000_001, name: "<IMG SRC=X ONERROR=") { van.say(line) }
    for line in Self.ship(211_000_002) { van.say(line) }
    try runner.wait(for: #""type":"exit","#, in: "events")
    try runner.wait(for: #""device":"boat","#, in: "events")
    let browser = try open(
      String(url.0), ["<b>van", "boat", "ship-211000003", "ship-211000001"],
      by: "live-devices.py", to: "page")
    defer { if browser.isRunning { kill(browser.processIdentifier, SIGKILL) } }
    let first = try objects("page", count: 1)[0]
    #expect(first["axe"] as? [String] == [])
    #expect(try #require(first["overflow"] as? Int) <= 0)
    #expect(first["first"] as? String == "<b>van")
    #expect(first["found"] as? Int == 1 && first["none"] as? String == "No such device.")
    #expect(first["title"] as? String == "boat, live" && first["device"] as? String == "boat")
    #expect(first["inside"] as? [String] == ["quay"])
    let position = try #require(first["position"] as? [String: String])
    #expect(position["Latitude, longitude"] == "1.000000, 1.000000")
    #expect(first["isInView"] as? Bool == true)
    try checkDevices(
      first,
      [
        "<b>van": "<b>van", "boat": "boat",
        "ship-211000001": "ship-211000001 <IMG SRC=X ONERROR=", "ship-211000002": "ship-211000002",
      ], chosen: "boat")
    let tracks = try #require(first["tracks"] as? [[Any]])
    #expect(tracks.count == 4 && tracks.allSatisfy { $0[1] as? Int ?? 0 > 0 })

    for line in Self.ship(211_000_003, name: "THIRD") { van.say(line) }
    let later = try objects("page", count: 2)[1]
    try checkDevices(
      later,
      [
        "<b>van": "<b>van", "boat": "boat", "ship-211000002": "ship-211000002",
        "ship-211000003": "ship-211000003 THIRD",
      ], chosen: "ship-211000003")
    #expect(later["device"] as? String == "ship-211000003 THIRD")
    let status = try runner.shell("curl -s -m 60 \(url.0)status").output
    let object = try JSONSerialization.jsonObject(with: Data(status.utf8)) as? [String: Any]
    let sources = try #require(object?["sources"] as? [[String: Any]])
    #expect(
      sources.map { $0["device"] as? String }
        == ["<b>van", "boat", "ship-211000003", "ship-211000002"])
    #expect(sources.map { $0["number"] as? Int } == [1, 2, nil, nil])
    #expect(object?["forgotten"] as? Int == 1)
    let metrics = try runner.shell("curl -s -m 60 \(url.0)metrics").output
    #expect(metrics.contains("waymark_devices 4\n"))
    #expect(metrics.contains("waymark_source_up{source=\"2\"} 1\n"))
    run.send(SIGTERM)
    #expect(try run.finish().code == 0)
    let lost = try objects("page", count: 3)[2]
    #expect((lost["rows"] as? [Any])?.count == 4)
    try browser.waitForEnd()
    #expect(browser.terminationStatus == 0)
  }

  /// Whether the page lists these devices, by name, and names the device of each event as text.
  private func checkDevices(
    _ page: [String: Any], _ devices: [String: String], chosen: String
  ) throws {
    #expect(page["complaints"] as? [String] == [])
    #expect(page["scripts"] as? Bool == true && page["markup"] as? Int == 0, "a name was markup")
    let rows = try #require(page["rows"] as? [[String: Any]])
    #expect(rows.compactMap { $0["name"] as? String } == devices.keys.sorted())
    for row in rows {
      let name = try #require(row["name"] as? String)
      #expect(row["words"] as? String == devices[name])
      #expect(row["chosen"] as? Bool == (name == chosen))
    }
    #expect(
      rows.contains { $0["name"] as? String == "boat" && $0["where"] as? String == "in quay" })
    let shown = try #require(page["events"] as? [[String: Any]])
    for event in try events() {
      let line = try #require(
        shown.first { $0["id"] as? String == event["id"] as? String }, "\(event)")
      #expect((line["names"] as? [String])?.last == event["device"] as? String)
    }
  }

  @Test("keeps its memory with 200 clients of which 20 never read")
  func memory() throws {
    // Long names make long events, which fill the queue of a client that does not read.
    let fences = (0..<20).map { number in
      "  - {id: \(String(repeating: "x", count: 2_000))\(number), center: [0, 0], radius: 80 m}\n"
    }
    try runner.write("van.yaml", "fences:\n\(fences.joined())")
    let run = try runner.start(
      [
        "watch", gpsd.address, "--config", "van.yaml", "--output", "events", "--format", "jsonl",
        "--include", "exit", "--web", "0", "--silence", "3600",
      ], errors: "errors")
    try runner.wait(for: "the live map is at http://127.0.0.1:", in: "errors")
    let port = try #require(
      try runner.read("errors").firstMatch(of: /127\.0\.0\.1:(\d+)\//)?.1)
    let client = try gpsd.client()
    let crowd = Process()
    let (input, output) = (Pipe(), Pipe())
    crowd.executableURL = Built.package(".build/peers/bin/python")
    crowd.arguments = [
      "-B", Built.package("Tests/Peers/live-crowd.py").path, String(port), "180", "20",
    ]
    (crowd.standardInput, crowd.standardOutput) = (input, output)
    try crowd.run()
    // The first bytes come when all are open.
    #expect(!output.fileHandleForReading.availableData.isEmpty)
    var passages = 0
    func pass(_ count: Int) throws {
      // There and back in four minutes.
      for second in passages * 120..<(passages + count) * 120 {
        client.say(Self.report(second, at: abs(second % 240 - 120) - 60))
      }
      passages += count
      try blockUntil("\(passages) passages") {
        try runner.read("events").utf8.count { $0 == 0x0A } == passages * fences.count
      }
    }
    try pass(50)
    try blockUntil("20 clients are dropped") {
      try runner.read("errors").split(separator: "\n").count { $0.contains("does not read") } == 20
    }
    let before = try run.memory()
    for _ in 0..<3 { try pass(50) }
    let growth = try run.memory() - before
    #expect(growth < 8 << 20)
    try input.fileHandleForWriting.close()
    try crowd.waitForEnd()
    #expect(crowd.terminationStatus == 0)
    run.send(SIGTERM)
    #expect(try run.finish().code == 0)
  }

  @Test("has the last events of the runs before that stored them, of its own devices")
  func stored() throws {
    try runner.write("van.yaml", "fences: [{id: gate, center: [0, 0], radius: 80 m}]\n")
    func watch(_ device: String) throws -> CommandRunner.Running {
      try runner.start(
        [
          "watch", gpsd.address, "--config", "van.yaml", "--device", device, "--web", "0",
          "--store", "events.gpkg", "--output", "\(device).log", "--format", "jsonl",
        ], errors: "\(device).errors")
    }
    for device in ["bus", "van"] {
      let run = try watch(device)
      let client = try gpsd.client()
      for second in 0..<120 { client.say(Self.report(second)) }
      try runner.wait(for: #""type":"exit""#, in: "\(device).log")
      run.send(SIGTERM)
      #expect(try run.finish().code == 0)
      try gpsd.dismissAll()
    }
    let lines = try runner.read("van.log")
    let again = try watch("van")
    try runner.wait(for: "the live map is at http://127.0.0.1:", in: "van.errors")
    let url = try #require(
      try runner.read("van.errors").firstMatch(of: /http:\/\/127\.0\.0\.1:\d+\//)?.0)
    try blockUntil("the events of the run before") {
      try runner.shell("curl -s -m 60 \(url)events").output == lines
    }
    again.send(SIGTERM)
    #expect(try again.finish().code == 0)
  }

  @Test("needs a token on an address that others reach, which it makes")
  func token() throws {
    let refused = try runner.waymark("watch --web 0.0.0.0:0".words)
    #expect(refused.code == 64 && refused.errors.contains("--web-token"))
    #expect(try runner.waymark("watch --web-token t".words).code == 64)
    #expect(try runner.waymark("watch --web x".words).code == 64)
    let run = try runner.start(
      ["watch", gpsd.address, "--web", "0.0.0.0:0", "--web-token", "token"], errors: "errors")
    try runner.wait(for: "append ?token= and the text of token", in: "errors")
    let token = try runner.read("token").trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(token.utf8.count == 64)
    #expect(!(try runner.read("errors").contains(token)))
    let port = try #require(try runner.read("errors").firstMatch(of: /0\.0\.0\.0:(\d+)\//)?.1)
    let url = "http://127.0.0.1:\(port)"
    func code(_ options: String) throws -> String {
      try runner.shell("curl -s -m 60 -o /dev/null -w '%{http_code}' \(options)").output
    }
    #expect(try code("\(url)/status") == "401")
    #expect(try code("-H 'Authorization: Bearer \(token)' \(url)/status") == "200")
    #expect(try code("-L -c jar -b jar '\(url)/?token=\(token)'") == "200")
    #expect(try code("-b jar \(url)/metrics") == "200")
    run.send(SIGTERM)
    #expect(try run.finish().code == 0)
    try runner.write("open", String(repeating: "0", count: 64))
    let open = try runner.waymark(["watch", gpsd.address, "--web", "0", "--web-token", "open"])
    #expect(open.code == 74 && open.errors.contains("chmod 600"))
  }
}
