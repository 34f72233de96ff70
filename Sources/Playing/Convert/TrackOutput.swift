internal import EventLog
package import Session
package import System
package import TrackFiles
package import Traces
internal import Tracking

/// Takes the tracks of a conversion, in order.
package protocol TrackOutput {
  /// Whether fixes are kept one by one, so that those of many devices may come in any order.
  var hasRows: Bool { get }
  mutating func write(_ track: RecordedTrack) throws(SessionError)
  /// Writes the stays that an input reports; false when the output has no place for them.
  mutating func write(_ visits: [ReportedVisit], of device: String) throws(SessionError) -> Bool
  /// Writes what is left; no more tracks follow.
  mutating func close() throws(SessionError)
}

extension TrackOutput {
  package mutating func write(
    _ visits: [ReportedVisit], of device: String
  ) throws(SessionError) -> Bool { false }
}

/// Writes tracks to a file.
package struct TrackFileOutput: TrackOutput {
  private let file: OutputFile
  private var writer: TrackWriter
  private var buffer: [UInt8] = []

  /// Above this many bytes the buffer is written out.
  private static let capacity = 1 << 16

  package init(_ file: OutputFile, format: TrackFormat) {
    self.file = file
    writer = TrackWriter(format)
    writer.begin(into: &buffer)
  }

  package var hasRows: Bool { writer.format.hasRows }

  package mutating func write(_ track: RecordedTrack) throws(SessionError) {
    writer.append(track, to: &buffer)
    if buffer.count >= Self.capacity { try flush() }
  }

  package mutating func write(
    _ visits: [ReportedVisit], of device: String
  ) throws(SessionError) -> Bool {
    guard writer.format == .ndjson else { return false }
    for visit in visits {
      buffer += visit.line(of: device)
      if buffer.count >= Self.capacity { try flush() }
    }
    return true
  }

  package mutating func close() throws(SessionError) {
    writer.end(into: &buffer)
    try flush()
    try SessionError.writing { () throws(OutputError) in try file.close() }
  }

  private mutating func flush() throws(SessionError) {
    try SessionError.writing { () throws(OutputError) in try file.write(&buffer) }
  }
}

/// Keeps the fixes of tracks in a store.
package struct TrackStoreOutput: TrackOutput {
  private let store: any EntryStore
  private var entries: [LogEntry] = []

  /// How many fixes are kept in one transaction.
  private static let step = 10_000

  package init(_ store: any EntryStore) {
    self.store = store
  }

  package var hasRows: Bool { true }

  package mutating func write(_ track: RecordedTrack) throws(SessionError) {
    for segment in track.segments {
      for fix in segment { entries.append(LogEntry(device: track.device, .fix(fix))) }
    }
    if entries.count >= Self.step { try flush() }
  }

  package mutating func close() throws(SessionError) { try flush() }

  private mutating func flush() throws(SessionError) {
    try SessionError.storing { () throws(EntryStoreError) in try store.keep(entries) }
    entries.removeAll(keepingCapacity: true)
  }
}
