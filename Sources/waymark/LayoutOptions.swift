import ArgumentParser
import EventLog
import Foundation
import Glibc
import Settings
import System
import Text
import Tracking

/// How text for people is laid out: its time zone, and the width of the terminal.
struct LayoutOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The time zone of text: local, UTC, or a name such as Europe/Berlin. Without it, the zone of the \
      config, else local on a terminal, else UTC. JSON Lines and CSV are in UTC.
      """, valueName: "name"),
    transform: { $0 == "local" ? .current : try TimeZoneArgument.parse($0) })
  var timeZone: TimeZone?

  /// The layout of text that goes to standard output, or to a file.
  func layout(_ configuration: Configuration, toFile: Bool) -> TextLayout {
    let isTerminal = !toFile && OutputFile.standard.isTerminal
    var layout = TextLayout()
    layout.zone = zone(configuration, isTerminal: isTerminal)
    if isTerminal { layout.width = OutputFile.standard.terminalSize.width }
    return layout
  }

  /// The zone of times for people.
  func zone(_ configuration: Configuration, isTerminal: Bool) -> DisplayZone {
    let zone = timeZone ?? configuration.timeZone ?? (isTerminal ? Self.local : nil)
    return zone.map(Self.display) ?? .utc
  }

  private static func display(_ zone: TimeZone) -> DisplayZone {
    guard !["GMT", "UTC", "Etc/UTC"].contains(zone.identifier) else { return .utc }
    return DisplayZone { time in
      zone.secondsFromGMT(
        for: Date(timeIntervalSince1970: Double(time.nanoseconds) / 1_000_000_000))
    }
  }

  /// The zone of the user or the machine; nil when none is set.
  private static var local: TimeZone? {
    getenv("TZ") != nil || access("/etc/localtime", F_OK) == 0 ? .current : nil
  }
}
