import Foundation
import Testing

/// `waymark feed` of a story.
private final class Feed {
  let program: Program
  /// As clients of gpsd want it.
  let port: String
  static let fixes = 2_074
  /// What gpspipe -w recorded of a real gpsd.
  static let recording = "Tests/TracesTests/Fixtures/gpspipe-w.jsonl"

  init(_ options: [String] = ["--speed", "max"], story: String = "traces/commute/track.gpx") throws
  {
    program = try Program(
      Program.waymark(),
      ["feed", Program.package(story), "--listen", "127.0.0.1:0"] + options)
    let line = try program.error(with: "waymark: serving 1 device at gpsd://127.0.0.1:")
    port = line.split(separator: ":").last.map(String.init) ?? ""
  }

  var address: String { "127.0.0.1:\(port)" }
}

private func count(_ text: String, in lines: [String]) -> Int {
  lines.count { $0.contains(text) }
}

@Suite("feed, seen by real programs,", .serialized, .timeLimit(.minutes(90)))
struct FeedTests {
  @Test(
    "gives gpspipe every fix, as JSON and as NMEA",
    .enabled(if: Program.isInstalled("gpspipe"), "gpspipe is not installed"),
    arguments: [
      ("-w", "\"class\":\"TPV\"", 1), ("-r", "$GPRMC,", 1), ("-r", "$GPGGA,", 1),
      ("-R", "$GPVTG,", 1),
      ("-R", "$GPGST,", 1),
      ("-wtu", ": {\"class\":\"TPV\"", 1),
    ])
  func gpspipe(option: String, text: String, times: Int) throws {
    let feed = try Feed()
    let pipe = try Program("gpspipe", [option, feed.address])
    let lines = pipe.output.rest()
    #expect(count(text, in: lines) == Feed.fixes * times)
    #expect(try feed.program.end() == 0)
  }

