package import EventLog
package import Formats
internal import Session
package import Tracking

/// The options of a pipe.
package struct PipeOptions: Sendable {
  /// The format of the fixes.
  package enum Input: String, Sendable, Hashable, CaseIterable {
    /// A JSON object a line.
    case ndjson
    /// A row a line after a header; cells contain no line breaks.
    case csv
    /// An Arrow IPC stream.
    case arrow
  }

  /// What is known of the order of the lines, and how to handle it.
  package enum Order: String, Sendable, Hashable, CaseIterable {
    /// The fixes of each device come in the order of their times; one out of order is reported as a
    /// problem and not used.
    case check
    /// All lines are read and sorted by time first.
    case sort
    /// Fixes are used as they come; the engine reorders those that are a little late.
    case trust
  }

  /// Fences, visits and the like.
  package var rules: Rules
  package var input: Input
  package var order: Order
  /// What is known of the input that it does not say itself.
  package var reading = ReadingOptions()
  /// The kinds of entries to write.
  package var kinds: Set<LogEntry.Kind>
  /// The format of the entries; not text, because its columns depend on all earlier entries.
  package var format: EventFormat
  /// Whether the entries are written as an Arrow IPC stream instead; they must then be events.
  package var writesArrow = false
  /// The device of fixes without a device name.
  package var device: String
  /// The path of the state of all devices, which is read if it exists, and written; nil for no state.
  package var state: String?
  /// Whether the states of devices come in lines of the input, each before the first fix of its device,
  /// and go to lines of the output.
  package var carriesStates = false
  /// Whether to compute the checksum of the output.
  package var sumsOutput = false
  /// What follows the path of a state in the names of the files beside it.
  package static let stateSuffixes = PipeState.suffixes
  /// The kinds of entries for a store; empty without one.
  package var storedKinds: Set<LogEntry.Kind> = []
  /// The number of threads, at least 1.
  package var threads = 1
  /// Bytes of entries that are held before those of the first lines are written; of one fix there may be
  /// more.
  package var mostHeldBytes = 16 << 20
  /// The most fixes that are sorted: 3 GB, and up to 5 GB while the array grows (Docs/Limits.md).
  package var mostSorted = 20_000_000

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
