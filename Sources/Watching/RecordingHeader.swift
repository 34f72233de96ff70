internal import Geodesy
internal import Receivers
internal import Text
internal import Traces
internal import Tracking

/// The first lines of a recording, which `replay` reads: each source and the name of its device.
///
///     {"class":"WAYMARK","recording":1,"source":"gpsd://localhost:2947","device":"van"}
///
/// They are repeated where a program starts to append to the recording, and at the top of each rotated
/// file. `watch` passes them to its own decoders, so they see exactly what a replay sees.
package struct RecordingHeader: Sendable, Hashable {
  /// The version of the format.
  package static let version = 1

  /// The sources whose lines are recorded, at least one.
  package let sources: [WatchedSource]

  package init(_ sources: [WatchedSource]) { self.sources = sources }

  /// A line for each source, with their line feeds.
  package var lines: [UInt8] { sources.flatMap(Self.line) }

  private static func line(_ source: WatchedSource) -> [UInt8] {
    var line = Array("{\"class\":\"WAYMARK\",\"recording\":\(Self.version),\"source\":".utf8)
    JSONText.append(source.address.description, to: &line)
    line += ",\"device\":".utf8
    JSONText.append(source.device, to: &line)
    line += "}\n".utf8
    return line
  }

  /// The line before those of a source, when several share the recording.
  ///
  ///     {"class":"WAYMARK","device":"van"}
  ///
  /// - Parameter deadline: A deadline that the engine of the device has passed in silence here, if there is
  ///   one: nanoseconds since 1970, in quotes.
  static func line(of device: String, deadline: Timestamp? = nil) -> [UInt8] {
    var line = Array("{\"class\":\"WAYMARK\",\"device\":".utf8)
    JSONText.append(device, to: &line)
    if let deadline { line += ",\"deadline\":\"\(deadline.nanoseconds)\"".utf8 }
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
