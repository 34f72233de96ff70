internal import EventLog
public import Fences

/// Writes events as a log in any ``EventLogFormat``, into bytes that you write where you like.
///
/// Call ``begin(into:)`` once, ``append(_:to:)`` for every event, and ``end(into:)`` once; each appends
/// to the buffer, which you may write and empty in between. The bytes are those of
/// `waymark replay --format`.
///
/// ```swift
/// var log = EventLogWriter(.csv)
/// var bytes: [UInt8] = []
/// log.begin(into: &bytes)
/// for event in events { log.append(EventRecord(device: "van", event: event), to: &bytes) }
/// log.end(into: &bytes)
/// ```
public struct EventLogWriter: Sendable {
  /// The format.
  public let format: EventLogFormat
  private var writer: EventWriter

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - fences: The fences that events may name, for the width of the columns of
  ///     ``EventLogFormat/text``.
  /// - Complexity: O(fences) for text, else O(1).
  public init(_ format: EventLogFormat, fences: FenceSet = FenceSet()) {
    self.format = format
    let names = format == .text ? fences.indices : 0..<0
    writer = EventWriter(format: format.format, fences: names.lazy.map { fences.id(at: $0) })
  }

  /// Appends what comes before the first event: the header of CSV, the beginning of a document.
  public func begin(into bytes: inout [UInt8]) { writer.begin(into: &bytes) }

  /// Appends an event.
  ///
  /// - Complexity: O(length of the line).
  public mutating func append(_ record: EventRecord, to bytes: inout [UInt8]) {
    writer.append(record.entry, to: &bytes)
  }

  /// Appends what comes after the last event: the end of a document.
  public func end(into bytes: inout [UInt8]) { writer.end(into: &bytes) }
}
