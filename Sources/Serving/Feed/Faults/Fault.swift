/// What goes wrong, and when.
package struct Fault: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// Nothing is sent for so many seconds, and what is due meanwhile is lost.
    case silence(Double)
    /// So many bytes without a meaning are sent.
    case junk(Int)
    /// The receiver's clock steps by so many seconds: all later times are that much later.
    case clock(Int64)
    /// Every client is disconnected.
    case disconnect
  }

  /// Seconds from the first item.
  package var time: Double
  package var kind: Kind
  /// The line of the script, from 1.
  package var line: Int

  package init(time: Double, kind: Kind, line: Int) {
    (self.time, self.kind, self.line) = (time, kind, line)
  }
}
