import Foundation
import Testing

/// A folder of its own, in which a gpsd that is another user may write too.
final class Folder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("waymark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: url.path)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// What is in a file; nothing when it is not there.
  func text(_ name: String) -> String {
    let data = (try? Data(contentsOf: url.appendingPathComponent(name))) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }

  func lines(_ name: String) -> [String] {
    text(name).split(whereSeparator: \.isNewline).map(String.init)
  }

  /// Waits until a file has a text.
  func wait(for found: String, in name: String) throws {
    try Program.wait("\(found) in \(name), which ends in \(text(name).suffix(300))") {
      text(name).contains(found)
    }
  }
}

/// A real gpsd with a receiver that the test plays, watched and recorded at the same time.
final class LiveStand {
  let folder: Folder
  let receiver: Receiver
  private(set) var gpsd: RealGPSD
  let watch: Program
  let recorder: Program
  private let engine: [String]
  private let device: String
  /// How often both have connected.
  private var connections = 0

  /// Watches the fence of ``Epoch`` unless `engine` has other options for the engine.
  ///
  /// With a control socket gpsd opens devices at once: 3.22 does not read one that comes back for
  /// clients that are there already.
  init(
    engine: [String] = ["--fence", Epoch.fence], device: String = "van", live: [String] = [],
    hasControl: Bool = false
  ) throws {
    let folder = try Folder()
    self.folder = folder
    self.device = device
    self.engine = engine + ["--device", device] + LiveStand.log
    receiver = try Receiver()
    gpsd = try RealGPSD(
      [receiver.device], eagerly: hasControl, control: hasControl ? folder.path("control") : nil)
    let options = [gpsd.address] + live
    watch = try Program(
      Program.waymark(),
      ["watch"] + options + self.engine
        + ["--output", folder.path("events"), "--status", folder.path("status")]
        + ["--record", folder.path("own-recording")])
    recorder = try Program(
      Program.waymark(),
      ["record"] + options + ["--output", folder.path("recording"), "--device", device])
    try awaitConnections()
  }

  /// All that happens, fixes too, a JSON object each.
  static let log =
    ["--format", "jsonl"]
    + ["fix", "problem", "state", "enter", "exit", "dwell", "visit", "significant-change"]
    .flatMap { ["--include", $0] }

  /// Waits until what gpsd says from here on reaches both.
  ///
  /// gpsd opens its devices before it grants a wish; what a receiver says earlier is lost.
  func awaitConnections() throws {
    connections += 1
    for program in [watch, recorder] { _ = try program.error(with: "connected to gpsd") }
    for recording in ["recording", "own-recording"] {
      try Program.wait("wish \(connections) to be granted in \(recording)") {
        folder.lines(recording).count { $0.contains(#""class":"WATCH""#) } >= connections
      }
    }
  }

  /// gpsd ends with a signal, and another one begins on the same port.
  func restart(_ signal: Int32) throws {
    try gpsd.end(signal)
    gpsd = try RealGPSD([receiver.device], port: gpsd.port)
    try awaitConnections()
  }

  /// The receiver says these seconds, not faster than gpsd reads.
  func play(_ epochs: some Sequence<Epoch>) throws {
    for (place, epoch) in epochs.enumerated() {
      receiver.say(epoch.text)
      if place % 20 == 19 { try folder.wait(for: epoch.time, in: "recording") }
    }
  }

  /// Waits until a fix of this time is watched and recorded.
  func reach(_ time: String) throws {
    try folder.wait(for: time, in: "recording")
    try folder.wait(for: #"{"type":"fix","device":"\#(device)","time":"\#(time)""#, in: "events")
  }

  /// What was seen in the end.
  struct Outcome {
    /// Lines of the event log, those of fixes left out.
    var events: [String]
    /// The times of the fixes with a position and a time, used or not.
    var fixes: [String]
    /// What watch said on standard error and no test asked for.
    var errors: [String]

    /// The kinds of the events that are about a fence.
    var passages: [String] { events.compactMap { $0.contains(#""fence":"#) ? $0.kind : nil } }
  }

  /// Ends both, and checks what holds whatever happened: replay of the recording, and of watch's
  /// own, says what was watched, byte for byte; every instant for which gpsd gave a position has
  /// one fix, and nothing else has; no event is told twice.
  func finish() throws -> Outcome {
    for program in [watch, recorder] {
      program.signal(SIGTERM)
    }
    let errors = watch.errors.rest()
    #expect(try watch.end() == 0)
    #expect(try recorder.end() == 0)
    let log = folder.lines("events")
    for recording in ["recording", "own-recording"] {
      let replay = try Program(Program.waymark(), ["replay", folder.path(recording)] + engine)
      let replayed = replay.output.rest()
      #expect(try replay.end() == 0)
      let difference = zip(log, replayed).first { $0 != $1 }
      #expect(
        difference == nil,
        "watched \(difference?.0 ?? ""), \(recording): \(difference?.1 ?? "")")
      #expect(log.count == replayed.count)
    }
    let outcome = Outcome(
      events: log.filter { $0.kind != "fix" },
      fixes: log.filter { $0.kind == "fix" && $0.contains("latitude") }.compactMap(\.time),
      errors: errors)
    let strange = outcome.fixes.difference(from: reported)
    #expect(strange.isEmpty, "watched against what gpsd reported")
    #expect(Set(outcome.events).count == outcome.events.count)
    return outcome
  }

  /// The instants for which gpsd gave a position, in the order in which it did.
  private var reported: [String] {
    let times = folder.lines("recording").filter {
      $0.contains(#""class":"TPV""#) && $0.contains(#""lat":"#)
    }.compactMap(\.time)
    return times.indices.filter { $0 == 0 || times[$0] != times[$0 - 1] }.map { times[$0] }
  }
}

extension String {
  /// The value of a text field of a JSON object on one line; nil when it has none.
  func field(_ name: String) -> String? {
    guard let start = range(of: #""\#(name)":""#)?.upperBound else { return nil }
    return self[start...].prefix { $0 != "\"" }.description
  }

  /// The kind of an event.
  var kind: String? { field("type") }
  /// When it happened.
  var time: String? { field("time") }
}