  @Test(
    "gives gpspipe what gpspipe recorded, byte for byte",
    .enabled(if: Program.isInstalled("gpspipe"), "gpspipe is not installed"))
  func verbatim() throws {
    let feed = try Feed(["--verbatim", "--speed", "max"], story: Feed.recording)
    let pipe = try Program("gpspipe", ["-w", feed.address])
    let recorded = try String(contentsOfFile: Program.package(Feed.recording), encoding: .utf8)
    #expect(
      pipe.output.rest().map { $0.filter { !$0.isNewline } }
        == recorded.split(whereSeparator: \.isNewline).map(String.init))
    #expect(try feed.program.end() == 0)
  }

  @Test(
    "gives gpsd-py3 a precision of the position, and satellites of a recording",
    arguments: [
      (["--speed", "60", "--loop"], "traces/commute/track.gpx", 0),
      (["--verbatim", "--speed", "20", "--loop"], recording, 9),
    ])
  func gpsdPy3(options: [String], story: String, satellites: Int) throws {
    let feed = try Feed(options, story: story)
    let script = """
      import gpsd
      gpsd.connect(host="127.0.0.1", port=\(feed.port))
      while True:
          try:
              now = gpsd.get_current()
              horizontal, vertical = now.position_precision()
              if now.sats_valid >= \(satellites) and 0 < horizontal < 100:
                  break
          # Before the first report there is no receiver, and after it perhaps no position.
          except (UserWarning, gpsd.NoFixError):
              pass
      print(now.mode)
      """
    let python = try Program(Program.package(".build/peers/bin/python"), ["-c", script])
    #expect(python.output.next() == "3")
    feed.program.signal(SIGTERM)
    #expect(try feed.program.end() == 0)
  }

  private static let recording = Feed.recording

  @Test(
    "gives gpxlogger every fix",
    .enabled(if: Program.isInstalled("gpxlogger"), "gpxlogger is not installed"))
  func gpxlogger() throws {
    let feed = try Feed()
    let logger = try Program("gpxlogger", [feed.address])
    let lines = logger.output.rest()
    #expect(count("<trkpt lat=", in: lines) == Feed.fixes)
    #expect(count("</gpx>", in: lines) == 1)
    #expect(try feed.program.end() == 0)
  }

  @Test(
    "is shown by cgps",
    .enabled(if: Program.isInstalled("cgps", "script"), "cgps or script is not installed"))
  func cgps() throws {
    let feed = try Feed(["--speed", "60", "--loop"])
    let screen = try Program(
      "script", ["-qfc", "stty cols 100 rows 40; cgps -s \(feed.address)", "/dev/null"],
      environment: ["TERM": "vt100"])
    // It draws on a terminal, without line ends.
    var seen = ""
    while !(seen.contains("52.4") && seen.contains("13.3") && seen.contains("3D")) {
      seen += try #require(screen.output.piece(), "cgps showed: \(seen)")
    }
    screen.signal(SIGKILL)
    feed.program.signal(SIGTERM)
    #expect(try feed.program.end() == 0)
  }

  @Test(
    "is read by Python's gps module",
    .enabled(if: FeedTests.hasPythonGPS, "python3-gps is not installed"))
  func python() throws {
    let feed = try Feed()
    let script = """
      import gps
      session = gps.gps(host="127.0.0.1", port="\(feed.port)", mode=gps.WATCH_ENABLE)
      fixes = 0
      while session.read() == 0:
          if session.valid & gps.MODE_SET and session.data["class"] == "TPV":
              fixes += 1
              last = session.fix
      print(fixes, last.mode, "%.4f %.4f" % (last.latitude, last.longitude))
      """
    let python = try Program("/usr/bin/python3", ["-c", script])
    #expect(python.output.next() == "\(Feed.fixes) 3 52.4562 13.3214")
    #expect(try feed.program.end() == 0)
  }

  @Test(
    "shows Python's gps module the sky of a recording, as xgps draws it",
    .enabled(if: FeedTests.hasPythonGPS, "python3-gps is not installed"))
  func sky() throws {
    let feed = try Feed(["--verbatim", "--speed", "max"], story: Feed.recording)
    let script = """
      import gps
      session = gps.gps(host="127.0.0.1", port="\(feed.port)", mode=gps.WATCH_ENABLE)
      while session.read() == 0:
          if session.satellites:
              sky = session.satellites
      print([(s.PRN, s.elevation, s.azimuth, s.ss, s.used) for s in sky[:2]], len(sky))
      """
    let python = try Program("/usr/bin/python3", ["-c", script])
    #expect(python.output.next() == "[(2, 30.0, 0.0, 35.0, True), (5, 35.0, 40.0, 36.0, True)] 9")
    #expect(try feed.program.end() == 0)
  }

  private static var hasPythonGPS: Bool {
    let check = try? Program("/usr/bin/python3", ["-c", "import gps"])
    if let check, (try? check.end()) == 0 { return true }
    print("SKIPPED: not installed: python3-gps; make test installs it")
    return false
  }

  @Test(
    "is a receiver to a real gpsd",
    .enabled(if: RealGPSD.isInstalled, "gpsd is not installed"),
    .enabled(if: Program.isInstalled("gpspipe"), "gpspipe is not installed"))
  func chain() throws {
    let feed = try Feed(["--speed", "60", "--loop"])
    let gpsd = try RealGPSD(["gpsd://\(feed.address)"])
    let pipe = try Program("gpspipe", ["-w", "127.0.0.1:\(gpsd.port)"])
    for _ in 0..<3 {
      let line = try pipe.line(with: "\"class\":\"TPV\"")
      #expect(line.contains("\"device\":\"gpsd://\(feed.address)"))
      #expect(line.contains("\"mode\":3"))
      #expect(line.contains("\"lat\":52.") && line.contains("\"lon\":13."))
    }
    feed.program.signal(SIGTERM)
    #expect(try feed.program.end() == 0)
  }
}

