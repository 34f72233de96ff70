package import Tracking

/// The recording of one source or several: the lines of all in the order in which they came.
///
/// When there are several, a line names the device wherever the source changes.
package struct SharedRecording {
  package private(set) var writer: RecordingWriter
  private let header: RecordingHeader
  /// The source of the last line in the file; nil when the file does not say it.
  private var current: Int?
  private var lost = 0

  /// Opens or creates the file.
  package init(
    path: String, header: RecordingHeader, rotation: RecordingRotation = .never
  ) throws(RecordingError) {
    self.header = header
    writer = try RecordingWriter(path: path, header: header, rotation: rotation)
  }

  /// Appends complete lines of a source.
  package mutating func append(
    _ bytes: ArraySlice<UInt8>, of source: Int, report: (RecordingNotice) -> Void
  ) {
    guard header.sources.count > 1 else { return writer.append(bytes, report: report) }
    let line = RecordingHeader.line(of: header.sources[source].device)
    writer.top = header.lines + line
    writer.append(current == source ? bytes : line + bytes, report: report)
    // The line may be among the lost ones.
    current = writer.lost == lost ? source : nil
    lost = writer.lost
  }

  /// Notes that the device of a source has passed a deadline in silence: when there are several, the lines
  /// of the others came before it or after it.
  package mutating func append(
    deadline: Timestamp, of source: Int, report: (RecordingNotice) -> Void
  ) {
    guard header.sources.count > 1 else { return }
    let line = RecordingHeader.line(of: header.sources[source].device, deadline: deadline)
    append(line[...], of: source, report: report)
  }
}
