/// What a connection to gpsd tells the caller, in order.
package enum LinkEvent: Sendable, Hashable {
  /// The connection stands otherwise than before.
  case status(LinkStatus)
  /// What gpsd said, from its greeting on: whole lines, the last one with its line end too.
  ///
  /// When a connection ends inside a line, that piece comes with a line feed added, so that a
  /// decoder and a recording see the same bytes. A line longer than ``Link/longestLine`` is left
  /// out.
  case bytes(ArraySlice<UInt8>)
  /// gpsd has answered a question: all that it had said before has been handed out.
  case answered
  /// The connection is over; what comes next is of a new one.
  case ended
}

/// What a ``Link`` wants to be done for it.
enum LinkCommand: Sendable, Hashable {
  /// Find the addresses of the host; then say ``Link/Input/resolved(addresses:)``.
  case resolve
  /// Close what is open and connect to an address, by its number; then say
  /// ``Link/Input/opened`` or ``Link/Input/refused(_:)``.
  case open(address: Int)
  /// Write these bytes.
  case send([UInt8])
  /// Close what is open.
  case close
}