@Suite("A recording from feed, through a real gpsd,", .serialized, .timeLimit(.minutes(90)))
struct FeedRecordingTests {
  @Test(
    "has its satellites",
    .enabled(if: RealGPSD.isInstalled, "gpsd is not installed"),
    .enabled(if: Program.isInstalled("gpspipe"), "gpspipe is not installed"))
  func chain() throws {
    let feed = try Feed(
      ["--verbatim", "--now", "--speed", "20", "--loop"], story: Feed.recording)
    let gpsd = try RealGPSD(["gpsd://\(feed.address)"])
    let pipe = try Program("gpspipe", ["-w", "127.0.0.1:\(gpsd.port)"])
    let sky = try pipe.line(with: "\"class\":\"SKY\"")
    #expect(sky.contains("{\"PRN\":5,\"el\":35.0,\"az\":40.0,\"ss\":36.0,\"used\":true"))
    #expect(try pipe.line(with: "\"class\":\"TPV\"").contains("\"mode\":"))
    feed.program.signal(SIGTERM)
    #expect(try feed.program.end() == 0)
  }

  @Test(
    "is shown by cgps",
    .enabled(if: Program.isInstalled("cgps", "script"), "cgps or script is not installed"))
  func cgps() throws {
    let feed = try Feed(["--verbatim", "--now", "--speed", "20", "--loop"], story: Feed.recording)
    let screen = try Program(
      "script", ["-qfc", "stty cols 100 rows 40; cgps -s \(feed.address)", "/dev/null"],
      environment: ["TERM": "vt100"])
    var seen = ""
    // The elevation and the signal of satellites.
    while !(seen.contains("35.0") && seen.contains("40.0") && seen.contains("3D")) {
      seen += try #require(screen.output.piece(), "cgps showed: \(seen)")
    }
    screen.signal(SIGKILL)
    feed.program.signal(SIGTERM)
    #expect(try feed.program.end() == 0)
  }
}

@Suite("feed, in use,", .serialized, .timeLimit(.minutes(90)))
struct FeedUseTests {
  @Test("ends with 0 on a signal, while it waits and while it plays", arguments: [SIGINT, SIGTERM])
  func signals(number: Int32) throws {
    let waiting = try Feed()
    waiting.program.signal(number)
    #expect(waiting.program.errors.line(with: "served 0 fixes of 1 device") != nil)
    #expect(try waiting.program.end() == 0)
    let playing = try Feed(["--speed", "0.001", "--no-wait"])
    playing.program.signal(number)
    #expect(try playing.program.end() == 0)
  }

