internal import Text
package import Tracking

/// The recording of one source or several: the lines of all in the order in which they came.
///
/// When there are several devices, a line names the device wherever it changes.
package struct SharedRecording {
  package private(set) var writer: RecordingWriter
  private let header: RecordingHeader
  /// The device of the last line in the file; nil when the file does not say it.
  private var current: ExactText?
  private var lost = 0

  /// Opens or creates the file.
  ///
  /// - Parameter isFresh: Whether the program has engines that know nothing of what is in the file.
  package init(
    path: String, header: RecordingHeader, rotation: RecordingRotation = .never,
    isFresh: Bool = false
  ) throws(RecordingError) {
    self.header = header
    writer = try RecordingWriter(
      path: path, header: header, rotation: rotation, isFresh: isFresh)
  }

  /// Appends complete lines of a source.
  package mutating func append(
    _ bytes: ArraySlice<UInt8>, of source: Int, report: (RecordingNotice) -> Void
  ) {
    append(bytes, of: header.sources[source].device, report: report)
  }

  /// Appends complete lines of a device.
  mutating func append(
    _ bytes: ArraySlice<UInt8>, of device: String, report: (RecordingNotice) -> Void
  ) {
    guard header.isShared else { return writer.append(bytes, report: report) }
    let (name, line) = (ExactText(device), RecordingHeader.line(of: device))
    writer.device = line
    writer.append(current == name ? bytes : line + bytes, report: report)
    // The line may be among the lost ones.
    current = writer.lost == lost ? name : nil
    lost = writer.lost
  }

  /// Notes that a device was forgotten.
  mutating func forget(_ device: String, report: (RecordingNotice) -> Void) {
    append(RecordingHeader.line(forgetting: device)[...], of: device, report: report)
  }

  /// Notes that the device of a source has passed a deadline in silence: when there are several, the lines
  /// of the others came before it or after it.
  package mutating func append(
    deadline: Timestamp, of source: Int, report: (RecordingNotice) -> Void
  ) {
    guard header.isShared else { return }
    let line = RecordingHeader.line(of: header.sources[source].device, deadline: deadline)
    append(line[...], of: source, report: report)
  }
}
