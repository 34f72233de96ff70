import ArgumentParser
import Foundation
import GPSD
import Glibc
import Receivers
import Settings
import System
import Tracking

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a commented config, from five questions or from options.",
    discussion: """
      Asks for the name of the device, gpsd, a place to watch, the time zone and the store; an empty \
      answer takes what stands in brackets. What an option gives is not asked. At the end of standard \
      input the rest is taken from the brackets, so a script asks nothing with </dev/null.

        waymark init
        waymark init my.yaml --fence home=52.5163,13.3777,100m </dev/null

      `waymark check` accepts the config. A file that is there is never written over.
      """)

  @Argument(
    help: ArgumentHelp("The config to write.", valueName: "config"), completion: .file())
  var path = "waymark.yaml"

  @Option(help: ArgumentHelp("The name of the device in events.", valueName: "id"))
  var device: String?

  @Option(
    help: ArgumentHelp("Where gpsd is.", valueName: "gpsd://…"), transform: GPSDArgument.parse)
  var source: GPSDAddress?

  @Option(
    help: ArgumentHelp(
      "A place to watch, a circle: home=52.5163,13.3777,100m", valueName: "id=lat,lon,radius"),
    transform: InitCommand.fence)
  var fence: Fence?

  @Option(
    help: ArgumentHelp(
      "The time zone of text and messages, such as Europe/Berlin.", valueName: "name"),
    transform: InitCommand.zone)
  var timeZone: String?

  @Option(
    help: ArgumentHelp("Keep every event in this database.", valueName: "file"),
    completion: .file())
  var store: String?

  func validate() throws { try FileUse.checkStore(store) }

  func run() throws {
    var draft = ConfigurationDraft()
    let home = Self.homeZone
    if Self.exists(path) { throw ExitStatus.of(Self.refusal(path)) }
    let device = ask("Name of the device in events [\(draft.device)]", device) { $0 }
    let source = ask("Where gpsd is [\(draft.source)]", source, GPSDArgument.parse)
    draft.fence = ask(
      "A place to watch, such as home=52.5163,13.3777,100m [none]", fence, Self.fence)
    draft.timeZone = ask("Time zone of text and messages [\(home ?? "UTC")]", timeZone, Self.zone)
    draft.timeZone = draft.timeZone ?? home
    draft.store = ask("File to keep every event in, such as events.gpkg [none]", store, Self.store)
    if let device { draft.device = device }
    if let source { draft.source = source }
    try write(draft)
    Terminal.report("waymark: wrote \(path); next:")
    Terminal.report("  waymark check \(path)")
    Terminal.report("  waymark watch --config \(path)")
  }

  /// The answer to a question, unless an option gave it; nil for an empty one and at the end of
  /// standard input.
  private func ask<Value>(
    _ question: String, _ given: Value?, _ parse: (String) throws -> Value
  ) -> Value? {
    if let given { return given }
    while true {
      try? OutputFile.standardError.append(Array("\(question): ".utf8))
      guard let line = readLine() else {
        Terminal.report("")
        return nil
      }
      let answer = line.trimmingCharacters(in: .whitespaces)
      if answer.isEmpty { return nil }
      do {
        return try parse(answer)
      } catch {
        Terminal.report("waymark: \(error)")
      }
    }
  }

  /// Writes the config, after it was read as `check` reads it.
  private func write(_ draft: ConfigurationDraft) throws {
    let bytes = Array(draft.text.utf8)
    do {
      _ = try Configuration(bytes, named: path, sections: SessionOptions.sections)
      let file = try OutputFile(creating: path)
      try file.append(bytes)
      try file.close()
    } catch {
      throw ExitStatus.of(error)
    }
  }

  /// Whether something has a path, also a link that leads nowhere.
  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private static func refusal(_ path: String) -> OutputError {
    .refused(path: path, reason: "it is there, and init writes over no file; name another one")
  }

  @Sendable private static func fence(_ text: String) throws -> Fence {
    do {
      return try Fence(option: text)
    } catch {
      throw ValidationError(error.description)
    }
  }

  private static func store(_ path: String) throws -> String {
    try FileUse.checkStore(path)
    return path
  }

  @Sendable private static func zone(_ name: String) throws -> String {
    try TimeZoneArgument.parse(name).identifier
  }

  /// The time zone of the machine; nil for UTC.
  private static var homeZone: String? {
    let name = TimeZone.current.identifier
    return ["GMT", "UTC", "Etc/UTC"].contains(name) ? nil : name
  }
}
