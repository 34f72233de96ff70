package import GPSD
internal import Traces

/// The first line of a recording, which `replay` understands: where it comes from and what the
/// device is called.
///
///     {"class":"WAYMARK","recording":1,"source":"gpsd://localhost:2947","device":"van"}
///
/// It stands again wherever a program began to add to the recording, and at the top of each file
/// of one that was rotated. To see exactly what a replay sees, `watch` gives it to its own decoder.
package struct RecordingHeader: Sendable, Hashable {
  /// The version of the format.
  package static let version = 1

  package let source: GPSDAddress
  package let device: String

  /// `device` is the name that events have; without one it is the host of `source`, as `watch`
  /// calls it.
  package init(source: GPSDAddress, device: String?) {
    self.source = source
    self.device = device ?? source.host
  }

  /// The line, with its line feed.
  package var line: [UInt8] {
    var line = Array("{\"class\":\"WAYMARK\",\"recording\":\(Self.version),\"source\":".utf8)
    JSONText.append(source.description, to: &line)
    line += ",\"device\":".utf8
    JSONText.append(device, to: &line)
    line += "}\n".utf8
    return line
  }

  /// The line that stands where `lines` lines are missing, as they could not be written.
  static func gap(lines: Int) -> [UInt8] {
    Array("{\"class\":\"WAYMARK\",\"lost\":\(lines)}\n".utf8)
  }
}
