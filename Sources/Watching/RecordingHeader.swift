internal import Geodesy
package import Receivers
internal import Text
internal import Traces

/// The first line of a recording, which `replay` reads: the source and the name of the device.
///
///     {"class":"WAYMARK","recording":1,"source":"gpsd://localhost:2947","device":"van"}
///
/// It is repeated where a program starts to append to the recording, and at the top of each rotated
/// file. `watch` passes it to its own decoder, so it sees exactly what a replay sees.
package struct RecordingHeader: Sendable, Hashable {
  /// The version of the format.
  package static let version = 1

  package let source: GPSDAddress
  package let device: String

  /// `device` is the name in events; by default it is the host of `source`, as in `watch`.
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

  /// A line that says how the source changed, where gpsd itself says nothing.
  ///
  ///     {"class":"WAYMARK","status":"lost","time":"2025-03-10T08:00:00.000Z","reason":"gpsd closed the connection"}
  static func line(_ change: SourceChange) -> [UInt8] {
    var line = Array("{\"class\":\"WAYMARK\",\"status\":\"\(change.status.rawValue)\"".utf8)
    if let time = change.time {
      line += ",\"time\":\"".utf8
      TimeText.append(time, to: &line)
      line.append(UInt8(ascii: "\""))
    }
    if let reason = change.reason {
      line += ",\"reason\":".utf8
      JSONText.append(reason, to: &line)
    }
    line += "}\n".utf8
    return line
  }

  /// A line that says what was done with an anchor.
  ///
  ///     {"class":"WAYMARK","anchor":"set","time":"2025-03-10T08:00:00.000Z","fence":"anchor","radius":40.0}
  ///
  /// Numbers have the digits that give the same number again.
  static func line(_ command: AnchorChange) -> [UInt8] {
    var line = Array("{\"class\":\"WAYMARK\",\"anchor\":\"\(command.action.rawValue)\"".utf8)
    if let time = command.time {
      line += ",\"time\":\"".utf8
      TimeText.append(time, to: &line)
      line.append(UInt8(ascii: "\""))
    }
    if let fence = command.fence {
      line += ",\"fence\":".utf8
      JSONText.append(fence, to: &line)
    }
    let numbers = [
      ("lat", command.center?.latitude), ("lon", command.center?.longitude),
      ("radius", command.radius), ("bearing", command.bearing), ("distance", command.distance),
    ]
    for case (let name, let value?) in numbers { line += ",\"\(name)\":\(value)".utf8 }
    line += "}\n".utf8
    return line
  }

  /// The line that replaces `lines` lines that could not be written.
  static func gap(lines: Int) -> [UInt8] {
    Array("{\"class\":\"WAYMARK\",\"lost\":\(lines)}\n".utf8)
  }
}
