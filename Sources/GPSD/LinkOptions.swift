package import System

/// The options of a connection to gpsd.
package struct LinkOptions: Sendable, Hashable {
  /// The time limit for resolving the host name, and again for connecting to one of its addresses.
  package var connectTimeout: Duration = .seconds(5)
  /// The time limit for VERSION after connecting, and again for the answer to ?WATCH.
  ///
  /// A gpsd that detects the speed of a serial receiver is silent for up to 3 s (measured with gpsd
  /// 3.22).
  package var handshakeTimeout: Duration = .seconds(5)
  /// The time without a report after which gpsd is queried: receivers report at least every few
  /// seconds, and gpsd does not report the end of a pty or a file.
  package var silence: Duration = .seconds(10)
  /// The time limit for the answer.
  package var answerTimeout: Duration = .seconds(5)
  /// The back-off before the next attempt; it starts over after a report of a receiver.
  ///
  /// The shortest wait spares a server that resets connections at once.
  package var backOff = BackOff.Limits(
    first: .milliseconds(500), longest: .seconds(60), shortest: .milliseconds(50))
  /// The longest wait while the host answers, although gpsd does not.
  package var longestNearby: Duration = .seconds(5)
  /// Whether a failed or lost connection is retried.
  package var reconnects = true
  /// The seed of the jitter; nil for a random one.
  package var seed: UInt64?

  /// The options for a program that runs for months.
  package init() {}
}
