/// Which file of a recording a file is: a rotation continues the recording in a new one.
package struct RecordingPart: Sendable, Hashable {
  /// What the headers of all its files have in common.
  package var recording: String
  /// The place of the file among them, from 1.
  package var number: Int
  /// Whether the program that wrote the file before wrote the header: then nothing ended between them.
  package var isContinued = false

  /// The first file of a recording.
  package init(firstOf recording: String) {
    (self.recording, number) = (recording, 1)
  }

  /// The part that a line of a header names; nil when the line lacks one of both.
  init?(recording: String?, number: Int?, isContinued: Bool) {
    guard let recording, !recording.isEmpty, let number, number > 0, number < .max else {
      return nil
    }
    (self.recording, self.number, self.isContinued) = (recording, number, isContinued)
  }

  /// The part that the first line of a file names.
  ///
  /// - Parameter top: The first bytes of the file, as many as a line may have.
  /// - Returns: nil when the line is no header, or one without parts, as earlier releases wrote it.
  package init?(top: some Collection<UInt8>) {
    let line = Array(top.prefix { $0 != UInt8(ascii: "\n") })
    // Most files are no recordings, and any reader of JSON would look at all of a long line.
    guard line.starts(with: #"{"class":"WAYMARK""#.utf8) else { return nil }
    var reader = SwiftGPSDReader()
    guard case .recording(let source)? = try? reader.read(line.span), let part = source.part else {
      return nil
    }
    self = part
  }

  /// The part that follows.
  package var next: RecordingPart {
    var next = self
    // Not beyond the last number: `init` refuses that one.
    next.number += 1
    return next
  }

  /// Whether the file follows another one of the same recording.
  package func follows(_ other: RecordingPart) -> Bool {
    recording == other.recording && number == other.number + 1
  }
}

/// The file of a recording whose header was read last, and whether it continues the one before.
struct RecordingParts: Sendable {
  private var part: RecordingPart?
  private var isContinued = false

  /// Whether a line of a header is that of a rotation, which is no event of a source.
  ///
  /// Then the file before it was read up to here.
  mutating func continues(_ next: RecordingPart?) -> Bool {
    // A header has a line for each source.
    if next != part {
      isContinued = false
      if let next, next.isContinued, let part { isContinued = next.follows(part) }
      part = next
    }
    return isContinued
  }
}
