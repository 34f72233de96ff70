import ArgumentParser
import Outbox
import Settings
import Text
import Tracking

struct CheckCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Validate a config file and warn about surprising settings.",
    discussion: """
      Reads the config and every included file and lists each error with its line and column. Then \
      it lists settings that are valid but may surprise: overlapping fences, a radius below a \
      receiver's accuracy, a dwell time that is never reported, visits as short as a red light, a \
      secret that every user of the machine can read.

        waymark check waymark.yaml
        waymark check waymark.yaml --online
        waymark check waymark.yaml --format json

      The exit code is 78 if the config has errors; warnings alone leave it 0. With --online it is 69 \
      if a receiver cannot be reached.
      """)

  @Argument(
    help: ArgumentHelp("The config, YAML or JSON.", valueName: "config"), completion: .file())
  var config: String

  @Flag(help: "Also connect to each receiver of deliver, without sending an event.")
  var online = false

  @Option(help: "text, or json: one object with every error, warning and note.")
  var format = Format.text

  func validate() throws {
    if online, format == .json {
      throw ValidationError("--online reports in text; leave --format json out")
    }
  }

  /// Secrets that every user of the machine can read.
  private static func warnings(_ configuration: Configuration) -> [String] {
    configuration.brokers.flatMap(\.warnings)
      + configuration[DeliverSection.self].flatMap(\.warnings)
  }

  func run() throws {
    do {
      let configuration = try Configuration(
        path: config, sections: SessionOptions.sections, placesFences: true)
      for fences in configuration.compiled { try fences.verify() }
      let diagnostics = configuration.diagnostics
      if format == .json {
        let unsafe = Self.warnings(configuration).map {
          ConfigurationDiagnostic(.warning, ConfigurationPlace(file: config), $0)
        }
        return try Terminal.answer([
          json(
            isValid: true,
            (diagnostics + unsafe).map { ($0.place, $0.severity.rawValue, $0.sentence) })
        ])
      }
      var lines = ["\(config): valid"]
      lines += configuration.summary.split(separator: "\n").map(String.init)
      lines += diagnostics.map(\.description)
      lines += Self.warnings(configuration)
      try Terminal.answer(lines)
      if online {
        try LiveInlets.probe(configuration)
        try DeliveryOptions.probe(configuration)
      }
    } catch let error as ConfigurationError where format == .json && error.kind == .invalid {
      try Terminal.answer([
        json(isValid: false, error.problems.map { ($0.place, "error", $0.sentence) })
      ])
      throw ExitStatus.badConfiguration
    } catch let error as FenceFileError {
      Terminal.report("waymark: \(config): \(error)")
      throw ExitStatus.badData
    } catch {
      throw ExitStatus.of(error)
    }
  }

  /// One object with what was found, in the order of the text.
  private func json(
    isValid: Bool, _ findings: [(place: ConfigurationPlace, severity: String, message: String)]
  ) -> String {
    var json = JSONBuilder()
    json.object { json in
      json.text("config", config)
      json.boolean("valid", isValid)
      json.array("findings", findings) { json, finding in
        json.object { json in
          json.text("severity", finding.severity)
          json.text("file", finding.place.file)
          if finding.place.line > 0 { json.number("line", finding.place.line) }
          if finding.place.column > 0 { json.number("column", finding.place.column) }
          json.text("message", finding.message)
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
