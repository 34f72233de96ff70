internal import Session
package import System
package import Traces
package import Tracking

/// Writes entries of the event log to a file in one format.
package struct EventLogFile {
  private let file: OutputFile
  private var writer: EventWriter
  private var buffer: [UInt8] = []

  /// Above this many bytes the buffer is written out.
  private static let capacity = 1 << 16
  /// So many entries are worth several threads.
  private static let manyEntries = 1 << 10

  /// Makes an output that has written nothing.
  package init(file: OutputFile, format: EventFormat, fences: FenceSet) {
    self.file = file
    writer = EventWriter(format: format, fences: fences.indices.lazy.map(fences.id(at:)))
    buffer.reserveCapacity(2 * Self.capacity)
    writer.begin(into: &buffer)
  }

  /// Writes entries, when enough have come together.
  mutating func write(_ entries: ArraySlice<LogEntry>) throws(SessionError) {
    try write(entries.count, threads: 1) { entries[entries.startIndex + $0] }
  }

  /// Writes the entries with the numbers `0..<count`, when enough have come together.
  mutating func write(
    _ count: Int, threads: Int, _ entry: (Int) -> LogEntry
  ) throws(SessionError) {
    // A text has columns that depend on what came before.
    guard threads > 1, count >= Self.manyEntries, writer.format != .text else {
      for index in 0..<count {
        writer.append(entry(index), to: &buffer)
        if buffer.count >= Self.capacity { try flush() }
      }
      return
    }
    let size = (count - 1) / (4 * threads) + 1
    let pieces = stride(from: 0, to: count, by: size).map { start in
      Piece(start..<min(start + size, count), writer)
    }
    withoutActuallyEscaping(entry) { entry in
      Parallel.forEach(pieces.count, threads: threads) { job, _ in pieces[job].write(entry) }
    }
    for piece in pieces {
      buffer.append(contentsOf: piece.buffer)
      if buffer.count >= Self.capacity { try flush() }
    }
  }

  /// Some entries, written on a thread of their own.
  private final class Piece {
    private(set) var buffer: [UInt8] = []
    private let entries: Range<Int>
    private var writer: EventWriter

    init(_ entries: Range<Int>, _ writer: EventWriter) {
      self.entries = entries
      self.writer = writer
    }

    func write(_ entry: (Int) -> LogEntry) {
      for index in entries { writer.append(entry(index), to: &buffer) }
    }
  }

  /// Writes what is still in the buffer.
  mutating func flush() throws(SessionError) {
    try SessionError.writing { () throws(OutputError) in try file.write(&buffer) }
  }

  /// Closes the file; nothing can be written any more.
  func close() throws(SessionError) {
    try SessionError.writing { () throws(OutputError) in try file.close() }
  }
}
