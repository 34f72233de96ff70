internal import Geodesy
package import Receivers
internal import Text
internal import Traces
internal import Tracking

/// The first lines of a recording, which `replay` reads: each source and the name of its device.
///
///     {"class":"WAYMARK","recording":1,"source":"gpsd://localhost:2947","device":"van"}
///
/// With `"ais":true` the ships that this gpsd reports are devices too, with `"simulated":true` positions that
/// it calls simulated are used. `"id":"5f0c…","part":2` say which file of the recording it is, and
/// `"start":"9e1b…"` which run of the program wrote it.
///
/// They are repeated where a program starts to append to the recording, and, with `"continued":true`, at the
/// top of each rotated file. `watch` passes them to its own decoders, so they see exactly what a replay sees.
package struct RecordingHeader: Sendable, Hashable {
  /// The version of the format.
  package static let version = 1

  /// The sources whose lines are recorded.
  package let sources: [WatchedSource]
  /// The addresses of the sources whose devices appear while they are watched.
  package let inlets: [String]

  /// A header for at least one source.
  package init(_ sources: [WatchedSource], inlets: [String] = []) {
    self.sources = sources
    self.inlets = inlets
  }

  /// Whether a line must name the device wherever it changes.
  var isShared: Bool {
    sources.count > 1 || !inlets.isEmpty || sources.contains(where: \.hasShips)
  }

  /// A line for each source, with their line feeds.
  ///
  /// - Parameter part: The file that they are in; nil for one that had a header without parts.
  package func lines(in part: RecordingPart? = nil) -> [UInt8] {
    sources.flatMap { Self.line($0.address.description, of: $0, in: part) }
      + inlets.flatMap { Self.line($0, of: nil, in: part) }
  }

  private static func line(
    _ address: String, of source: WatchedSource?, in part: RecordingPart?
  ) -> [UInt8] {
    var line = Array("{\"class\":\"WAYMARK\",\"recording\":\(Self.version),\"source\":".utf8)
    JSONText.append(address, to: &line)
    if let source {
      line += ",\"device\":".utf8
      JSONText.append(source.device, to: &line)
      if source.hasShips { line += ",\"ais\":true".utf8 }
      if source.allowsSimulated { line += ",\"simulated\":true".utf8 }
      if let start = source.start {
        line += ",\"start\":\"\(digits(start))\"".utf8
      }
    }
    if let part {
      append("id", part.recording, to: &line)
      line += ",\"part\":\(part.number)".utf8
      if part.isContinued { line += ",\"continued\":true".utf8 }
    }
    line += "}\n".utf8
    return line
  }

  /// A random number as 16 hexadecimal digits.
  static func digits(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// A line with a position that a device sent itself.
  ///
  ///     {"class":"WAYMARK","fix":[{"time":"2025-03-10T08:00:00.000Z","lat":52.5,"lon":13.4,"acc":12.0}]}
  ///
  /// Numbers have the digits that give the same number again. Times are kept to a millisecond.
  static func line(_ fix: Fix) -> [UInt8] {
    var line = Array("{\"class\":\"WAYMARK\",\"fix\":[{".utf8)
    if let time = fix.time {
      line += "\"time\":\"".utf8
      TimeText.append(time, to: &line)
      line += "\",".utf8
    }
    let place = fix.coordinate
    line += "\"lat\":\(number(place.latitude)),\"lon\":\(number(place.longitude))".utf8
    for (key, path) in SwiftGPSDReader.fixNumbers {
      if let value = fix[keyPath: path], value.isFinite { line += ",\"\(key)\":\(value)".utf8 }
    }
    if let satellites = fix.satellites { line += ",\"sat\":\(satellites)".utf8 }
    line += "}]}\n".utf8
    return line
  }

  private static func number(_ value: Double) -> String { value.isFinite ? "\(value)" : "null" }

  /// A line that says that a device was forgotten, so that it starts over when it reports again.
  ///
  ///     {"class":"WAYMARK","device":"jane/phone","forgotten":true}
  static func line(forgetting device: String) -> [UInt8] {
    line(of: device).dropLast(2) + ",\"forgotten\":true}\n".utf8
  }

  /// The line before the header of a program that appends without the state of the one before, so the
  /// engines of a replay start over as its own do.
  static let restart = Array("{\"class\":\"WAYMARK\",\"restarted\":true}\n".utf8)

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
    append(change.time, to: &line)
    append("reason", change.reason, to: &line)
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
    append(command.time, to: &line)
    append("fence", command.fence, to: &line)
    let numbers = [
      ("lat", command.center?.latitude), ("lon", command.center?.longitude),
      ("radius", command.radius), ("bearing", command.bearing), ("distance", command.distance),
    ]
    for case (let name, let value?) in numbers { line += ",\"\(name)\":\(value)".utf8 }
    line += "}\n".utf8
    return line
  }

  private static func append(_ time: Timestamp?, to line: inout [UInt8]) {
    guard let time else { return }
    line += ",\"time\":\"".utf8
    TimeText.append(time, to: &line)
    line.append(UInt8(ascii: "\""))
  }

  private static func append(_ name: String, _ text: String?, to line: inout [UInt8]) {
    guard let text else { return }
    line += ",\"\(name)\":".utf8
    JSONText.append(text, to: &line)
  }

  /// The line that replaces `lines` lines that could not be written.
  static func gap(lines: Int) -> [UInt8] {
    Array("{\"class\":\"WAYMARK\",\"lost\":\(lines)}\n".utf8)
  }
}
