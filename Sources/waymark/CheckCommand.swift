import ArgumentParser
import Outbox
import Settings
import Tracking

struct CheckCommand: ParsableCommand {
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

      The exit code is 78 if the config has errors; warnings alone leave it 0. With --online it is 69 \
      if a receiver cannot be reached.
      """)

  @Argument(
    help: ArgumentHelp("The config, YAML or JSON.", valueName: "config"), completion: .file())
  var config: String

  @Flag(help: "Also connect to each receiver of deliver, without sending an event.")
  var online = false

  func run() throws {
    do {
      let configuration = try Configuration(path: config, sections: SessionOptions.sections)
      for fences in configuration.compiled { try fences.verify() }
      let diagnostics = configuration.diagnostics
      var lines = ["\(config): valid"]
      lines += configuration.summary.split(separator: "\n").map(String.init)
      lines += diagnostics.map(\.description)
      lines += configuration[DeliverSection.self].flatMap(\.warnings)
      try Terminal.answer(lines)
      if online { try DeliveryOptions.probe(configuration) }
    } catch let error as FenceFileError {
      Terminal.report("waymark: \(config): \(error)")
      throw ExitStatus.badData
    } catch {
      throw ExitStatus.of(error)
    }
  }
}
