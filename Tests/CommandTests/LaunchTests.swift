import Foundation
import Geodesy
import Services
import TestSupport
import Testing
import Tracking

@Suite("launch", .timeLimit(.minutes(90)))
struct LaunchTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private static let track = "traces/out-and-back/track.gpx"
  private static let home = Region(
    identifier: "home", center: Coordinate(latitude: 47.9886, longitude: 7.8412), radius: 80)
  private static let bakery = Region(
    identifier: "bakery", center: Coordinate(latitude: 47.991388, longitude: 7.846827), radius: 60)

  private func path(_ name: String) -> String { runner.folder.appendingPathComponent(name).path }

  private func store(_ name: String = "state") throws -> ServiceStore {
    try ServiceStore(folder: path(name)) { Issue.record("\($0)") }
  }

  /// What a program would have left behind.
  private func register(
    _ status: Authorization.Status = .always, in folder: String = "state",
    _ change: (inout Registrations) -> Void = { $0.regions = [home, bakery] }
  ) throws {
    var registrations = Registrations()
    change(&registrations)
    try store(folder).save(ServiceState(registrations, engine: nil, grant: Authorization(status)))
  }

  /// A program: a script that writes how it was launched and then does what is given.
  private func program(_ script: String, mode: Int = 0o755) throws {
    try writeExecutable(
      """
      #!/bin/sh
      echo "$WAYMARK_LAUNCHED $WAYMARK_STATE $*" >> launches
      \(script)
      """, to: path("program"), mode: mode)
  }

  /// Takes what is pending, and keeps a copy for the test.
  private static let taking = """
    n=$(wc -l < launches)
    mkdir taken$n
    mv "$WAYMARK_STATE/pending" taken$n/
    """

  private func launch(_ source: String = track, _ more: [String] = []) throws
    -> CommandRunner.Outcome
  {
    try runner.waymark(
      ["launch", source, "--speed", "max", "--state", "state"] + more
        + ["--", "./program", "-v", "two words"])
  }

  private func launches() throws -> [String] {
    runner.exists("launches")
      ? try runner.read("launches").split(separator: "\n").map(String.init) : []
  }

  private func taken(_ number: Int) throws -> [PendingEvent] {
    try store("taken\(number)").pending()
  }

  @Test("AT-30 the program is launched with the key, and gets the events")
  func regions() throws {
    try register()
    try program(Self.taking)
    let outcome = try launch()
    #expect(outcome.code == 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasSuffix(" fixes, 4 launches\n"))
    let folder = try #require(realpath(path("state"), nil).map { String(cString: $0) })
    #expect(
      try launches() == Array(repeating: "location \(folder) -v two words", count: 4))
    #expect(try taken(1) == [.state(.outside, Self.home), .exited(Self.home)])
    #expect(try taken(2) == [.state(.inside, Self.bakery), .entered(Self.bakery)])
    #expect(try taken(3) == [.state(.outside, Self.bakery), .exited(Self.bakery)])
    #expect(try taken(4) == [.state(.inside, Self.home), .entered(Self.home)])
    // Run again over the same track, all of it is known.
    #expect(try launch().errors.hasSuffix(" fixes, 0 launches\n"))
  }

  @Test("AT-30 a significant change comes with its own time")
  func significantChange() throws {
    try register { $0.hasSignificantChanges = true }
    try program(Self.taking)
    #expect(try launch().errors.hasSuffix(" fixes, 2 launches\n"))
    guard case .significantChange(let report)? = try taken(1).first else {
      Issue.record("\(try taken(1))")
      return
    }
    // 2026-05-02T06:51:10Z
    #expect(report.fix.time == Timestamp(nanoseconds: 1_777_704_670_000_000_000))
  }

  @Test("AT-28 visits reach a program that is not running")
  func visits() throws {
    try register { $0.hasVisits = true }
    try program(Self.taking)
    #expect(try launch().code == 0)
    let stays = try (1...launches().count).flatMap { try taken($0) }.compactMap {
      event -> Bool? in
      guard case .visit(let stay) = event else { return nil }
      return stay.departure == nil
    }
    #expect(stays == [true, false, true, false, true])
  }

  @Test("AT-31 a program is launched for the registrations that it left")
  func leaves() throws {
    try register()
    try register(in: "other") { $0.regions = [Self.home] }
    try program(Self.taking + "\ncp other/services \"$WAYMARK_STATE/services\"")
    #expect(try launch().errors.hasSuffix(" fixes, 2 launches\n"))
    #expect(try taken(2) == [.state(.inside, Self.home), .entered(Self.home)])
  }

  @Test("AT-05 without Always nothing is launched, which is reported once")
  func permission() throws {
    try register(.whenInUse)
    try program("")
    let outcome = try launch()
    #expect(outcome.code == 0)
    #expect(
      outcome.errors.hasPrefix(
        "waymark: state: the program is not launched, because it has no permission for the background"
      ))
    #expect(outcome.errors.split(separator: "\n").count == 2)
    #expect(try launches() == [])
  }

  @Test("a folder without registrations")
  func empty() throws {
    try program("")
    let outcome = try launch()
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("state: no program has made requests there yet"))
    #expect(try launches() == [])
  }

  @Test("a program that runs already is not launched again")
  func elsewhere() throws {
    try register()
    try program("")
    let mine = try store()
    let outcome = try launch()
    #expect(outcome.code == 0)
    #expect(mine.pending() == [])
    #expect(try launches() == [])
  }

  @Test(
    "a program that fails at once is not launched for some events, which is reported and counted")
  func fails() throws {
    try register()
    try program("exit 3")
    let outcome = try launch()
    #expect(outcome.code == 0)
    #expect(try launches().count == 2)
    #expect(
      outcome.errors.hasSuffix(" fixes, 2 launches, 2 failed, 2 events skipped after failures\n"))
    #expect(
      outcome.errors.contains(
        "waymark: ./program ended with code 3 without taking the events that it was launched for; "
          + "it is not launched for the next event\n"))
    #expect(outcome.errors.contains("not launched for the next 2 events\n"))
    #expect(try store().pending().filter(\.isWorthLaunching).count == 4)
  }

  @Test("a program ended by a signal has failed; one that took its events has not")
  func signalled() throws {
    try register()
    try program("kill -KILL $$")
    #expect(try launch().errors.contains("./program was ended by signal 9 without taking"))
    try register()
    try program(Self.taking + "\nexit 1")
    #expect(try launch().errors.hasSuffix(" fixes, 4 launches\n"))
  }

  @Test("a missing program or track is 66, a program that cannot be started 69")
  func cannotStart() throws {
    try register()
    let missing = try launch()
    #expect(missing.code == 66)
    #expect(missing.errors == "waymark: ./program: no such program\n")
    try program("", mode: 0o644)
    let locked = try launch()
    #expect(locked.code == 69)
    #expect(
      locked.errors == "waymark: ./program: the program cannot be started: permission denied\n")
    try writeExecutable("no script", to: path("program"), mode: 0o755)
    let text = try launch()
    #expect(text.code == 69)
    #expect(text.errors == "waymark: ./program: the program cannot be started: exec format error\n")
    #expect(try launch("none.gpx").code == 66)
  }

  @Test("of a track with several devices one is for the program")
  func device() throws {
    try program(Self.taking)
    func row(_ device: String, _ second: Int, _ longitude: Double) -> String {
      String(
        format: "%@,2025-03-10T08:%02d:%02dZ,0,%.4f,5", device, second / 60, second % 60, longitude)
    }
    let rows = (0..<240).flatMap { second in
      // The car stays far away, the van drives through the gate.
      [row("car", second, 1), row("van", second, Double(second - 120) * 1e-4)]
    }
    try runner.write(
      "fleet.csv",
      (["device,time,latitude,longitude,accuracy"] + rows).joined(separator: "\n") + "\n")
    let gate = Region(
      identifier: "gate", center: Coordinate(latitude: 0, longitude: 0), radius: 80)
    for (options, end) in [
      ([], "waymark: 240 fixes, 0 launches\n"),
      (["--device", "van"], "waymark: 240 fixes, 2 launches\n"),
      (
        ["--device", "bus"], "waymark: --device: the track has no fixes of 'bus'; it has car, van\n"
      ),
    ] {
      try register { $0.regions = [gate] }
      let outcome = try launch("fleet.csv", options)
      #expect(outcome.errors == end)
      #expect(outcome.code == (options.last == "bus" ? 65 : 0))
    }
  }

  @Test("the device is the very one, else one whose name Unicode calls equal")
  func forms() throws {
    try program(Self.taking)
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    func table(_ names: [String]) -> String {
      let rows = (0..<20).map {
        "\(names[$0 % names.count]),2025-03-10T08:00:\($0 + 10)Z,0,1,5\n"
      }
      return "device,time,latitude,longitude,accuracy\n" + rows.joined()
    }
    try runner.write("both.csv", table([decomposed, composed, composed, composed]))
    try runner.write("one.csv", table([decomposed]))
    for (file, device, fixes) in [
      ("both.csv", composed, 15), ("both.csv", decomposed, 5), ("one.csv", composed, 20),
    ] {
      try register()
      let outcome = try launch(file, ["--device", device])
      #expect(outcome.errors == "waymark: \(fixes) fixes, 0 launches\n")
    }
  }

  @Test("an unusable folder is 74")
  func noFolder() throws {
    try runner.write("state", "")
    try program("")
    let outcome = try launch()
    #expect(outcome.code == 74)
    #expect(outcome.errors == "waymark: state: cannot save the state there: not a directory\n")
  }

  @Test("a folder that others may write to is 74, and the message says what to do")
  func openFolder() throws {
    try register()
    try program("")
    let folder = try #require(realpath(path("state"), nil).map { String(cString: $0) })
    chmod(path("state"), 0o777)
    let outcome = try launch()
    #expect(outcome.code == 74)
    #expect(
      outcome.errors
        == "waymark: state: cannot save the state there: other users may write to \(folder) "
        + "(mode 777); run 'chmod go-w \(folder)'\n")
    #expect(try launches() == [])
    chmod(path("state"), 0o755)
    #expect(try launch().code == 0)
  }

  @Test("SIGINT and SIGTERM are passed on as SIGTERM, and end it", arguments: [SIGINT, SIGTERM])
  func stop(_ signal: Int32) throws {
    try register()
    try program("trap 'echo stopped > got; exit 0' TERM\necho > ready\nwhile :; do :; done")
    let running = try runner.start(
      ["launch", Self.track, "--speed", "max", "--state", "state", "--", "./program"])
    try runner.wait(for: "\n", in: "ready")
    running.send(signal)
    let outcome = try running.finish()
    #expect(outcome.code == 0)
    #expect(outcome.errors.hasSuffix(" fixes, 1 launch\n"))
    #expect(try runner.read("got") == "stopped\n")
  }

  @Test("launches continue when SIGCHLD was ignored at the start")
  func ignoredChildSignal() throws {
    try register()
    try program(Self.taking)
    let outcome = try runner.shell(
      """
      timeout -s KILL 120 env --ignore-signal=CHLD "$waymark" launch \(Self.track) --speed max \
        --state state -- ./program
      """)
    #expect(outcome.code == 0)
    #expect(outcome.errors.hasSuffix(" fixes, 4 launches\n"))
    #expect(try launches().count == 4)
  }

  // MARK: gpsd

  /// A report on the equator, `second` seconds after eight.
  private static func report(_ second: Int) -> String {
    let stamp = String(format: "2025-03-10T08:%02d:%02d.000Z", second / 60, second % 60)
    return #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"\#(stamp)","lat":0.0,"#
      + #""lon":\#(Double(second - 60) * 1e-4),"altMSL":34.0,"eph":9.5,"speed":11.1,"track":90.0}"#
  }

  @Test("AT-28 live: launched on entering, and watched on until a signal")
  func live() throws {
    let gate = Region(
      identifier: "gate", center: Coordinate(latitude: 0, longitude: 0), radius: 80)
    try register { $0.regions = [gate] }
    try program(Self.taking)
    let gpsd = try ScriptedGPSD()
    let running = try runner.start(
      ["launch", gpsd.address, "--state", "state", "--", "./program"], errors: "errors")
    var client = try gpsd.client()
    for second in 0..<60 { client.say(Self.report(second)) }
    client = try gpsd.client()
    for second in 60..<120 { client.say(Self.report(second)) }
    client = try gpsd.client()
    running.send(SIGTERM)
    #expect(try running.finish().code == 0)
    #expect(try launches().count == 2)
    #expect(try taken(1) == [.state(.inside, gate), .entered(gate)])
    #expect(try taken(2) == [.state(.outside, gate), .exited(gate)])
    #expect(try runner.read("errors").hasSuffix(" fixes, 2 launches\n"))
  }

  @Test("an unavailable gpsd is 69 with --no-reconnect")
  func gone() throws {
    try register()
    try program("")
    let gpsd = try ScriptedGPSD()
    let running = try runner.start(
      ["launch", gpsd.address, "--no-reconnect", "--state", "state", "--", "./program"])
    do { _ = try gpsd.client() }
    let outcome = try running.finish()
    #expect(outcome.code == 69)
    #expect(
      outcome.errors.hasSuffix("waymark: gpsd is unavailable: gpsd closed the connection\n"))
  }

  @Test("missing arguments are reported")
  func usage() throws {
    for (arguments, says) in [
      (["launch", "--", "./program"], "Missing expected argument '--state <folder>'"),
      (
        ["launch", "--state", "state"],
        "the program is missing; expected it at the end, after --: -- ./van"
      ),
      (["launch", "gpsd:/x", "--state", "s", "--", "./program"], "found 'gpsd:/x', expected"),
    ] {
      let outcome = try runner.waymark(arguments)
      #expect(outcome.code == 64)
      #expect(outcome.errors.contains(says), "\(outcome.errors)")
    }
  }
}
