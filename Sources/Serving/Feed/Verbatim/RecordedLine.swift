internal import Text

/// A line that gpsd sent, without its end.
package struct RecordedLine: Sendable, Hashable {
  /// What the line is to clients.
  package enum Kind: Sendable, Hashable {
    case position, sky, errors
    /// DEVICE and DEVICES.
    case device, devices
    /// PPS and TOFF, for clients that ask for them.
    case timing
    /// Any other report.
    case other
    /// A sentence of a receiver.
    case sentence
  }

  package var kind: Kind
  /// The report; empty for a sentence.
  package var bytes: [UInt8] = []
  /// The index of the receiver among those of the server; nil for what is of none.
  package var device: Int?
  /// What is sent to clients of NMEA: the sentence itself, or those made of a report.
  package var sentences: [UInt8] = []

  /// The same line with its times that many seconds later.
  ///
  /// - Complexity: O(n), without a shift O(1).
  func shifted(bySeconds shift: Int64) -> RecordedLine {
    guard shift != 0 else { return self }
    var line = self
    line.sentences = SentenceTimes.shifted(sentences, bySeconds: shift)
    // A report was read before; a sentence is none.
    if let report = try? RecordedReport(bytes) { line.bytes = report.shifted(bySeconds: shift) }
    return line
  }

  /// Appends what a client gets of it.
  func append(_ format: ReportFormat, to buffer: inout [UInt8]) {
    if let wanted = format.device, let device, wanted != device { return }
    if format.nmea { buffer += sentences }
    guard kind != .sentence, kind == .timing ? format.pps : format.json else { return }
    buffer += bytes
    buffer.append(contentsOf: "\r\n".utf8)
  }
}
