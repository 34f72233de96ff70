import ArgumentParser
import Session

/// Where a live command listens, and how patient it is.
struct LiveSource: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      Where gpsd is: gpsd://HOST[:PORT][/DEVICE]. Without it, the source of the config, or \
      gpsd://localhost:2947.
      """, valueName: "gpsd://…"),
    transform: GPSDArgument.parse)
  var source: GPSDAddress?

  @Flag(name: .customLong("no-reconnect"), help: "End when the connection fails or is lost.")
  var isOnce = false

  /// The address on the command line, else the config's, else gpsd on this machine.
  func address(_ settings: Configuration) -> GPSDAddress {
    source ?? settings.source ?? .local
  }

  var options: LinkOptions {
    var options = LinkOptions()
    options.reconnects = !isOnce
    return options
  }
}
