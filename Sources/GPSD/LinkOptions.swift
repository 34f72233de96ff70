package import System

/// The rules of a connection to gpsd.
package struct LinkOptions: Sendable, Hashable {
  /// Longest time for resolving the name, and again for connecting to any of its addresses.
  package var connectTimeout: Duration = .seconds(5)
  /// Longest wait for VERSION after connecting, and again for the answer to ?WATCH.
  ///
  /// A gpsd that hunts for the speed of a serial receiver keeps silent for up to 3 s (measured
  /// with gpsd 3.22).
  package var handshakeTimeout: Duration = .seconds(5)
  /// After so long without a report gpsd is asked whether it is there: receivers report at least
  /// every few seconds, and a pty or a file that ends says nothing.
  package var silence: Duration = .seconds(10)
  /// Longest wait for the answer.
  package var answerTimeout: Duration = .seconds(5)
  /// The waits before the next attempt.
  ///
  /// The shortest one spares a server that resets connections at once.
  package var backOff = BackOff.Limits(
    first: .milliseconds(500), longest: .seconds(60), shortest: .milliseconds(50))
  /// A connection that has reported for so long was a good one: the waits begin anew.
  package var goodAfter: Duration = .seconds(30)
  /// Whether a connection that failed or was lost is made anew.
  package var reconnects = true
  /// Seed of the jitter; nil for another one in every run.
  package var seed: UInt64?

  /// The rules of a program that runs for months.
  package init() {}
}
