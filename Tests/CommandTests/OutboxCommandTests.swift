import Foundation
import TestSupport
import Testing

/// `--deliver` and `outbox`: what a user sees of receivers.
@Suite("Receivers of a command", .timeLimit(.minutes(90)))
struct OutboxCommandTests {
  private let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    try runner.write(
      "house.yaml",
      """
      fences: [{id: home, center: [47.9886, 7.8412], radius: 80 m}]
      store: events.gpkg
      deliver:
        - {name: log, command: [sh, -c, 'cat >> log.jsonl'], only: [enter, exit]}
        - {name: broken, command: [sh, -c, 'echo no; exit 3'], only: [exit]}

      """)
  }

  /// Writes a config with a fence that the track leaves and enters, a store, and one receiver.
  private func write(_ name: String, receiver: String) throws {
    try runner.write(
      name,
      """
      fences: [{id: home, center: [47.9886, 7.8412], radius: 80 m}]
      store: events.gpkg
      deliver: [\(receiver)]

      """)
  }

  private static let replay = ["replay", "traces/out-and-back/track.gpx", "--config", "house.yaml"]

  private func log() -> [String] {
    let path = runner.folder.appendingPathComponent("log.jsonl")
    let text = try? String(contentsOf: path, encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  @Test("get nothing from a replay without --deliver")
  func silent() throws {
    let run = try runner.waymark(Self.replay)
    #expect(run.code == 0 && log().isEmpty)
    let outbox = try runner.waymark(["outbox", "events.gpkg"])
    #expect(outbox.output == "no receivers: no run has delivered from this store\n")
  }

  @Test("get each event once, also when the track is played again, and failures are reported")
  func once() throws {
    let events = try runner.waymark(Self.replay + ["--format", "jsonl", "--store", "other.gpkg"])
    for _ in 0..<2 {
      let run = try runner.waymark(Self.replay + ["--deliver"])
      #expect(run.code == 69)
      #expect(run.errors.contains("waymark: broken: 1 event could not be delivered yet; "))
    }
    let crossings = events.output.split(separator: "\n").map(String.init).filter {
      $0.contains(#""type":"enter""#) || $0.contains(#""type":"exit""#)
    }
    #expect(log() == crossings && crossings.count == 2)
    let outbox = try runner.waymark(["outbox", "events.gpkg"]).output
    #expect(outbox.contains("broken: 1 event waiting since 2026-05-02T06:"))
    #expect(outbox.contains(": it ended with code 3: no\n") && outbox.contains("next attempt"))
    #expect(outbox.contains("log: nothing waits; 2 delivered, the last at "))
  }

  @Test("get events again, or drop them, with the options of outbox")
  func commands() throws {
    _ = try runner.waymark(Self.replay + ["--deliver"])
    let replay = try runner.waymark(
      ["outbox", "events.gpkg", "--replay", "log", "--since", "2026-05-02T07:00:00Z"])
    #expect(replay.output == "log: 1 event will be delivered\n")
    let discard = try runner.waymark(["outbox", "events.gpkg", "--discard", "broken"])
    #expect(discard.output == "broken: 1 event dropped\n")
    #expect(try runner.waymark(Self.replay + ["--deliver"]).code == 0)
    #expect(log().count == 3 && log()[1] == log()[2])
    #expect(try runner.waymark(["outbox", "events.gpkg", "--retry", "log"]).code == 0)
    #expect(try runner.waymark(["outbox", "events.gpkg", "--dead"]).output.isEmpty)
  }

  @Test(
    "outbox reports wrong use",
    arguments: [
      (["events.gpkg", "--retry", "lgo"], 64, "no receiver 'lgo'; expected one of: broken, log"),
      (["events.gpkg", "--replay", "log"], 64, "--replay and --since go together"),
      (["events.gpkg", "--dead", "--retry", "log"], 64, "give one of --retry"),
      (["none.gpkg"], 66, "none.gpkg: there is no such file"),
      (["house.yaml"], 74, "it is not a GeoPackage or another SQLite database"),
    ] as [([String], Int32, String)])
  func mistakes(_ words: [String], _ code: Int32, _ message: String) throws {
    _ = try runner.waymark(Self.replay + ["--deliver"])
    let run = try runner.waymark(["outbox"] + words)
    #expect(run.code == code && run.errors.contains(message), "\(run.errors)")
  }

  @Test("outbox makes no store of an empty file")
  func empty() throws {
    try runner.write("empty.gpkg", "")
    for arguments in [[], ["--dead"], ["--retry", "log"]] {
      let run = try runner.waymark(["outbox", "empty.gpkg"] + arguments)
      #expect(run.code == 66)
      #expect(
        run.errors == "waymark: empty.gpkg: the file is empty; name the `store` of a config\n")
      #expect(try runner.read("empty.gpkg").isEmpty)
    }
  }

  @Test("--deliver needs receivers, and receivers a store")
  func needs() throws {
    try runner.write("plain.yaml", "store: events.gpkg\n")
    let plain = try runner.waymark(
      ["replay", "traces/out-and-back/track.gpx", "--config", "plain.yaml", "--deliver"])
    #expect(plain.code == 64 && plain.errors.contains("--deliver needs receivers in the config"))
    try runner.write("storeless.yaml", "deliver: [{name: a, command: [\"true\"]}]\n")
    let storeless = try runner.waymark(["check", "storeless.yaml"])
    #expect(storeless.code == 78 && storeless.errors.contains("receivers without a store"))
  }

  @Test("that fail for a moment get everything in the same run")
  func moment() throws {
    let script = "if mkdir failed; then exit 1; fi; cat >> log.jsonl"
    try write(
      "moment.yaml", receiver: "{name: log, command: [sh, -c, '\(script)'], only: [enter, exit]}")
    let run = try runner.waymark(
      ["replay", "traces/out-and-back/track.gpx", "--config", "moment.yaml", "--deliver"])
    #expect(run.code == 0 && log().count == 2, "\(run.errors)")
    #expect(run.errors.contains("waymark: log: it ended with code 1; the next attempt is in "))
    #expect(run.errors.contains("waymark: log: delivering again"))
  }

  @Test("after a give-up, outbox says how the last attempt ended, and counts none")
  func givenUp() throws {
    try write(
      "given.yaml",
      receiver: "{name: log, command: [sh, -c, 'exit 3'], only: [enter, exit], give-up: 1 s}")
    let run = try runner.waymark(
      ["replay", "traces/out-and-back/track.gpx", "--config", "given.yaml", "--deliver"])
    #expect(run.errors.contains("waymark: log: given up 2 events after "), "\(run.errors)")
    let outbox = try runner.waymark(["outbox", "events.gpkg"]).output
    #expect(
      outbox == """
        log: nothing waits; 0 delivered; 2 given up
          the last attempt failed: it ended with code 3

        """)
  }

  @Test("in quiet hours a replay and outbox say why events wait, and until when")
  func quietHours() throws {
    // They began an hour ago and end in two, in a zone that is five hours ahead.
    let minute = Int(Date().timeIntervalSince1970) / 60 + 300
    func time(_ minute: Int) -> String {
      String(format: "%02d:%02d", minute / 60 % 24, minute % 60)
    }
    let hours = "\(time(minute - 60))-\(time(minute + 120))"
    try write(
      "quiet.yaml",
      receiver: "{name: log, command: [cat], only: [exit], quiet-hours: '\(hours)'}")
    _ = try runner.shell("echo 'time-zone: Asia/Karachi' >> quiet.yaml")
    let run = try runner.waymark(
      ["replay", "traces/out-and-back/track.gpx", "--config", "quiet.yaml", "--deliver"])
    let reason = "quiet hours until \(time(minute + 120)) (Asia/Karachi)"
    #expect(
      run.errors.contains(
        "waymark: log: 1 event waits for the end of \(reason); the next run with this store and config"
      ),
      "\(run.errors)")
    #expect(run.code == 69)
    let outbox = try runner.waymark(["outbox", "events.gpkg"]).output
    #expect(outbox.hasSuffix("; 0 delivered\n  held back: \(reason)\n"), "\(outbox)")
    let object = try runner.waymark(["outbox", "events.gpkg", "--format", "jsonl"]).output
    #expect(object.contains(#""held":"\#(reason)""#), "\(object)")
    let retry = try runner.waymark(["outbox", "events.gpkg", "--retry", "log"]).output
    #expect(
      retry
        == "log: the next attempt is made at once, but not in quiet hours; when a run last looked, "
        + "events were held back: \(reason)\n")
  }

  @Test("check --online connects to them and sends nothing")
  func online() throws {
    try runner.write(
      "online.yaml",
      """
      store: events.gpkg
      deliver:
        - {name: log, command: [sh, -c, 'echo started > started.txt']}
        - {name: house, webhook: "http://127.0.0.1:1/hook"}

      """)
    let check = try runner.waymark(["check", "online.yaml", "--online"])
    #expect(check.code == 69 && check.output.contains("log: reachable\nhouse: "), "\(check)")
    #expect(!runner.exists("started.txt"))
  }

  @Test("with a secret that every user can read are reported by check and at the start")
  func exposed() throws {
    try write(
      "exposed.yaml",
      receiver: #"{name: house, webhook: "http://127.0.0.1:1/", token-file: key, only: [dwell]}"#)
    try runner.write("key", "token\n")
    let replay = [
      "replay", "traces/out-and-back/track.gpx", "--config", "exposed.yaml", "--deliver",
    ]
    for (mode, isReported) in [("644", true), ("640", false), ("600", false)] {
      _ = try runner.shell("chmod \(mode) key")
      let (check, run) = (
        try runner.waymark(["check", "exposed.yaml"]), try runner.waymark(replay)
      )
      #expect(check.code == 0 && run.code == 0, "\(run.errors)")
      let words = "deliver: house: every user of this machine can read "
      #expect(check.output.contains(words) == isReported, "\(mode)")
      #expect(run.errors.contains("waymark: " + words) == isReported, "\(mode)")
    }
  }

  @Test(
    "with a file that is missing are an error of the config",
    arguments: ["ca-file", "secret-file", "token-file"])
  func missing(_ key: String) throws {
    try write(
      "missing.yaml", receiver: "{name: a, webhook: \"https://a.example\", \(key): none.pem}")
    let check = try runner.waymark(["check", "missing.yaml"])
    #expect(check.code == 78, "\(check.errors)")
    #expect(check.errors.contains("none.pem', which cannot be read"))
  }

  @Test("with a file that holds no secret are an error of the config, for check and at the start")
  func unusable() throws {
    try write(
      "unusable.yaml", receiver: "{name: a, webhook: \"https://a.example\", secret-file: key}")
    try runner.write("key", "hello\n")
    for arguments in [["check", "unusable.yaml"], ["watch", "--config", "unusable.yaml"]] {
      let run = try runner.waymark(arguments)
      #expect(run.code == 78, "\(run.errors)")
      #expect(
        run.errors.contains("unusable.yaml:")
          && run.errors.contains("secret-file: key: the secret does not begin with 'whsec_'"))
    }
  }

  @Test("get losses of the source from a replay --with-status, and the store has them")
  func status() throws {
    try write(
      "losses.yaml",
      receiver: "{name: log, command: [sh, -c, 'cat >> log.jsonl'], only: [status]}")
    // Without a position from 10 s to 29 s.
    let lines = (0..<40).map { second in
      let time = "2026-05-04T08:00:\(second < 10 ? "0" : "")\(second).000Z"
      let place = 10..<30 ~= second ? "1" : #"3,"lat":47.9886,"lon":7.8412"#
      return #"{"class":"TPV","device":"/dev/x","time":"\#(time)","mode":\#(place)}"# + "\n"
    }
    try runner.write("losses.jsonl", lines.joined())
    func stored() throws -> String {
      try runner.shell("sqlite3 events.gpkg \"SELECT count(*) FROM events WHERE type = 'status'\"")
        .output
    }
    let replay = ["replay", "losses.jsonl", "--config", "losses.yaml", "--deliver"]
    #expect(try runner.waymark(replay).code == 0)
    #expect(log().isEmpty)
    #expect(try stored() == "0\n")
    #expect(try runner.waymark(replay + ["--include", "status"]).code == 0)
    #expect(try stored() == "2\n")
    for _ in 0..<2 { #expect(try runner.waymark(replay + ["--with-status"]).code == 0) }
    #expect(try stored() == "2\n")
    let states = log().map { $0.contains(#""state":"no-fix""#) ? "no-fix" : "fix" }
    #expect(states == ["no-fix", "fix"], "\(log())")
  }

  @Test("one program at a time delivers from a store")
  func locked() throws {
    try write(
      "slow.yaml",
      receiver: "{name: slow, command: [sh, -c, 'touch started; cat go'], only: [exit]}")
    _ = try runner.shell("mkfifo go")
    let first = try runner.start(
      ["replay", "traces/out-and-back/track.gpx", "--config", "slow.yaml", "--deliver"])
    try blockUntil("the program was not started") { runner.exists("started") }
    let second = try runner.waymark(Self.replay + ["--deliver"])
    #expect(second.code == 69)
    #expect(second.errors.contains("another program delivers the events of this store"))
    _ = try runner.shell("echo > go")
    #expect(try first.finish().code == 0)
  }
}
