import Settings
import ArgumentParser
import GPSD
import Glibc
import System
import Watching

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record gpsd's data for `replay`.",
    discussion: """
      Appends gpsd's data to a file, byte for byte, after a line that names the device. `replay` \
      of the file gives the same events as `watch`. A lost connection is retried.

        waymark record -o trip.jsonl
        waymark record gpsd://boat.local -o trip.jsonl --rotate day
        waymark record gpsd://localhost/dev/ttyUSB0 -o log.jsonl --device van
        waymark record gpsd://boat.local gpsd://localhost -o both.jsonl
        waymark replay trip.jsonl --config waymark.yaml

      SIGINT (control-C), SIGTERM or SIGHUP ends it with exit code 0. The exit code is 69 when \
      gpsd is unavailable and --no-reconnect is given, 74 when the file cannot be written or lines \
      were lost.
      """)

  @OptionGroup var live: LiveSource

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The file to append to.", valueName: "file"),
    completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      """
      Begin a new file at this size (100MB, 1GB, …; what comes at once is not split), or each day \
      of the reports' time in UTC; the old one gets the time of its last report in its name.
      """, valueName: "size|day"),
    transform: RecordingRotation.argument)
  var rotate: RecordingRotation?

  @Option(
    help: ArgumentHelp("Settings, YAML or JSON: sources and devices.", valueName: "file"),
    completion: .file())
  var config: String?

  @Option(
    help: ArgumentHelp("Name of the device; else that of the config, or the host.", valueName: "id")
  )
  var device: String?

  func validate() throws {
    if device == "" { throw ValidationError("--device is empty; expected a name such as van") }
    if output == "" {
      throw ValidationError("--output is empty; expected a file such as trip.jsonl")
    }
    try FileUse.checkRecording("--output", output)
    try FileUse.check(uses())
  }

  private func uses(_ settings: Configuration = Configuration()) -> [FileUse?] {
    FileUse.config(config, settings) + [
      .writing("--output", output, suffixes: RecordingWriter.suffixes), StoreOptions.use(settings),
    ]
  }

  func run() throws {
    let settings = try SessionOptions.configuration(at: config, placesFences: true)
    guard live.inlets(settings).isEmpty else {
      throw ValidationError(
        "record takes gpsd, but the config has sources of phones; name a gpsd, or use watch --record"
      )
    }
    let sources = try live.sources(settings, device: device)
    do {
      try FileUse.check(uses(settings))
      let recording = try SharedRecording(
        path: output, header: RecordingHeader(sources), rotation: rotate ?? .never)
      var recorder = RecordRun(
        sources.map { GPSDClient($0.address, options: live.options) }, to: recording,
        until: try Signals(stop: [SIGINT, SIGTERM, SIGHUP]),
        print: { Terminal.report("waymark: \($0)") }
      )
      let end = recorder.run()
      for line in recorder.summary { Terminal.report("waymark: \(line)") }
      if recorder.recording.writer.lost > 0 { throw ExitStatus.inputOutput }
      if end == .unavailable { throw ExitStatus.unavailable }
    } catch let error as SystemError {
      Terminal.report("waymark: cannot wait for signals: \(error)")
      throw ExitStatus.inputOutput
    } catch {
      throw ExitStatus.of(error)
    }
  }
}

extension RecordingRotation {
  /// Reads the value of `--rotate`.
  @Sendable static func argument(_ text: String) throws -> RecordingRotation {
    guard let rotation = RecordingRotation(parsing: text) else {
      throw ValidationError("found '\(text)', expected \(form)")
    }
    return rotation
  }
}
