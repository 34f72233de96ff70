internal import Session
package import Traces
package import Tracking

/// What a pipe is to do.
package struct PipeOptions: Sendable {
  /// How the fixes are written.
  package enum Input: String, Sendable, Hashable, CaseIterable {
    /// A JSON object a line.
    case ndjson
    /// A row a line below a header; no cell has a line break in it.
    case csv
  }

  /// What is known of the order of the lines, and what is done about it.
  package enum Order: String, Sendable, Hashable, CaseIterable {
    /// The fixes of each device come in the order of their times; one that does not is a problem,
    /// and not used.
    case check
    /// All lines are read and put in the order of their times first.
    case sort
    /// The fixes are taken as they come: what is a little late is put in its place.
    case trust
  }

  /// What is watched.
  package var rules: Rules
  package var input: Input
  package var order: Order
  /// Which entries are written.
  package var kinds: Set<LogEntry.Kind>
  /// How they are written; a text has columns that depend on all that came before, so that it is
  /// none for a pipe.
  package var format: EventFormat
  /// The device of fixes that name none.
  package var device: String
  /// Where the state of all devices is read from, if it is there, and written to; nowhere when nil.
  package var state: String?
  /// How many threads work, at least 1.
  package var threads = 1

  package init(
    rules: Rules, input: Input, order: Order, kinds: Set<LogEntry.Kind>, format: EventFormat,
    device: String
  ) {
    self.rules = rules
    self.input = input
    self.order = order
    self.kinds = kinds
    self.format = format
    self.device = device
  }
}
