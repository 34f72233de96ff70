/// How much the server that devices report to keeps and serves.
package struct IntakeLimits: Sendable {
  /// The most connections at a time.
  package var clients = 256
  /// How often connections are looked at.
  package var beat = Duration.seconds(15)
  /// So many beats a connection may be idle, and a request may last from its first byte to its answer.
  package var idleBeats = 2
  package var requestBeats = 4
  /// Requests of a connection at once, and in a second after that.
  package var burst = 500.0
  package var rate = 50.0

  package init() {}
}
