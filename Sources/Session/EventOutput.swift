package import Tracking
package import Traces

/// Writes entries of the event log to a file in one format.
package struct EventOutput {
  private let file: OutputFile
  private var writer: EventWriter
  private var buffer: [UInt8] = []

  /// Above this many bytes the buffer is written out.
  private static let capacity = 1 << 16

  /// Makes an output that has written nothing.
  package init(file: OutputFile, format: EventFormat, fences: FenceSet) {
    self.file = file
    writer = EventWriter(format: format, fences: fences.indices.lazy.map(fences.id(at:)))
    buffer.reserveCapacity(2 * Self.capacity)
    writer.begin(into: &buffer)
  }

  /// Writes entries, when enough have come together.
  mutating func write(_ entries: ArraySlice<LogEntry>) throws(SessionError) {
    for entry in entries {
      writer.append(entry, to: &buffer)
      if buffer.count >= Self.capacity { try file.write(&buffer) }
    }
  }

  /// Writes what is still in the buffer.
  mutating func flush() throws(SessionError) {
    try file.write(&buffer)
  }

  /// Closes the file; nothing can be written any more.
  func close() throws(SessionError) {
    try file.close()
  }
}
