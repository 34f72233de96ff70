import ArgumentParser
import GPSD
import Receivers
import Settings

/// The source of a live command, and its timeouts.
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

  @Option(
    help: ArgumentHelp(
      """
      Seconds without a report after which the client checks that gpsd is alive. Without an answer \
      in half that time, five seconds at most, it reconnects.
      """, valueName: "seconds"),
    transform: { text in
      guard let seconds = Double(text), 0.1...86_400 ~= seconds else {
        throw ValidationError("found '\(text)', expected seconds, 0.1 to 86400")
      }
      return Duration.seconds(seconds)
    })
  var silence = LinkOptions().silence

  /// The address on the command line, else the config's, else gpsd on this machine.
  func address(_ settings: Configuration) -> GPSDAddress {
    source ?? settings.source ?? .local
  }

  var options: LinkOptions {
    var options = LinkOptions()
    options.reconnects = !isOnce
    options.silence = silence
    options.answerTimeout = min(options.answerTimeout, silence / 2)
    return options
  }
}
