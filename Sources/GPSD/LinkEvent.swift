/// An event of a connection to gpsd.
package enum LinkEvent: Sendable, Hashable {
  /// The status of the connection changed.
  case status(LinkStatus)
  /// Complete lines of gpsd, from its greeting on, with their line feeds.
  ///
  /// When a connection ends inside a line, a line feed is added, so a decoder and a recording get the
  /// same bytes. Lines longer than ``Link/longestLine`` are skipped.
  case bytes(ArraySlice<UInt8>)
  /// gpsd has answered a query; all its earlier lines have been delivered.
  case answered
  /// The connection has ended; later events belong to a new one.
  case ended
}

/// A command of a ``Link`` for its owner.
enum LinkCommand: Sendable, Hashable {
  /// Resolve the host name; the result is ``Link/Input/resolved(addresses:)``.
  case resolve
  /// Close an open connection and connect to the address with this number; the result is
  /// ``Link/Input/opened`` or ``Link/Input/refused(_:)``.
  case open(address: Int)
  /// Send these bytes.
  case send([UInt8])
  /// Close the connection.
  case close
}