  @Test("reports a port in use, and exits with 69")
  func inUse() throws {
    let feed = try Feed()
    let second = try Program(
      Program.waymark(),
      ["feed", Program.package("traces/dwell/track.gpx"), "--listen", feed.address])
    #expect(
      second.errors.rest() == [
        "waymark: cannot listen on \(feed.address): the port is in use, perhaps by gpsd; "
          + "stop that, or choose another with --listen HOST:PORT"
      ])
    #expect(try second.end() == 69)
  }

  @Test("warns when other machines can connect")
  func warning() throws {
    let program = try Program(
      Program.waymark(),
      ["feed", Program.package("traces/dwell/track.gpx"), "--listen", "0.0.0.0:0"])
    let line = try program.error(with: "waymark: ")
    #expect(line.hasPrefix("waymark: anyone who can reach 0.0.0.0:"))
    #expect(line.hasSuffix(" can read the positions"))
    program.signal(SIGTERM)
    #expect(try program.end() == 0)
  }

  @Test("plays without a client if requested, and reports the errors of its input")
  func noWait() throws {
    let story = "traces/truncated/track.gpx"
    let feed = try Feed(["--speed", "max", "--no-wait"], story: story)
    let lines = feed.program.errors.rest()
    #expect(lines.contains { $0.contains("track.gpx:") })
    #expect(lines.contains { $0.hasPrefix("waymark: served ") })
    let code = try feed.program.end()
    #expect(code == 65)
  }

  @Test("passes a pipe on while it is open")
  func pipe() throws {
    let program = try Program(
      Program.waymark(), ["feed", "-", "--listen", "127.0.0.1:0", "--no-wait", "--speed", "max"])
    program.send("time,latitude,longitude\n2025-03-10T14:02:07Z,1,2\n")
    let line = try program.error(with: "serving 1 device at gpsd://")
    #expect(line.contains("127.0.0.1:"))
    program.closeInput()
    #expect(program.errors.line(with: "served 1 fix of 1 device to 0 watching clients") != nil)
    #expect(try program.end() == 0)
  }

  @Test("serves a socket that is a file, removes it at its end, and replaces one that was left")
  func socketFile() throws {
    let folder = try Folder()
    let path = folder.path("gnss.sock")
    func start() throws -> Program {
      let program = try Program(
        Program.waymark(),
        ["feed", Program.package("traces/dwell/track.gpx"), "--listen", "unix:\(path)"])
      _ = try program.error(with: "waymark: serving 1 device at unix:\(path)")
      return program
    }
    let killed = try start()
    killed.signal(SIGKILL)
    _ = try killed.end()
    #expect(FileManager.default.fileExists(atPath: path))
    let ended = try start()
    let second = try Program(
      Program.waymark(),
      ["feed", Program.package("traces/dwell/track.gpx"), "--listen", "unix:\(path)"])
    #expect(second.errors.rest().joined().contains("another program listens there"))
    #expect(try second.end() == 69)
    ended.signal(SIGTERM)
    #expect(try ended.end() == 0)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("plays a script of faults, and reports what is wrong with one")
  func faults() throws {
    let folder = try Folder()
    let script = folder.path("faults.txt")
    func run(_ text: String) throws -> (errors: [String], code: Int32) {
      try Data(text.utf8).write(to: URL(fileURLWithPath: script))
      let program = try Program(
        Program.waymark(),
        [
          "feed", Program.package(Feed.recording), "--verbatim", "--listen", "127.0.0.1:0",
          "--no-wait", "--speed", "max", "--fault", script,
        ])
      return (program.errors.rest(), try program.end())
    }
    let right = try run("at 5 s: silence 10 s\nat 16 s: junk 300 B\nat 20 s: disconnect\n")
    #expect(right.errors.contains("waymark: 300 bytes of junk sent"))
    #expect(right.errors.contains("waymark: 1 time all clients were disconnected"))
    #expect(right.errors.contains { $0.hasSuffix(" lost in silences of --fault") })
    #expect(right.code == 0)
    let wrong = try run("at 5 s: silence 10 s\nat 6 s: silense 3 s\n")
    #expect(
      wrong.errors == [
        "waymark: \(script):2:9: 'silense' is no fault, expected silence, junk, clock or disconnect"
      ])
    #expect(wrong.code == 65)
  }

  @Test(
    "refuses what cannot be meant",
    arguments: [
      (["--listen", "here:there"], "'here:there' is not an address: expected HOST:PORT"),
      (["--speed", "0"], "--speed"),
      (["--from", "2025-03-11", "--until", "2025-03-10"], "--from is later than --until"),
      (["--listen", "unix:"], "'unix:' is not an address: expected HOST:PORT"),
      (
        ["-", "--verbatim"],
        "--verbatim plays one recording, so standard input (-) must be alone; name no other file"
      ),
      (["-", "--loop"], "--loop cannot read standard input (-) again"),
    ])
  func usage(options: [String], message: String) throws {
    let program = try Program(
      Program.waymark(), ["feed", Program.package("traces/dwell/track.gpx")] + options)
    #expect(program.errors.rest().joined().contains(message))
    #expect(try program.end() == 64)
  }
}
