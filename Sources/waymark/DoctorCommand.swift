import ArgumentParser
import GPSD
import Receivers
import System
import Text

struct DoctorCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check this machine for live events, and say what to do.",
    discussion: """
      One line each: the version, the config, gpsd and its receiver, the clock, permissions, the \
      store, and the space on the disk. Each line is ok, a warning or failed, with what to do. \
      Nothing is changed.

        waymark doctor
        waymark doctor gpsd://boat.local --config waymark.yaml
        waymark doctor --format json

      Without --config it takes waymark.yaml of this folder, else /etc/waymark/waymark.yaml.

      The exit code is 1 if a check failed; warnings leave it 0.
      """)

  @Argument(
    help: ArgumentHelp(
      "Where gpsd is. Without it, the source of the config, or gpsd://localhost:2947.",
      valueName: "gpsd://…"),
    transform: GPSDArgument.parseBesideConfig)
  var source: GPSDAddress?

  @Option(
    help: ArgumentHelp("Fences and settings, YAML or JSON.", valueName: "file"), completion: .file()
  )
  var config: String?

  @Option(
    help: ArgumentHelp(
      "How long to wait for gpsd and a position, such as 30s.", valueName: "duration"),
    transform: MeasureArgument.duration)
  var wait = 5.0

  @Option(help: "text, or json: one object.")
  var format = Format.text

  func run() throws {
    let findings = Examination(config: config, source: source, patience: .seconds(wait)).findings
    switch format {
    case .text: try Terminal.answer(findings.map(\.line))
    case .json: try Terminal.answer([Self.json(findings)])
    }
    if findings.contains(where: { $0.status == .failure }) { throw ExitStatus.different }
  }

  private static func json(_ findings: [Finding]) -> String {
    var json = JSONBuilder()
    json.object { json in
      json.text("version", Release.version)
      json.array("checks", findings) { $1.write(to: &$0) }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
