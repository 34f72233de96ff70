package import EventLog
package import Session
package import System
package import Tracking

/// The event log as a file in one format.
package struct EventLogFile {
  /// Nil when the entries only go to the store.
  private let file: OutputFile?
  private var writer: EventWriter
  private var buffer: [UInt8] = []
  /// What stands, for people; nil when every line is written as it was decided.
  private var standing: StandingVisits?
  private var stood: [LogEntry] = []
  /// The order of the entries, for people; nil when they are written as they were decided.
  private var order: OccurrenceOrder?
  private var ordered: [LogEntry] = []
  /// Also keeps entries; nil for none.
  private var store: (any EntryStore)?
  /// The kinds of entries in the log, when there is a store, which may keep others.
  private var kinds: Set<LogEntry.Kind> = []

  /// Above this many bytes the buffer is written out.
  private static let capacity = 1 << 16
  /// From this many entries on, several threads are faster.
  private static let manyEntries = 1 << 10

  /// Makes a log without entries.
  ///
  /// - Parameter isLive: Whether text and maps, too, have every line as it was decided. Otherwise they
  ///   have what stands (``StandingVisits``).
  /// - Parameter isOrdered: Whether text has the entries in the order in which they happened. Then they
  ///   wait for each other.
  package init(
    file: OutputFile, format: EventFormat, fences: FenceSet, isLive: Bool = false,
    isOrdered: Bool = false, layout: TextLayout = TextLayout()
  ) {
    self.file = file
    order = format == .text && isOrdered ? OccurrenceOrder() : nil
    standing = (format == .text || format.isMap) && !isLive ? StandingVisits() : nil
    writer = EventWriter(
      format: format, fences: fences.indices.lazy.map(fences.id(at:)), layout: layout)
    buffer.reserveCapacity(2 * Self.capacity)
    writer.begin(into: &buffer)
  }

  /// Makes a log that only keeps its entries in a store.
  package init(store: any EntryStore) {
    file = nil
    writer = EventWriter(format: .jsonl)
    self.store = store
  }

  /// Keeps every entry in a store before it is written; the log has the entries of `kinds`.
  package mutating func keep(in store: any EntryStore, showing kinds: Set<LogEntry.Kind>) {
    self.store = store
    self.kinds = kinds
  }

  /// Buffers entries, and writes them when there are enough.
  mutating func write(_ entries: ArraySlice<LogEntry>) throws(SessionError) {
    try write(entries.count, threads: 1) { entries[entries.startIndex + $0] }
  }

  /// Buffers the entries with the numbers `0..<count`, and writes them when there are enough.
  mutating func write(
    _ count: Int, threads: Int, _ entry: (Int) -> LogEntry
  ) throws(SessionError) {
    guard let store else { return try show(count, threads: threads, entry) }
    let entries = (0..<count).map(entry)
    try SessionError.storing { () throws(EntryStoreError) in try store.keep(entries) }
    let shown = entries.filter { kinds.contains($0.kind) }
    try show(shown.count, threads: threads) { shown[$0] }
  }

  private mutating func show(
    _ count: Int, threads: Int, _ entry: (Int) -> LogEntry
  ) throws(SessionError) {
    // What text and maps show depends on earlier entries.
    guard threads > 1, count >= Self.manyEntries, writer.format == .jsonl || writer.format == .csv
    else {
      for index in 0..<count { try append(entry(index)) }
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

  private mutating func append(_ entry: LogEntry) throws(SessionError) {
    if standing == nil {
      put(entry)
    } else {
      standing?.take(entry, into: &stood)
      for entry in stood { put(entry) }
      stood.removeAll(keepingCapacity: true)
    }
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Buffers an entry that stands, in its order.
  private mutating func put(_ entry: LogEntry) {
    guard order != nil else { return writer.append(entry, to: &buffer) }
    order?.take(entry, into: &ordered)
    for entry in ordered { writer.append(entry, to: &buffer) }
    ordered.removeAll(keepingCapacity: true)
  }

  /// Buffers the visits that last and the end of the document: no more entries follow.
  mutating func end() {
    for entry in standing?.takeRest() ?? [] { put(entry) }
    for entry in order?.takeRest() ?? [] { writer.append(entry, to: &buffer) }
    writer.end(into: &buffer)
  }

  /// Some entries, formatted on one thread.
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
    try SessionError.writing { () throws(OutputError) in try file?.write(&buffer) }
  }

  /// Closes the file; no more entries can be written.
  func close() throws(SessionError) {
    try SessionError.writing { () throws(OutputError) in try file?.close() }
  }
}
